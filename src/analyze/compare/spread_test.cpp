#include "analyze/compare/spread.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

#include "base/statistics.h"

namespace tilebound::analyze {
namespace {

std::vector<double> autoregressive(std::size_t n, double memory, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> out(n);
  double level = 0;
  for (double& v : out) {
    level = memory * level + random.normal();
    v = level;
  }
  return out;
}

/// Quantiles of Student's t as every table prints them.
TEST(Spread, StudentT) {
  EXPECT_NEAR(student_t(0.05, 1), 12.7062, 1e-3);
  EXPECT_NEAR(student_t(0.05, 2), 4.3027, 1e-3);
  EXPECT_NEAR(student_t(0.05, 10), 2.2281, 1e-3);
  EXPECT_NEAR(student_t(0.001, 10), 4.5869, 1e-3);
  EXPECT_NEAR(student_t(0.05, 100), 1.9840, 1e-3);
  EXPECT_NEAR(student_t(0.0001, 20), 4.8371, 5e-2);
  EXPECT_NEAR(student_t(0.5, 30), 0.6828, 1e-3);
}

TEST(Spread, AutocorrelationTimeOfIndependentValuesIsOne) {
  EXPECT_NEAR(autocorrelation_time(autoregressive(4000, 0, 1)), 1, 0.3);
}

/// An AR(1) series of coefficient r has (1 + r) / (1 - r).
TEST(Spread, AutocorrelationTimeOfAMemory) {
  EXPECT_NEAR(autocorrelation_time(autoregressive(20000, 0.8, 2)), 9, 2);
}

TEST(Spread, ConstantSeriesHaveNone) {
  EXPECT_EQ(autocorrelation_time(std::vector<double>(100, 3.0)), 1);
  const BlockBootstrap bootstrap(100, 10, 50, 1);
  for (const double mean : bootstrap.means(std::vector<double>(100, 3.0))) EXPECT_EQ(mean, 3);
}

/// The spread of the resamples' means is that of the mean: sd / sqrt(n) without memory, and
/// sqrt(tau) times that with it, which blocks of one value miss.
TEST(Spread, BlocksKeepTheMemory) {
  const std::size_t n = 5000;
  const auto spread = [&](const std::vector<double>& series, std::size_t block) {
    return *base::standard_deviation(BlockBootstrap(n, block, 400, 7).means(series));
  };
  const auto independent = autoregressive(n, 0, 3);
  const double expected = *base::standard_deviation(independent) / std::sqrt(double{n});
  EXPECT_NEAR(spread(independent, 1) / expected, 1, 0.12);
  EXPECT_NEAR(spread(independent, 50) / expected, 1, 0.25);
  const auto memory = autoregressive(n, 0.8, 4);
  const double naive = *base::standard_deviation(memory) / std::sqrt(double{n});
  EXPECT_NEAR(spread(memory, 100) / naive, 3, 0.75);
  EXPECT_NEAR(spread(memory, 1) / naive, 1, 0.12);
}

TEST(Spread, TheSameSeedGivesTheSameResamples) {
  const auto series = autoregressive(60, 0, 5);
  EXPECT_EQ(BlockBootstrap(60, 5, 30, 9).means(series), BlockBootstrap(60, 5, 30, 9).means(series));
  EXPECT_NE(BlockBootstrap(60, 5, 30, 9).means(series), BlockBootstrap(60, 5, 30, 8).means(series));
}

TEST(Spread, UnavailableValuesAreLeftOut) {
  std::vector<double> series(40, 2.0);
  for (std::size_t i = 0; i < series.size(); i += 3) series[i] = std::nan("");
  for (const double mean : BlockBootstrap(40, 4, 30, 1).means(series)) EXPECT_EQ(mean, 2);
}

}  // namespace
}  // namespace tilebound::analyze
