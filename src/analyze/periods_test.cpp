#include "analyze/periods.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace tilebound::analyze {
namespace {

constexpr double kCycles = 1e6;  // a sample

/// Samples of a millisecond of a GPU that is always busy, with two counters.
FrameSignals busy_signals(const std::vector<double>& first, const std::vector<double>& second) {
  FrameSignals s;
  s.period_ns = 1e6;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto begin = static_cast<std::int64_t>(i) * 1'000'000;
    s.interval.push_back({{begin}, {begin + 1'000'000}});
    s.busy.push_back(1);
    s.amount.push_back(kCycles);
    s.position.push_back(kCycles * static_cast<double>(i + 1));
  }
  s.work = {first, second};
  return s;
}

std::vector<double> noise(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> out(n);
  for (double& v : out) v = normal(random);
  return out;
}

/// Work that begins every `period` samples and takes the first `length` of them.
std::vector<double> pulses(std::size_t period, std::size_t length) {
  std::vector<double> out(period, 0);
  std::fill_n(out.begin(), length, 1);
  return out;
}

std::vector<double> repeated(const std::vector<double>& pattern, std::size_t n) {
  std::vector<double> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = pattern[i % pattern.size()];
  return out;
}

TEST(Periods, LongPatternIsFound) {
  const std::size_t period = 1500;
  const auto s = busy_signals(repeated(noise(period, 1), 5 * period), noise(5 * period, 2));
  const auto found = find_periods(s).candidates;
  ASSERT_FALSE(found.empty());
  EXPECT_NEAR(found.front().cycles, static_cast<double>(period) * kCycles, 0.5 * kCycles);
  // One of two counters repeats.
  EXPECT_NEAR(found.front().score, 0.5, 0.05);
}

TEST(Periods, ScoreIsTheMeanCorrelationOfTheCounters) {
  const std::size_t n = 400;
  std::vector<double> a = repeated(noise(20, 3), n);
  const std::vector<double> b = repeated(noise(10, 4), n);
  const std::vector<double> extra = noise(n, 5);
  for (std::size_t i = 0; i < n; ++i) a[i] += extra[i];
  const auto found = find_periods(busy_signals(a, b)).candidates;

  const auto correlation = [](const std::vector<double>& v, std::size_t lag) {
    double mean = 0;
    for (const double x : v) mean += x / static_cast<double>(n);
    double zero = 0;
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) zero += (v[i] - mean) * (v[i] - mean);
    for (std::size_t i = 0; i + lag < n; ++i) sum += (v[i] - mean) * (v[i + lag] - mean);
    return sum / static_cast<double>(n - lag) / (zero / static_cast<double>(n));
  };
  const auto both = [&](std::size_t lag) {
    return 0.5 * (correlation(a, lag) + correlation(b, lag));
  };
  ASSERT_FALSE(found.empty());
  for (const PeriodCandidate& candidate : found) {
    const auto lag = static_cast<std::size_t>(std::lround(candidate.cycles / kCycles));
    const double peak = both(lag - 1) + both(lag) + both(lag + 1);
    EXPECT_NEAR(candidate.score, peak / (1 + 2 * std::max(0.0, both(1))), 1e-9) << lag;
  }
}

TEST(Periods, BurstsBetweenTwoLagsAreNotTakenForTheirMultiple) {
  // A burst shorter than a sample every 8.6 samples.
  std::vector<double> bursts(600, 0);
  for (double at = 3; at < 600; at += 8.6) bursts[static_cast<std::size_t>(at)] += 1;
  const auto found = find_periods(busy_signals(bursts, bursts)).candidates;
  const auto score_near = [&](double lag) {
    for (const PeriodCandidate& c : found) {
      if (std::abs(c.cycles / kCycles - lag) < 0.7) return c.score;
    }
    return 0.0;
  };
  EXPECT_GT(score_near(8.6), 0.9 * score_near(17.2));
}

TEST(Scenes, OnePeriodIsOne) {
  const auto s = busy_signals(repeated(noise(17, 6), 800), repeated(noise(17, 7), 800));
  EXPECT_TRUE(find_periods(s).scenes.empty());
}

TEST(Scenes, ChangeLiesWhereBothMeet) {
  std::vector<double> first = repeated(pulses(17, 3), 3000);
  std::vector<double> second = repeated(pulses(17, 6), 3000);
  const std::vector<double> after = repeated(pulses(11, 3), 3000);
  std::copy(after.begin() + 1500, after.end(), first.begin() + 1500);
  std::copy(after.begin() + 1500, after.end(), second.begin() + 1500);
  const auto scenes = find_periods(busy_signals(first, second)).scenes;
  ASSERT_EQ(scenes.size(), 2U);
  EXPECT_NEAR(scenes[0].cycles / kCycles, 17, 0.3);
  EXPECT_NEAR(scenes[1].cycles / kCycles, 11, 0.3);
  EXPECT_EQ(scenes[0].begin, 0);
  EXPECT_LT(scenes[1].begin, 1500 * kCycles);
  EXPECT_GT(scenes[0].end, 1500 * kCycles);
  EXPECT_EQ(scenes[1].end, 3000 * kCycles);
}

TEST(Periods, ConstantCountersHaveNone) {
  const std::vector<double> constant(200, 3.0);
  EXPECT_TRUE(find_periods(busy_signals(constant, constant)).candidates.empty());
}

TEST(Periods, TooFewSamplesHaveNone) {
  const auto few = repeated({0, 1}, 10);
  EXPECT_TRUE(find_periods(busy_signals(few, few)).candidates.empty());
}

}  // namespace
}  // namespace tilebound::analyze
