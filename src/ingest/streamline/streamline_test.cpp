#include <cmath>
#include <gtest/gtest.h>

#include "base/error.h"
#include "ingest/test_input.h"

namespace tilebound::ingest {
namespace {

using test::count_notes;
using test::find;
using test::read_text;

constexpr char kHeader[] =
    "Time,Mali GPU Cycles:GPU active,Mali GPU Utilization:Fragment queue utilization,"
    "Mali External Bus Outstanding Reads:0-25% outstanding,\"Mali L2 Cache Miss Rate: Read miss "
    "rate\",Mali Constants:Shader core count,CPU Activity:User (%)\n";

TEST(Streamline, BinsFromZeroAreNamedByTheirBegin) {
  const model::Capture capture = read_text(std::string(kHeader) +
                                           "00:00.000,600000,90.5,12,3.5,9,10\n"
                                           "00:00.001,610000,91.5,13,n/a,9,11\n"
                                           "00:00.002,0,0,0,0,9,12\n");
  EXPECT_EQ(capture.format, "streamline-csv");
  EXPECT_EQ(capture.axes[0].direction, model::ValueDirection::forwards);
  EXPECT_EQ(capture.axes[0].interval(1), (base::Interval{{1'000'000}, {2'000'000}}));
  EXPECT_EQ(count_notes(capture, "assumed_direction"), 1u);
  EXPECT_EQ(find(capture, "Mali GPU Cycles:GPU active")->kind, model::CounterKind::count);
  EXPECT_EQ(capture.counters[1].kind, model::CounterKind::percent);
  EXPECT_EQ(capture.counters[2].kind, model::CounterKind::count);
  EXPECT_EQ(capture.counters[3].kind, model::CounterKind::percent);
  EXPECT_EQ(capture.counters[3].name, "Mali L2 Cache Miss Rate: Read miss rate");
  EXPECT_TRUE(std::isnan(capture.counters[3].values.at(1)));
  EXPECT_EQ(capture.counters[4].kind, model::CounterKind::level);
  EXPECT_EQ(capture.counters[5].unit, "%");
}

TEST(Streamline, FirstBinAfterOneWidthIsNamedByItsEnd) {
  const model::Capture capture =
      read_text("Time,Mali GPU Cycles:GPU active\n00:00.010,1\n00:00.020,2\n00:00.030,3\n");
  EXPECT_EQ(capture.axes[0].direction, model::ValueDirection::backwards);
}

TEST(Streamline, RangesHoursAndSeconds) {
  const auto stamps = [](const std::string& a, const std::string& b) {
    const model::Capture capture =
        read_text("Time,Mali GPU Cycles:GPU active\n" + a + ",1\n" + b + ",2\n");
    EXPECT_EQ(capture.format, "streamline-csv");
    EXPECT_EQ(capture.axes[0].direction, model::ValueDirection::forwards);
    return capture.axes[0].stamps_ns[1];
  };
  EXPECT_EQ(stamps("02:03.500", "02:03.501"), 123'501'000'000);
  EXPECT_EQ(stamps("01:02:03.500", "01:02:03.501"), 3'723'501'000'000);
  EXPECT_EQ(stamps("12.5", "12.6"), 12'600'000'000);
}

TEST(Streamline, PointBetweenTitleAndSeries) {
  EXPECT_EQ(read_text("Time,Mali GPU Cycles.GPU active\n00:00.000,1\n00:00.001,2\n").format,
            "streamline-csv");
}

TEST(Streamline, SemicolonsDecimalCommasUnitsTotalsAndHeatMap) {
  const model::Capture capture = read_text(
      "\xEF\xBB\xBFTime;Mali GPU Cycles:GPU active;Mali ALU:Utilization\r\n"
      ";cycles;%\r\n"
      "00:00,000;600.000;12,5\r\n"
      "00:00,001;610.000;13,5\r\n"
      "Total;1.210.000;\r\n"
      "\r\n"
      "Process/Thread heat map\r\n"
      "[com.game:1234];1;2\r\n");
  EXPECT_EQ(capture.axes[0].size(), 2u);
  EXPECT_EQ(capture.counters[0].values.sum(), 1'210'000);
  EXPECT_EQ(capture.counters[0].unit, "cycles");
  EXPECT_EQ(capture.counters[1].values.at(1), 13.5);
  EXPECT_EQ(count_notes(capture, "skipped_row"), 3u);
}

TEST(Streamline, SecondTableIsNotMixedIn) {
  const model::Capture capture = read_text(
      "Time,Mali GPU Cycles:GPU active\n00:00.000,1\n00:00.001,2\n"
      "Time,Process:game\n00:00.000,99\n");
  EXPECT_EQ(capture.axes[0].size(), 2u);
  EXPECT_EQ(count_notes(capture, "second_table"), 1u);
}

}  // namespace
}  // namespace tilebound::ingest
