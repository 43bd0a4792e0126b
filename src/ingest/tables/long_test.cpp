#include <cmath>
#include <gtest/gtest.h>

#include "base/error.h"
#include "ingest/test_input.h"

namespace tilebound::ingest {
namespace {

using test::count_notes;
using test::find;
using test::read_text;

TEST(LongCsv, TraceProcessorTableIsForwards) {
  // As `select ts, name, value from counter join counter_track` prints it: each value stands at the
  // start of its interval, the last one of each counter is 0.
  const model::Capture capture = read_text(
      "\"ts\",\"name\",\"value\"\n"
      "1000000,\"GPU active\",5.0\n"
      "1000000,\"% Busy (a/b)\",50.0\n"
      "2000000,\"GPU active\",7.0\n"
      "2000000,\"% Busy (a/b)\",70.0\n"
      "3000000,\"GPU active\",0\n"
      "3000000,\"% Busy (a/b)\",0\n");
  EXPECT_EQ(capture.format, "csv-long");
  ASSERT_EQ(capture.axes.size(), 1u);
  EXPECT_EQ(capture.axes[0].direction, model::ValueDirection::forwards);
  EXPECT_EQ(capture.axes[0].interval(0), (base::Interval{{1'000'000}, {2'000'000}}));
  EXPECT_TRUE(capture.axes[0].interval(2).empty());
  EXPECT_EQ(find(capture, "GPU active")->values.at(1), 7);
  EXPECT_EQ(find(capture, "% Busy (a/b)")->kind, model::CounterKind::percent);
  EXPECT_EQ(count_notes(capture, "assumed_direction"), 1u);
}

TEST(LongCsv, PlainTableIsBackwards) {
  const model::Capture capture = read_text("Time (ms),Counter,Value\n1,A,5\n2,A,6\n");
  EXPECT_EQ(capture.axes[0].direction, model::ValueDirection::backwards);
  EXPECT_EQ(capture.axes[0].stamps_ns[1], 2'000'000);
}

TEST(LongCsv, DurationsSayWhatAValueCovers) {
  const model::Capture capture = read_text("ts,dur,name,value\n10,5,A,1\n20,5,A,2\n30,-1,A,3\n");
  EXPECT_EQ(capture.axes[0].interval(0), (base::Interval{{10}, {15}}));
  EXPECT_TRUE(capture.axes[0].interval(2).empty());
  EXPECT_EQ(count_notes(capture, "assumed_direction"), 0u);
}

TEST(LongCsv, OwnStampsOwnAxis) {
  const model::Capture capture = read_text(
      "ts,name,value,unit,counter_id,gpu_id\n"
      "1,A,5,Bytes,217,0\n1,B,5,,218,0\n2,A,6,Bytes,217,0\n1,A,9,Bytes,217,1\n2,A,9,Bytes,217,1\n");
  ASSERT_EQ(capture.counters.size(), 3u);
  EXPECT_EQ(capture.axes.size(), 2u);
  EXPECT_EQ(capture.counters[0].axis, capture.counters[2].axis);
  EXPECT_EQ(capture.counters[2].gpu, 1u);
  EXPECT_EQ(capture.counters[0].id, 217u);
  EXPECT_EQ(capture.counters[0].unit, "Bytes");
}

TEST(LongCsv, FrequencyTrackBecomesTheClock) {
  const model::Capture capture =
      read_text("ts,name,value\n1000000,gpufreq,260000\n2000000,gpufreq,637000\n");
  ASSERT_EQ(capture.clock.size(), 2u);
  EXPECT_EQ(capture.clock[1].frequency.value, 637e6);
  EXPECT_EQ(capture.clock[1].time_ns, 2'000'000);
}

TEST(LongCsv, BadRowsAreNoted) {
  const model::Capture capture = read_text("ts,name,value\n1,A,oops\n2,A,3\nmore\n3,A,4\n4,A");
  EXPECT_EQ(count_notes(capture, "bad_cell"), 1u);
  EXPECT_EQ(count_notes(capture, "skipped_row"), 1u);
  EXPECT_EQ(count_notes(capture, "truncated"), 1u);
  EXPECT_EQ(capture.axes[0].size(), 3u);
  EXPECT_THROW(read_text("ts,name,value\n"), base::InputError);
}

}  // namespace
}  // namespace tilebound::ingest
