#include "analyze/clock.h"

#include <gtest/gtest.h>

namespace tilebound::analyze {
namespace {

base::Interval ms(double begin, double end) {
  return {{static_cast<std::int64_t>(begin * 1e6)}, {static_cast<std::int64_t>(end * 1e6)}};
}

/// GPU-active cycles of 1 ms samples.
model::Capture active_capture(const std::vector<double>& cycles) {
  model::Capture capture;
  capture.axes.emplace_back();
  model::Counter counter;
  counter.axis = 0;
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    capture.axes[0].stamps_ns.push_back(static_cast<std::int64_t>(i) * 1'000'000);
    counter.values.push_back(cycles[i]);
  }
  capture.counters.push_back(std::move(counter));
  return capture;
}

TEST(Clock, FollowsEventsAndHoldsThroughPowerOff) {
  model::Capture capture;
  capture.clock = {
      {1'000'000, 0, {400e6}}, {2'000'000, 0, {0}}, {3'000'000, 0, {800e6}}, {1'500'000, 1, {5e6}}};
  const Clock clock = find_clock(capture, 0, nullptr, base::Hertz{1e9}, "profile");
  EXPECT_EQ(clock.confidence, 1);
  EXPECT_DOUBLE_EQ(clock.cycles(ms(0, 1))->value, 400e3);  // before the first event
  EXPECT_DOUBLE_EQ(clock.cycles(ms(1, 3))->value, 800e3);
  EXPECT_DOUBLE_EQ(clock.cycles(ms(2.5, 3.5))->value, 200e3 + 400e3);
  const auto summary = summarise(clock, ms(2, 4));
  EXPECT_DOUBLE_EQ(summary->mean_hz, 600e6);
  EXPECT_DOUBLE_EQ(*summary->percent_of_max, 60);
  EXPECT_EQ(summary->changes, 1);
  EXPECT_DOUBLE_EQ(summary->min_hz, 400e6);
  EXPECT_DOUBLE_EQ(summary->max_hz, 800e6);
}

TEST(Clock, ReadsOperatingPointsOffBusySamples) {
  std::vector<double> cycles(40, 637e3);
  for (std::size_t i = 20; i < 40; ++i) cycles[i] = 400e3;
  for (std::size_t i = 10; i < 15; ++i) cycles[i] = 0;
  const model::Capture capture = active_capture(cycles);
  const Clock clock = find_clock(capture, 0, &capture.counters[0], std::nullopt, "");
  EXPECT_GT(clock.confidence, 0.5);
  EXPECT_NEAR(summarise(clock, ms(1, 9))->mean_hz, 637e6, 1e6);
  EXPECT_NEAR(summarise(clock, ms(25, 39))->mean_hz, 400e6, 1e6);
  EXPECT_NEAR(clock.max->value, 637e6, 1e6);
}

TEST(Clock, GuessesLowWhenNeverBusyThroughout) {
  std::vector<double> cycles(40);
  for (std::size_t i = 0; i < cycles.size(); ++i) cycles[i] = (i % 2) * 300e3 + 10e3 * (i % 7);
  const model::Capture capture = active_capture(cycles);
  const Clock clock = find_clock(capture, 0, &capture.counters[0], std::nullopt, "");
  EXPECT_LT(clock.confidence, 0.5);
  EXPECT_TRUE(clock.known());
}

TEST(Clock, UnknownWithoutEvidence) {
  const Clock clock = find_clock({}, 0, nullptr, std::nullopt, "");
  EXPECT_FALSE(clock.known());
  EXPECT_EQ(clock.cycles(ms(0, 1)), std::nullopt);
  EXPECT_EQ(summarise(clock, ms(0, 1)), std::nullopt);
}

}  // namespace
}  // namespace tilebound::analyze
