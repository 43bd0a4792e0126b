#include <gtest/gtest.h>
#include <limits>

#include "ingest/perfetto/trace_builder.h"

namespace tilebound::ingest::perfetto {
namespace {

constexpr std::uint32_t kRealtime = 1, kMonotonic = 3, kBoot = 6;
constexpr std::int64_t kSecond = 1'000'000'000;

std::string defaults(std::uint32_t clock) {
  return message([clock](pbf_writer& out) { out.add_uint32(58, clock); });
}

TEST(PerfettoClocks, BoottimeIsTheDefault) {
  Trace trace;
  trace.clocks({{kBoot, 1000}, {kMonotonic, 400}});
  trace.sample(1234, {whole(1, 1)});
  trace.packet({.time = 1300, .clock = kBoot}, 52, counter_event({whole(1, 1)}));
  EXPECT_EQ(series(read_trace(trace), 1).stamps, (std::vector<std::int64_t>{1234, 1300}));
}

TEST(PerfettoClocks, ConvertsWithSnapshotsBeforeOrAfterTheSamples) {
  for (const bool before : {true, false}) {
    Trace trace;
    if (before) trace.clocks({{kBoot, 1000}, {kMonotonic, 400}, {kRealtime, 900000}});
    trace.packet({.time = 410, .clock = kMonotonic}, 52, counter_event({whole(1, 1)}));
    trace.packet({.time = 900020, .clock = kRealtime}, 52, counter_event({whole(1, 2)}));
    trace.sample(1030, {whole(1, 3)});
    if (!before) trace.clocks({{kBoot, 1000}, {kMonotonic, 400}, {kRealtime, 900000}});
    const model::Capture capture = read_trace(trace);
    EXPECT_EQ(series(capture, 1), (Series{{1010, 1020, 1030}, {1, 2, 3}}));
    EXPECT_EQ(noted(capture, "unconverted_clock"), 0U);
  }
}

TEST(PerfettoClocks, DefaultsOfTheSequenceCountUntilItsStateIsCleared) {
  Trace trace;
  trace.clocks({{kBoot, 1000}, {kMonotonic, 400}});
  trace.packet({.time = 410, .flags = 1, .defaults = defaults(kMonotonic)}, 52,
               counter_event({whole(1, 1)}));
  trace.packet({.time = 420}, 52, counter_event({whole(1, 2)}));
  trace.packet({.time = 1040, .sequence = 8}, 52, counter_event({whole(1, 3)}));
  trace.packet({.time = 1050, .flags = 1}, 52, counter_event({whole(1, 4)}));
  EXPECT_EQ(series(read_trace(trace), 1), (Series{{1010, 1020, 1040, 1050}, {1, 2, 3, 4}}));
}

TEST(PerfettoClocks, InterpolatesDriftAndKeepsSteps) {
  Trace trace;
  // 100 ns of drift in a second, then a suspend of five seconds.
  trace.clocks({{kBoot, 0}, {200, 1000}});
  trace.clocks({{kBoot, kSecond + 100}, {200, kSecond + 1000}});
  trace.clocks({{kBoot, 7 * kSecond + 100}, {200, 2 * kSecond + 1000}});
  const auto at = [](std::uint64_t time) { return Envelope{.time = time, .clock = 200}; };
  trace.packet(at(500), 52, counter_event({whole(1, 0)}));  // before the first: would be below 0
  trace.packet(at(kSecond / 2 + 1000), 52, counter_event({whole(1, 1)}));
  trace.packet(at(kSecond * 3 / 2 + 1000), 52, counter_event({whole(1, 2)}));
  trace.packet(at(kSecond * 3 + 1000), 52, counter_event({whole(1, 3)}));
  const Series s = series(read_trace(trace), 1);
  EXPECT_EQ(s.stamps, (std::vector<std::int64_t>{0, kSecond / 2 + 50, kSecond * 3 / 2 + 100,
                                                 8 * kSecond + 100}));
}

TEST(PerfettoClocks, FollowsTiesThroughAnotherClock) {
  Trace trace;
  trace.clocks({{kMonotonic, 400}, {500, 7000}});
  trace.clocks({{kBoot, 1000}, {kMonotonic, 410}});
  trace.packet({.time = 7005, .clock = 500}, 52, counter_event({whole(1, 1)}));
  EXPECT_EQ(series(read_trace(trace), 1).stamps, (std::vector<std::int64_t>{995}));
}

TEST(PerfettoClocks, SequenceClocksBelongToTheirSequence) {
  Trace trace;
  trace.clocks({{kBoot, 1000}, {64, 10}}, 2).clocks({{kBoot, 1000}, {64, 500}}, 3);
  trace.packet({.time = 20, .sequence = 2, .clock = 64}, 52, counter_event({whole(1, 1)}));
  trace.packet({.time = 520, .sequence = 3, .clock = 64}, 52, counter_event({whole(2, 1)}));
  trace.packet({.time = 520, .sequence = 4, .clock = 64}, 52, counter_event({whole(3, 1)}));
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(series(capture, 1).stamps, (std::vector<std::int64_t>{1010}));
  EXPECT_EQ(series(capture, 2).stamps, (std::vector<std::int64_t>{1020}));
  EXPECT_EQ(series(capture, 3).stamps, (std::vector<std::int64_t>{520}));
  EXPECT_EQ(noted(capture, "unconverted_clock"), 1U);
}

TEST(PerfettoClocks, IncrementalWithUnitMultiplier) {
  Trace trace;
  trace.packet({.sequence = 2}, 6, message([](pbf_writer& out) {
                 {
                   pbf_writer clock(out, 1);
                   clock.add_uint32(1, kBoot);
                   clock.add_uint64(2, 1'000'000);
                 }
                 pbf_writer clock(out, 1);
                 clock.add_uint32(1, 65);
                 clock.add_uint64(2, 500);
                 clock.add_bool(3, true);
                 clock.add_uint64(4, 1000);
               }));
  const auto later = [](std::uint64_t by) {
    return Envelope{.time = by, .sequence = 2, .clock = 65};
  };
  trace.packet(later(10), 52, counter_event({whole(1, 1)}));
  trace.packet(later(5), 11, "");  // a packet of another kind moves the clock too
  trace.packet(later(20), 52, counter_event({whole(1, 2)}));
  EXPECT_EQ(series(read_trace(trace), 1), (Series{{1'010'000, 1'035'000}, {1, 2}}));
}

TEST(PerfettoClocks, UnknownClockKeepsItsOwnTimeWithAWarning) {
  Trace trace;
  trace.packet({.time = 5, .clock = 777}, 52, counter_event({whole(1, 1)}));
  trace.packet({.time = 6, .clock = 777}, 52, counter_event({whole(1, 1)}));
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(series(capture, 1).stamps, (std::vector<std::int64_t>{5, 6}));
  EXPECT_EQ(noted(capture, "unconverted_clock"), 2U);
}

TEST(PerfettoClocks, PrimaryClockStandsInWhereBoottimeIsNeverSaid) {
  Trace trace;
  trace.packet({.sequence = 1}, 6, message([](pbf_writer& out) {
                 for (const auto& [id, value] : {std::pair{kMonotonic, 400}, {kRealtime, 9000}}) {
                   pbf_writer clock(out, 1);
                   clock.add_uint32(1, id);
                   clock.add_uint64(2, static_cast<std::uint64_t>(value));
                 }
                 out.add_uint32(2, kMonotonic);
               }));
  trace.packet({.time = 9010, .clock = kRealtime}, 52, counter_event({whole(1, 1)}));
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(series(capture, 1).stamps, (std::vector<std::int64_t>{410}));
  EXPECT_EQ(noted(capture, "unconverted_clock"), 0U);
}

TEST(PerfettoClocks, NothingOverflows) {
  const std::uint64_t extremes[] = {0,
                                    1,
                                    (std::uint64_t{1} << 62),
                                    (std::uint64_t{1} << 62) + 1,
                                    std::uint64_t{1} << 63,
                                    ~std::uint64_t{0}};
  for (const std::uint64_t boot : extremes) {
    for (const std::uint64_t own : extremes) {
      for (const std::uint64_t stamp : extremes) {
        Trace trace;
        trace.clocks({{kBoot, boot}, {200, own}}).clocks({{kBoot, own}, {200, boot}});
        trace.packet({.time = stamp, .clock = 200}, 52, counter_event({whole(1, 1)}));
        trace.packet({.time = stamp, .sequence = 1, .clock = 70}, 52, counter_event({whole(1, 1)}));
        const model::Capture capture = read_trace(trace);
        for (const model::TimeAxis& axis : capture.axes) {
          for (std::size_t i = 0; i < axis.size(); ++i) {
            EXPECT_GE(axis.interval(i).length().value, 0);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tilebound::ingest::perfetto
