#include "analyze/sampling.h"

#include <gtest/gtest.h>
#include <limits>

namespace tilebound::analyze {
namespace {

using base::Interval;

constexpr double kUnavailable = std::numeric_limits<double>::quiet_NaN();

/// A capture of one counter sampled every millisecond.
model::Capture capture_of(std::vector<std::int64_t> stamps_ms, const std::vector<double>& values,
                          model::CounterKind kind = model::CounterKind::count,
                          model::ValueDirection direction = model::ValueDirection::backwards) {
  model::Capture capture;
  for (std::int64_t& t : stamps_ms) t *= 1'000'000;
  capture.axes.push_back({std::move(stamps_ms), {}, direction});
  model::Counter counter;
  counter.name = "GPU active cycles";
  counter.kind = kind;
  counter.axis = 0;
  counter.values.append(values);
  capture.counters.push_back(std::move(counter));
  return capture;
}

Interval ms(std::int64_t begin, std::int64_t end) {
  return {{begin * 1'000'000}, {end * 1'000'000}};
}

std::vector<Integral> totals(const model::Capture& capture, std::vector<Interval> windows) {
  const auto covers = cover(capture.axes[0], sampling_of(capture.axes[0]), windows);
  return integrate(capture, capture.counters[0], covers);
}

TEST(Sampling, FirstBackwardsSampleHasNoBegin) {
  const auto capture = capture_of({0, 1, 2}, {100, 10, 20});
  const Sampling s = sampling_of(capture.axes[0]);
  EXPECT_EQ(s.samples, 3);
  EXPECT_EQ(s.intervals, 2);
  const auto sum = totals(capture, {ms(-5, 10)});
  EXPECT_EQ(sum[0].total, 30);
  EXPECT_EQ(sum[0].covered.value, 2'000'000);
}

TEST(Sampling, ForwardsSampleCoversWhatFollows) {
  const auto capture = capture_of({0, 1, 2}, {100, 10, 20}, model::CounterKind::count,
                                  model::ValueDirection::forwards);
  const auto sum = totals(capture, {ms(-5, 10)});
  EXPECT_EQ(sum[0].total, 110);
}

TEST(Sampling, WindowsCutSamplesByTime) {
  const auto capture = capture_of({0, 4, 8}, {0, 100, 200});
  const auto sum = totals(capture, {ms(1, 2), ms(2, 6)});
  EXPECT_DOUBLE_EQ(sum[0].total, 25);
  EXPECT_DOUBLE_EQ(sum[1].total, 50 + 100);
}

/// A law: whatever the cuts, windows that join give the whole.
TEST(Sampling, WindowsAddUp) {
  std::vector<std::int64_t> stamps;
  std::vector<double> values;
  for (int i = 0; i < 5000; ++i) {
    stamps.push_back(i * 2 + i % 2);
    values.push_back((i * 7919) % 1000);
  }
  const auto capture = capture_of(stamps, values);
  std::vector<Interval> windows;
  for (int at = 0; at < 9999;) {
    const int next = std::min(9999, at + 1 + at % 37);
    windows.push_back(ms(at, next));
    at = next;
  }
  const auto parts = totals(capture, windows);
  double sum = 0;
  for (const Integral& part : parts) sum += part.total;
  EXPECT_NEAR(sum, totals(capture, {ms(0, 9999)})[0].total, 1e-6);
}

TEST(Sampling, NothingIsSpreadOverAHole) {
  const auto capture = capture_of({0, 1, 2, 3, 10, 11}, {0, 5, 5, 5, 5, 5});
  const Sampling s = sampling_of(capture.axes[0]);
  EXPECT_EQ(s.holes, std::vector<std::size_t>{4});
  EXPECT_EQ(s.hole_ns, 7'000'000);
  const auto sum = totals(capture, {ms(0, 11), ms(11, 12)});
  EXPECT_EQ(sum[0].total, 20);
  EXPECT_EQ(sum[0].covered.value, 4'000'000);
  const auto inside = totals(capture, {ms(4, 9)});
  EXPECT_EQ(inside[0].covered.value, 0);
  EXPECT_EQ(inside[0].per_second(), std::nullopt);
}

TEST(Sampling, UnavailableIsNotZero) {
  const auto capture = capture_of({0, 1, 2, 3}, {0, 10, kUnavailable, 30});
  const auto sum = totals(capture, {ms(0, 3)});
  EXPECT_EQ(sum[0].total, 40);
  EXPECT_EQ(sum[0].unavailable, 1);
  EXPECT_EQ(sum[0].covered.value, 2'000'000);
}

TEST(Sampling, PercentagesAverageByTime) {
  const auto capture = capture_of({0, 1, 4}, {0, 100, 20}, model::CounterKind::percent);
  EXPECT_DOUBLE_EQ(*totals(capture, {ms(0, 4)})[0].per_second(), (100 * 1 + 20 * 3) / 4.0);
}

/// A producer that sends nothing while the GPU is off must not get its idle time filled with the
/// next value: 75,776 cycles belong to the one period before their stamp.
TEST(Sampling, DroppedZerosAreNotFilled) {
  std::vector<std::int64_t> stamps;
  for (int i = 0; i < 50; ++i) stamps.push_back(i);
  stamps.push_back(80);
  stamps.push_back(81);
  std::vector<double> values(stamps.size(), 0);
  values[50] = values[51] = 75776;
  const auto sum = totals(capture_of(stamps, values), {ms(49, 80), ms(80, 81)});
  EXPECT_EQ(sum[0].total, 0);
  EXPECT_EQ(sum[0].covered.value, 0);
  EXPECT_EQ(sum[1].total, 75776);
}

TEST(Sampling, EmptyAndSingle) {
  EXPECT_EQ(sampling_of({}).intervals, 0);
  EXPECT_EQ(totals(capture_of({5}, {1}), {ms(0, 10)})[0].covered.value, 0);
}

}  // namespace
}  // namespace tilebound::analyze
