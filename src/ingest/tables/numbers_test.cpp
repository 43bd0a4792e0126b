#include "ingest/tables/numbers.h"

#include <gtest/gtest.h>

namespace tilebound::ingest::tables {
namespace {

NumberFormat format_of(std::initializer_list<std::string_view> cells, char delimiter) {
  NumberEvidence evidence;
  for (const std::string_view cell : cells) evidence.add(cell);
  return evidence.decide(delimiter);
}

TEST(Numbers, FormatFromEvidence) {
  EXPECT_EQ(format_of({"1", "2.5"}, ','), (NumberFormat{'.', 0}));
  EXPECT_EQ(format_of({"1,234", "5"}, ','), (NumberFormat{'.', ','}));
  EXPECT_EQ(format_of({"1,234", "5,25"}, ';'), (NumberFormat{',', 0}));
  EXPECT_EQ(format_of({"1.234,5"}, ';'), (NumberFormat{',', '.'}));
  EXPECT_EQ(format_of({"1,234.5"}, '\t'), (NumberFormat{'.', ','}));
  EXPECT_EQ(format_of({"1.234.567"}, ';'), (NumberFormat{',', '.'}));
  EXPECT_EQ(format_of({"0.123", "1.234"}, ';'), (NumberFormat{'.', 0}));
  EXPECT_EQ(format_of({"1'234.5"}, ','), (NumberFormat{'.', '\''}));
  EXPECT_EQ(format_of({"MM:SS", "12/15/2023", "1.2.3.4"}, ','), (NumberFormat{'.', 0}));
}

TEST(Numbers, OpenCasesAreSaid) {
  NumberEvidence evidence;
  evidence.add("1,234");
  EXPECT_TRUE(evidence.ambiguous(';'));
  EXPECT_EQ(evidence.decide(';').decimal, ',');
  EXPECT_FALSE(evidence.ambiguous(','));
  EXPECT_EQ(evidence.decide(',').group, ',');
}

TEST(Numbers, Cells) {
  const NumberFormat german{',', '.'};
  EXPECT_EQ(parse_cell("1.234.567,5", german).value, 1234567.5);
  EXPECT_EQ(parse_cell("-1.234", german).value, -1234);
  EXPECT_EQ(parse_cell("12.34", german).state, CellState::wrong);
  EXPECT_EQ(parse_cell(" +5 ", {}).value, 5);
  EXPECT_EQ(parse_cell("1e3", {}).value, 1000);
  EXPECT_EQ(parse_cell("0x10", {}).state, CellState::wrong);
  EXPECT_EQ(parse_cell("1 2", {}).state, CellState::wrong);
  EXPECT_EQ(parse_cell("1,2", {}).state, CellState::wrong);
  EXPECT_EQ(parse_cell("1e999", {}).state, CellState::wrong);
  EXPECT_EQ(parse_cell(std::string(100000, '1'), {}).state, CellState::wrong);
  for (const auto* text : {"", "  ", "-", "--", "n/a", "N/A", "NaN", "-nan(ind)", "inf",
                           "-Infinity", "null", "[NULL]", "\xE2\x80\x94"}) {
    EXPECT_EQ(parse_cell(text, {}).state, CellState::unavailable) << text;
  }
}

TEST(Numbers, TimesAreExact) {
  EXPECT_EQ(parse_time_ns("0.000985025", 1'000'000'000), 985025);
  EXPECT_EQ(parse_time_ns("1702641600.123456789", 1'000'000'000), 1702641600123456789);
  EXPECT_EQ(parse_time_ns("0,985025", 1'000'000, ','), 985025);
  EXPECT_EQ(parse_time_ns("1.9999", 1000), 2000);
  EXPECT_EQ(parse_time_ns("-2", 1000), -2000);
  EXPECT_EQ(parse_time_ns("9.85025e-4", 1'000'000'000), 985025);
  EXPECT_FALSE(parse_time_ns("99999999999999999999", 1));
  EXPECT_FALSE(parse_time_ns("4611686019", 1'000'000'000));
  EXPECT_FALSE(parse_time_ns("1e300", 1'000'000'000));
  EXPECT_FALSE(parse_time_ns("", 1));
  EXPECT_FALSE(parse_time_ns("1x", 1));
}

TEST(Numbers, Clocks) {
  EXPECT_EQ(parse_clock_ns("02:03.5"), 123'500'000'000);
  EXPECT_EQ(parse_clock_ns("01:02:03.250"), 3'723'250'000'000);
  EXPECT_EQ(parse_clock_ns("75:00,001", ','), 4'500'001'000'000);
  EXPECT_FALSE(parse_clock_ns("1.5"));
  EXPECT_FALSE(parse_clock_ns("01:60:00"));
  EXPECT_FALSE(parse_clock_ns("00:60"));
  EXPECT_FALSE(parse_clock_ns("1:2:3:4"));
  EXPECT_FALSE(parse_clock_ns("12/15/2023 3:16:20"));
}

}  // namespace
}  // namespace tilebound::ingest::tables
