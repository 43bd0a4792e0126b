#include <gtest/gtest.h>

#include "ingest/perfetto/trace_builder.h"
#include "ingest/perfetto/units.h"

namespace tilebound::ingest::perfetto {
namespace {

using model::CounterKind;

const std::vector<SpecText> kTwo = {{1, "Cycles"}, {2, "Beats"}};

void expect_two_named(const model::Capture& capture) {
  ASSERT_EQ(capture.counters.size(), 2U);
  EXPECT_EQ(capture.counters[0].name, "Cycles");
  EXPECT_EQ(capture.counters[1].name, "Beats");
  EXPECT_TRUE(capture.counters[0].named);
  EXPECT_EQ(series(capture, 1), (Series{{100, 200}, {10, 11}}));
  EXPECT_EQ(series(capture, 2), (Series{{100, 200}, {20, 21}}));
}

TEST(PerfettoDescriptor, MayComeFirstLateOrAtTheEndWithTimestampZero) {
  for (int place = 0; place < 3; ++place) {
    Trace trace;
    if (place == 0) trace.describe(kTwo);
    trace.sample(100, {whole(1, 10), whole(2, 20)});
    if (place == 1) trace.describe(kTwo);
    trace.sample(200, {whole(1, 11), whole(2, 21)});
    if (place == 2) trace.describe(kTwo);
    const model::Capture capture = read_trace(trace);
    expect_two_named(capture);
    EXPECT_EQ(noted(capture, "descriptor_timestamp_zero"), 1U);
    EXPECT_EQ(noted(capture, "unnamed_counters"), 0U);
  }
}

TEST(PerfettoDescriptor, MayComeWithSamplesOrWithoutTimestamp) {
  Trace trace;
  trace.packet({.time = 100}, 52, message([](pbf_writer& out) {
                 out.add_message(1, descriptor(kTwo));
                 out.add_message(2, std::string("\x08\x01\x10\x0a"));
                 out.add_message(2, std::string("\x08\x02\x10\x14"));
               }));
  trace.sample(200, {whole(1, 11), whole(2, 21)});
  expect_two_named(read_trace(trace));
  EXPECT_EQ(noted(read_trace(trace), "descriptor_timestamp_zero"), 0U);

  Trace untimed;
  untimed.describe(kTwo, {});
  untimed.sample(100, {whole(1, 10), whole(2, 20)}).sample(200, {whole(1, 11), whole(2, 21)});
  expect_two_named(read_trace(untimed));
}

TEST(PerfettoDescriptor, TimestampZeroIsNoSampleTimeWhereADescriptorRides) {
  Trace trace;
  trace.packet({.time = 0}, 52, message([](pbf_writer& out) {
                 out.add_message(1, descriptor(kTwo));
                 out.add_message(2, std::string("\x08\x01\x10\x0a"));
               }));
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(noted(capture, "sample_without_time"), 1U);
  EXPECT_FALSE(capture.counters[0].sampled());
}

TEST(PerfettoDescriptor, FirstHoldsWhenItComesAgain) {
  Trace trace;
  trace.describe(kTwo).sample(100, {whole(1, 10), whole(2, 20)});
  trace.describe({{1, "Other"}, {3, "More"}});
  trace.sample(200, {whole(1, 11), whole(2, 21)});
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(capture.counters[0].name, "Cycles");
  EXPECT_EQ(find_counter(capture, 3)->name, "More");
  EXPECT_EQ(noted(capture, "duplicate_descriptor"), 1U);
}

TEST(PerfettoDescriptor, NotesAnIdThatAppearsTwice) {
  Trace trace;
  trace.describe({{1, "A"}, {1, "B"}, {2, "C"}, {2, "C"}}).sample(5, {whole(1, 1)});
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(noted(capture, "duplicate_id"), 1U);
  EXPECT_EQ(noted(capture, "duplicate_descriptor"), 0U);
  EXPECT_EQ(capture.counters.size(), 2U);
}

TEST(PerfettoDescriptor, MissingLeavesNumbers) {
  Trace trace;
  trace.sample(100, {whole(217, 3), real(218, 0.5)});
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(capture.counters[0].name, "counter 217");
  EXPECT_FALSE(capture.counters[0].named);
  EXPECT_EQ(noted(capture, "unnamed_counters"), 2U);
  EXPECT_EQ(noted(capture, "unknown_id"), 0U);
}

TEST(PerfettoDescriptor, UnknownIdAmongKnownOnes) {
  Trace trace;
  trace.describe(kTwo).sample(100, {whole(1, 10), whole(9, 20)});
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(capture.counters.back().name, "counter 9");
  EXPECT_EQ(noted(capture, "unknown_id"), 1U);
  EXPECT_EQ(noted(capture, "unnamed_counters"), 0U);
}

TEST(PerfettoDescriptor, KeepsAdvertisedCountersInOrder) {
  Trace trace;
  trace.describe({{9, "Z"}, {3, "Y"}, {5, "X"}}).sample(100, {whole(5, 1)});
  const model::Capture capture = read_trace(trace);
  ASSERT_EQ(capture.counters.size(), 3U);
  EXPECT_EQ(capture.counters[0].name, "Z");
  EXPECT_FALSE(capture.counters[0].sampled());
  EXPECT_EQ(capture.counters[2].name, "X");
  EXPECT_TRUE(capture.counters[2].sampled());
}

std::string interned(std::uint64_t iid, const std::vector<SpecText>& specs, std::int32_t gpu) {
  return message([&](pbf_writer& out) {
    pbf_writer entry(out, 47);
    entry.add_uint64(1, iid);
    entry.add_message(2, descriptor(specs));
    entry.add_int32(3, gpu);
  });
}

TEST(PerfettoDescriptor, InternedIsScopedToItsSequenceAndItsGpuWins) {
  Trace trace;
  trace.packet({.sequence = 3, .flags = 1, .interned = interned(1, {{1, "A"}}, 4)});
  trace.packet({.sequence = 5, .flags = 1, .interned = interned(1, {{1, "B"}}, 6)});
  trace.packet({.time = 10, .sequence = 3, .flags = 2}, 52, counter_event({whole(1, 7)}, 9, 1));
  trace.packet({.time = 20, .sequence = 5, .flags = 2}, 52, counter_event({whole(1, 8)}, 9, 1));
  trace.packet({.time = 30, .sequence = 3, .flags = 2}, 52, counter_event({whole(1, 9)}, 9, 1));
  const model::Capture capture = read_trace(trace);
  ASSERT_EQ(capture.counters.size(), 2U);
  EXPECT_EQ(find_counter(capture, 1, 4)->name, "A");
  EXPECT_EQ(find_counter(capture, 1, 6)->name, "B");
  EXPECT_EQ(series(capture, 1, 4), (Series{{10, 30}, {7, 9}}));
  EXPECT_EQ(series(capture, 1, 6), (Series{{20}, {8}}));
}

TEST(PerfettoDescriptor, InternedAgainAfterAClearGoesOn) {
  Trace trace;
  for (std::uint64_t i = 0; i < 3; ++i) {
    trace.packet({.sequence = 3, .flags = 1, .interned = interned(1, {{1, "A"}}, 0)});
    trace.packet({.time = 10 * i + 10, .sequence = 3, .flags = 2}, 52,
                 counter_event({whole(1, 7)}, 0, 1));
  }
  // The same iid for something else after another clear.
  trace.packet({.sequence = 3, .flags = 1, .interned = interned(1, {{1, "B"}}, 0)});
  trace.packet({.time = 50, .sequence = 3, .flags = 2}, 52, counter_event({whole(1, 1)}, 0, 1));
  const model::Capture capture = read_trace(trace);
  ASSERT_EQ(capture.counters.size(), 2U);
  EXPECT_EQ(capture.counters[0].name, "A");
  EXPECT_EQ(capture.counters[0].values.size(), 3U);
  EXPECT_EQ(capture.counters[1].name, "B");
  EXPECT_EQ(capture.counters[1].values.size(), 1U);
  EXPECT_EQ(noted(capture, "duplicate_descriptor"), 0U);
}

TEST(PerfettoDescriptor, LostStateSkipsWhatNeedsIt) {
  Trace trace;
  trace.packet({.sequence = 3, .flags = 1, .interned = interned(1, {{1, "A"}}, 0)});
  trace.packet({.time = 10, .sequence = 3, .flags = 2}, 52, counter_event({whole(1, 7)}, 0, 1));
  trace.packet({.time = 20, .sequence = 3, .flags = 2, .dropped = 1}, 52,
               counter_event({whole(1, 8)}, 0, 1));
  trace.packet({.sequence = 3, .flags = 1, .interned = interned(1, {{1, "A"}}, 0)});
  trace.packet({.time = 30, .sequence = 3, .flags = 2}, 52, counter_event({whole(1, 9)}, 0, 1));
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(series(capture, 1), (Series{{10, 30}, {7, 9}}));
  EXPECT_EQ(noted(capture, "incremental_state_lost"), 1U);
  EXPECT_EQ(noted(capture, "lost_packets"), 1U);
}

TEST(PerfettoDescriptor, SameIdOnAnotherGpuIsAnotherCounter) {
  Trace trace;
  trace.describe({{1, "GPU active"}}).describe({{1, "DSP % Busy"}}, {.time = 5, .sequence = 9}, 1);
  trace.sample(10, {whole(1, 7)});
  trace.packet({.time = 11, .sequence = 9}, 52, counter_event({real(1, 50)}, 1));
  trace.sample(20, {whole(1, 8)});
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(series(capture, 1, 0), (Series{{10, 20}, {7, 8}}));
  EXPECT_EQ(series(capture, 1, 1), (Series{{11}, {50}}));
  EXPECT_EQ(find_counter(capture, 1, 1)->kind, CounterKind::percent);
  EXPECT_EQ(noted(capture, "duplicate_descriptor"), 0U);
}

TEST(PerfettoDescriptor, DirectionsDoNotShareAnAxis) {
  Trace trace;
  trace.describe({{1, "A"}, {2, "B", {}, {}, 2}, {3, "C", {}, {}, 1}});
  trace.sample(10, {whole(1, 1), whole(2, 2), whole(3, 3)});
  trace.sample(30, {whole(1, 1), whole(2, 2), whole(3, 3)});
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(capture.axes.size(), 2U);
  EXPECT_EQ(capture.counters[0].axis, capture.counters[2].axis);
  const model::TimeAxis& back = capture.axes[*capture.counters[0].axis];
  const model::TimeAxis& forth = capture.axes[*capture.counters[1].axis];
  EXPECT_EQ(back.direction, model::ValueDirection::backwards);
  EXPECT_EQ(forth.direction, model::ValueDirection::forwards);
  EXPECT_EQ(back.interval(1), (base::Interval{{10}, {30}}));
  EXPECT_EQ(forth.interval(0), (base::Interval{{10}, {30}}));
}

TEST(PerfettoUnits, TextAndKind) {
  struct Case {
    std::string name;
    std::vector<std::uint32_t> numerator, denominator;
    std::string unit;
    CounterKind kind;
  };
  for (const Case& c : std::vector<Case>{
           {"GPU active cycles", {}, {}, "", CounterKind::count},
           {"GPU active cycles", {0}, {0}, "", CounterKind::count},
           {"Clocks / Second", {}, {22}, "/second", CounterKind::rate},
           {"Clocks / Second", {}, {}, "", CounterKind::rate},
           {"Read Total (Bytes/sec)", {7}, {22}, "byte/second", CounterKind::rate},
           {"% Stalled", {37}, {}, "percent", CounterKind::percent},
           {"GPU % Busy", {}, {}, "", CounterKind::percent},
           {"Load", {37}, {}, "percent", CounterKind::percent},
           {"Textures / Vertex", {}, {25}, "/vertex", CounterKind::level},
           {"Fragments / vertex", {39}, {25}, "fragment/vertex", CounterKind::level},
           {"Acceleration", {27}, {21, 21}, "triangle/millisecond:millisecond", CounterKind::level},
           {"Product", {38, 40}, {}, "primitive:instruction", CounterKind::count},
           {"Clock", {15}, {}, "megahertz", CounterKind::level},
           {"Temperature", {34}, {}, "celsius", CounterKind::level},
           {"Energy", {31}, {}, "joule", CounterKind::count},
           {"Avg Preemption Delay", {20}, {}, "microsecond", CounterKind::level},
           {"New unit", {99}, {}, "unit99", CounterKind::count},
       }) {
    EXPECT_EQ(unit_text(c.numerator, c.denominator), c.unit) << c.name;
    EXPECT_EQ(counter_kind(c.name, c.numerator, c.denominator), c.kind) << c.name << c.unit;
    for (const bool packed : {false, true}) {
      Trace trace;
      trace.describe({{1, c.name, c.numerator, c.denominator, 0, packed}});
      const model::Capture capture = read_trace(trace);
      EXPECT_EQ(capture.counters[0].unit, c.unit);
      EXPECT_EQ(capture.counters[0].kind, c.kind);
    }
  }
}

}  // namespace
}  // namespace tilebound::ingest::perfetto
