#include "report/page_columns.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace tilebound::report {
namespace {

TEST(Base64, IsThatOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Column, CodesEvenValuesInSixteenBits) {
  const std::vector<double> values = {0, 50, 100, std::numeric_limits<double>::quiet_NaN()};
  const Json out = column(values);
  EXPECT_DOUBLE_EQ(out["scale"], 100.0 / 65534);
  // Codes 0, 32767, 65534, 65535, little-endian.
  EXPECT_EQ(out["u16"], base64(std::string("\0\0\xff\x7f\xfe\xff\xff\xff", 8)));
}

TEST(Column, KeepsSmallValuesBesideAnOutlier) {
  std::vector<double> values(1000, 1);
  values[500] = 1e9;
  EXPECT_TRUE(column(values).contains("f32"));
  EXPECT_TRUE(column(std::vector<double>{-1, 1}).contains("f32"));
}

TEST(Column, OfNothingIsEmpty) {
  EXPECT_EQ(column({})["u16"], "");
  EXPECT_EQ(column(std::vector<double>{0, 0})["u16"], "AAAAAA==");
}

}  // namespace
}  // namespace tilebound::report
