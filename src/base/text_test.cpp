#include "base/text.h"

#include <gtest/gtest.h>

namespace tilebound::base {
namespace {

TEST(Text, ParsesWholeNumbersOnly) {
  EXPECT_EQ(parse_number("-1.5e3"), -1500);
  EXPECT_EQ(parse_number("12 "), std::nullopt);
  EXPECT_EQ(parse_number("inf"), std::nullopt);
  EXPECT_EQ(parse_number("1e999"), std::nullopt);
  EXPECT_EQ(parse_number(""), std::nullopt);
}

TEST(Text, ParsesDurations) {
  EXPECT_EQ(parse_duration_ns("1.5s"), 1.5e9);
  EXPECT_EQ(parse_duration_ns("20ms"), 2e7);
  EXPECT_EQ(parse_duration_ns("3us"), 3000);
  EXPECT_EQ(parse_duration_ns("40ns"), 40);
  EXPECT_EQ(parse_duration_ns("40"), std::nullopt);
}

TEST(Text, ShowsHostileNamesSafely) {
  EXPECT_EQ(printable("% Busy \xC2\xB5s"), "% Busy \xC2\xB5s");
  EXPECT_EQ(printable("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(printable("a\xff\xc2"), "a\\xff\\xc2");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m");
}

TEST(Text, ShortNumbersKeepThreeDigits) {
  EXPECT_EQ(short_number(575424000, "B/s"), "575 MB/s");
  EXPECT_EQ(short_number(999.6), "1.00 k");
  EXPECT_EQ(short_number(12), "12");
  EXPECT_EQ(short_number(0.25), "0.2500");
  EXPECT_EQ(short_number(1234), "1.23 k");
}

TEST(Text, GroupsDigits) {
  EXPECT_EQ(group_digits(1234567, 0), "1,234,567");
  EXPECT_EQ(group_digits(-1234.5, 1), "-1,234.5");
  EXPECT_EQ(group_digits(123, 0), "123");
}

TEST(Text, JoinsSomeAndCountsTheRest) {
  EXPECT_EQ(join_some({"a", "b"}, 2), "a, b");
  EXPECT_EQ(join_some({"a", "b", "c"}, 1), "a and 2 more");
  EXPECT_EQ(join_some({}, 3), "");
}

TEST(Text, WrapsAtSpaces) {
  EXPECT_EQ(wrap("aa bb cc", 5), (std::vector<std::string>{"aa bb", "cc"}));
  EXPECT_EQ(wrap("", 5), std::vector<std::string>{""});
}

}  // namespace
}  // namespace tilebound::base
