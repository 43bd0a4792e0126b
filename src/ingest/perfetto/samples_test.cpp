#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>

#include "base/column.h"
#include "ingest/perfetto/trace_builder.h"

namespace tilebound::ingest::perfetto {
namespace {

/// Each counter has a value for each stamp of its axis, and axes ascend.
void expect_consistent(const model::Capture& capture) {
  for (const model::TimeAxis& axis : capture.axes) {
    EXPECT_GT(axis.size(), 0U);
    EXPECT_EQ(
        std::adjacent_find(axis.stamps_ns.begin(), axis.stamps_ns.end(), std::greater_equal<>()),
        axis.stamps_ns.end());
  }
  for (const model::Counter& counter : capture.counters) {
    if (!counter.sampled()) {
      EXPECT_TRUE(counter.values.empty());
    } else {
      ASSERT_LT(*counter.axis, capture.axes.size());
      EXPECT_EQ(counter.values.size(), capture.axes[*counter.axis].size());
    }
  }
}

TEST(PerfettoSamples, ReadsIntegersAndDoublesOverManyBlocks) {
  std::mt19937_64 random(1);
  constexpr std::size_t kRows = 5 * base::Column::kBlock + 77;
  Trace trace;
  Series whole_series, real_series, large_series;
  for (std::size_t i = 0; i < kRows; ++i) {
    const auto time = static_cast<std::int64_t>(1000 * i + random() % 100);
    // Lengths of every kind of varint.
    const auto integer = static_cast<std::int64_t>(random() >> (34 + random() % 30));
    const double mean = static_cast<double>(random() % 100000) / 9;
    const auto large = static_cast<std::int64_t>(random() % 2'000'000'000);
    trace.sample(static_cast<std::uint64_t>(time),
                 {whole(5, integer), real(300, mean), whole(70000, large)});
    for (Series* s : {&whole_series, &real_series, &large_series}) s->stamps.push_back(time);
    whole_series.values.push_back(static_cast<double>(integer));
    real_series.values.push_back(mean);
    large_series.values.push_back(static_cast<double>(large));
  }
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(capture.axes.size(), 1U);
  EXPECT_EQ(series(capture, 5), whole_series);
  EXPECT_EQ(series(capture, 300), real_series);
  EXPECT_EQ(series(capture, 70000), large_series);
  expect_consistent(capture);
}

/// Perfetto's own writer pads nested lengths; others write fields in another order.
TEST(PerfettoSamples, ReadsUnusualEncodings) {
  Trace trace;
  trace.sample(10, {whole(1, 5), real(2, 0.5)});
  const auto event = [](const std::string& counters) { return counters; };
  const std::string half("\x19\0\0\0\0\0\0\xe0\x3f", 9);
  trace.packet({.time = 20}, 52,
               event(std::string("\x12\x84\x80\x80\x00", 5) + "\x08\x01\x10\x05" +
                     std::string("\x12\x8b\x80\x80\x00", 5) + "\x08\x02" + half));
  trace.packet({.time = 30}, 52,
               event(std::string("\x12\x04\x10\x05\x08\x01\x12\x0b", 8) + half + "\x08\x02"));
  trace.packet({.time = 40}, 52,
               event(std::string("\x12\x07\x08\x81\x80\x00\x10\x85\x00", 9) +
                     std::string("\x12\x0d", 2) + "\x08\x02" + half + "\x20\x07"));
  trace.packet(
      {.time = 50}, 52,
      event(std::string("\x18\x00", 2) + "\x12\x04\x08\x01\x10\x05\x12\x0b\x08\x02" + half));
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(series(capture, 1), (Series{{10, 20, 30, 40, 50}, {5, 5, 5, 5, 5}}));
  EXPECT_EQ(series(capture, 2), (Series{{10, 20, 30, 40, 50}, {0.5, 0.5, 0.5, 0.5, 0.5}}));
}

TEST(PerfettoSamples, PacketsSplitByBlockStayApartAndWhole) {
  Trace trace;
  for (std::uint64_t t = 1; t <= 2000; ++t) {
    const auto v = static_cast<std::int64_t>(t);
    trace.sample(t * 10, {whole(1, v), whole(2, 2 * v)});
    trace.sample(t * 10, {whole(3, 3 * v)});
    trace.sample(t * 10, {whole(4, 4 * v), whole(5, 5 * v)});
  }
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(noted(capture, "duplicate_sample"), 0U);
  EXPECT_EQ(noted(capture, "out_of_order"), 0U);
  ASSERT_EQ(capture.counters.size(), 5U);
  for (std::uint32_t id = 1; id <= 5; ++id) {
    const Series s = series(capture, id);
    ASSERT_EQ(s.values.size(), 2000U);
    EXPECT_EQ(s.stamps[1999], 20000);
    EXPECT_EQ(s.values[1999], id * 2000.0);
  }
  EXPECT_EQ(capture.axes.size(), 1U);  // equal stamps are one axis
  expect_consistent(capture);
}

TEST(PerfettoSamples, CountersThatAProducerLeavesOutAreMergedByTime) {
  std::mt19937 random(7);
  std::map<std::uint32_t, Series> expected;
  Trace trace;
  for (std::int64_t t = 1; t <= 3000; ++t) {
    std::vector<Value> values;
    for (std::uint32_t id = 1; id <= 6; ++id) {
      if (random() % 3 == 0 && id > 1) continue;
      const auto v = static_cast<std::int64_t>(random() % 1000);
      values.push_back(whole(id, v));
      expected[id].stamps.push_back(t * 100);
      expected[id].values.push_back(static_cast<double>(v));
    }
    trace.sample(static_cast<std::uint64_t>(t) * 100, values);
  }
  const model::Capture capture = read_trace(trace);
  ASSERT_EQ(capture.counters.size(), 6U);
  for (const auto& [id, s] : expected) EXPECT_EQ(series(capture, id), s) << id;
  EXPECT_EQ(noted(capture, "duplicate_sample"), 0U);
  expect_consistent(capture);
}

TEST(PerfettoSamples, SortsWhatComesOutOfOrder) {
  Trace trace;
  for (const std::uint64_t t : {10, 30, 20, 40, 60, 50}) {
    trace.sample(t, {whole(1, static_cast<std::int64_t>(t)), whole(2, 1)});
  }
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(series(capture, 1), (Series{{10, 20, 30, 40, 50, 60}, {10, 20, 30, 40, 50, 60}}));
  EXPECT_EQ(noted(capture, "out_of_order"), 2U);
  EXPECT_EQ(noted(capture, "duplicate_sample"), 0U);
  expect_consistent(capture);
}

TEST(PerfettoSamples, FirstOfEqualStampsHolds) {
  Trace trace;
  trace.sample(10, {whole(1, 1)}).sample(10, {whole(1, 2)});  // one after another
  trace.sample(20, {whole(1, 3)}).sample(15, {whole(1, 4)}).sample(20, {whole(1, 5)});
  trace.sample(20, {whole(1, 6), whole(2, 7)});  // in another list
  trace.sample(30, {whole(1, 8), whole(1, 9)});  // within a packet
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(series(capture, 1), (Series{{10, 15, 20, 30}, {1, 4, 3, 8}}));
  EXPECT_EQ(series(capture, 2), (Series{{20}, {7}}));
  EXPECT_EQ(noted(capture, "duplicate_sample"), 4U);
  expect_consistent(capture);
}

TEST(PerfettoSamples, WithoutTimestampAreDroppedAndCounted) {
  Trace trace;
  trace.sample(10, {whole(1, 1), whole(2, 1)});
  trace.packet({}, 52, counter_event({whole(1, 2), whole(2, 2)}));
  trace.packet({.time = ~std::uint64_t{0}}, 52, counter_event({whole(1, 3)}));
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(series(capture, 1), (Series{{10}, {1}}));
  EXPECT_EQ(noted(capture, "sample_without_time"), 3U);
}

TEST(PerfettoSamples, HolesAreNotFilledAndZerosStay) {
  Trace trace;
  trace.sample(1000, {whole(1, 75776)})
      .sample(2000, {whole(1, 0)})
      .sample(900000, {whole(1, 75776)});
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(series(capture, 1), (Series{{1000, 2000, 900000}, {75776, 0, 75776}}));
}

TEST(PerfettoSamples, VeryManyListsOfIdsStayExactAndBounded) {
  Trace trace;
  std::map<std::uint32_t, double> sums;
  for (std::uint32_t i = 0; i < 6000; ++i) {
    // Thirteen bits choose the counters of the packet: more lists than groups.
    std::vector<Value> values{whole(100, i)};
    for (std::uint32_t bit = 0; bit < 13; ++bit) {
      if ((i >> bit & 1) != 0) values.push_back(whole(bit, 1));
    }
    for (const Value& v : values) sums[v.id] += static_cast<double>(*v.integer);
    trace.sample(i + 1, values);
  }
  const model::Capture capture = read_trace(trace);
  for (const auto& [id, sum] : sums) EXPECT_EQ(find_counter(capture, id)->values.sum(), sum);
  EXPECT_EQ(series(capture, 100).stamps.size(), 6000U);
  expect_consistent(capture);
}

TEST(PerfettoSamples, MoreCountersThanHardwareHasAreDroppedWithANote) {
  Trace trace;
  for (std::uint32_t i = 0; i < 70000; ++i) trace.sample(i + 1, {whole(i, 1)});
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(capture.counters.size(), 65536U);
  EXPECT_EQ(noted(capture, "too_many_counters"), 70000U - 65536U);
}

struct WrapCase {
  const char* what;
  SpecText spec;
  std::vector<double> ordinary;
  double odd;
  bool dropped;
};

TEST(PerfettoSamples, WrappedValuesBecomeUnavailable) {
  const SpecText count{1, "GPU active cycles"};
  const SpecText rate{1, "Read Total (Bytes/sec)", {7}, {22}};
  const SpecText percent{1, "% Busy"};
  const SpecText level{1, "Temperature", {34}, {}};
  const std::vector<double> cycles = {0, 840000, 830000, 0, 5, 850000, 700000, 1, 2, 3, 4, 5};
  const std::vector<double> rates = {1e9, 3e9, 5e9, 1e10, 1e11, 2e9, 4.2e9, 1e10, 0, 0, 1, 2};
  const std::vector<double> idle(20, 0.0);
  const std::vector<double> seconds = {9e8, 1e9, 8e8, 9e8, 1e9, 9e8, 8e8, 7e8, 9e8, 9e8};
  for (const WrapCase& c : std::vector<WrapCase>{
           {"plus 2^32", count, cycles, 4294967296.0 + 500000, true},
           {"twice 2^32", count, cycles, 2 * 4294967296.0 + 12, true},
           {"minus 2^32", count, cycles, 500000 - 4294967296.0, true},
           {"negative u32", count, cycles, 4294967290.0, true},
           {"2^32 among zeros", count, idle, 4294967296.0, true},
           {"u64 max as int64", count, cycles, -1, true},
           {"u64 max as double", count, cycles, 18446744073709551615.0, true},
           {"libGPUCounters 93", count, cycles, 13905622581249048576.0, true},
           {"percent of 2^64", percent, {1, 2, 3}, 1.8e19, true},
           {"rate of 2^63", rate, rates, 9.3e18, true},
           {"negative rate", rate, rates, -5, true},
           {"large but far from 2^32", count, cycles, 6.0e9, false},
           {"once a second", count, seconds, 5.2e9, false},
           {"bytes per second", rate, rates, 4294967296.0 + 500000, false},
           {"terabytes per second", rate, idle, 4294967296.0, false},
           {"percent above 100", percent, {1, 2, 3}, 250, false},
           {"frost", level, {1, 2, 3}, -20, false},
           {"rounding", percent, {1, 2, 3}, -1e-12, false},
           {"true zero", count, cycles, 0, false},
       }) {
    Trace trace;
    trace.describe({c.spec});
    std::uint64_t time = 1;
    for (const double v : c.ordinary) trace.sample(time++, {real(1, v)});
    trace.sample(time++, {real(1, c.odd)});
    const model::Capture capture = read_trace(trace);
    const std::vector<double> values = series(capture, 1).values;
    ASSERT_EQ(values.size(), c.ordinary.size() + 1) << c.what;
    for (std::size_t i = 0; i < c.ordinary.size(); ++i)
      EXPECT_EQ(values[i], c.ordinary[i]) << c.what;
    EXPECT_EQ(std::isnan(values.back()), c.dropped) << c.what;
    if (!c.dropped) {
      EXPECT_EQ(values.back(), c.odd) << c.what;
    }
    EXPECT_EQ(noted(capture, "wrapped_value"), c.dropped ? 1U : 0U) << c.what;
  }
}

TEST(PerfettoSamples, WrappedIntegersAreFoundInPackedBlocks) {
  Trace trace;
  for (std::uint64_t t = 1; t <= 5000; ++t) {
    const std::int64_t value = t == 1500 ? 4294967296 + 77 : t == 2500 ? -4 : t == 4900 ? -1 : 99;
    trace.sample(t, {whole(1, value), whole(2, 4'000'000'000)});
  }
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(noted(capture, "wrapped_value"), 3U);
  EXPECT_EQ(find_counter(capture, 1)->values.sum(), 99.0 * 4997);
  EXPECT_EQ(find_counter(capture, 2)->values.sum(), 4e9 * 5000);
}

TEST(PerfettoSamples, InfiniteValuesBecomeUnavailable) {
  Trace trace;
  trace.sample(1, {real(1, std::numeric_limits<double>::infinity())}).sample(2, {real(1, 5)});
  const model::Capture capture = read_trace(trace);
  EXPECT_TRUE(std::isnan(series(capture, 1).values[0]));
  EXPECT_EQ(noted(capture, "invalid_value"), 1U);
}

}  // namespace
}  // namespace tilebound::ingest::perfetto
