#include "analyze/compare/spread.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/statistics.h"

namespace tilebound::analyze {

namespace {

/// Lags beyond this share of a series have too few pairs to say anything.
constexpr std::size_t kLagShare = 4;

}  // namespace

double autocorrelation_time(std::span<const double> series) {
  std::vector<double> values;
  for (const double v : series) {
    if (!std::isnan(v)) values.push_back(v);
  }
  const std::size_t n = values.size();
  const auto center = base::mean(values);
  if (n < 8 || !center) return 1;
  double variance = 0;
  for (double& v : values) {
    v -= *center;
    variance += v * v;
  }
  if (variance <= 0) return 1;
  const double noise = 2 / std::sqrt(static_cast<double>(n));
  double tau = 1;
  for (std::size_t lag = 1; lag <= n / kLagShare; ++lag) {
    double sum = 0;
    for (std::size_t i = lag; i < n; ++i) sum += values[i] * values[i - lag];
    const double correlation = sum / variance;
    if (correlation < noise) break;
    tau += 2 * correlation;
  }
  return tau;
}

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

double Random::uniform() {
  return static_cast<double>(next() >> 11U) * 0x1.0p-53;
}

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

BlockBootstrap::BlockBootstrap(std::size_t length, std::size_t block, std::size_t resamples,
                               std::uint64_t seed)
    : length_(length),
      block_(std::clamp<std::size_t>(block, 1, std::max<std::size_t>(length, 1))),
      blocks_((length + block_ - 1) / block_),
      resamples_(resamples) {
  Random random(seed);
  starts_.reserve(resamples_ * blocks_);
  for (std::size_t i = 0; i < resamples_ * blocks_; ++i) {
    starts_.push_back(static_cast<std::uint32_t>(random.next() % std::max<std::size_t>(length, 1)));
  }
}

std::vector<double> BlockBootstrap::means(std::span<const double> series) const {
  // Sums over blocks by running sums of the series, written twice so that blocks wrap around.
  std::vector<double> sum(2 * length_ + 1, 0);
  std::vector<double> count(2 * length_ + 1, 0);
  for (std::size_t i = 0; i < 2 * length_; ++i) {
    const double v = series[i % length_];
    const bool known = !std::isnan(v);
    sum[i + 1] = sum[i] + (known ? v : 0);
    count[i + 1] = count[i] + (known ? 1 : 0);
  }
  std::vector<double> out(resamples_);
  for (std::size_t r = 0; r < resamples_; ++r) {
    double total = 0;
    double n = 0;
    for (std::size_t b = 0; b < blocks_; ++b) {
      const std::size_t start = starts_[r * blocks_ + b];
      total += sum[start + block_] - sum[start];
      n += count[start + block_] - count[start];
    }
    out[r] = n > 0 ? total / n : std::nan("");
  }
  return out;
}

double student_t(double p, double df) {
  if (df < 2) return std::tan((1 - p) * std::numbers::pi / 2);
  if (df < 2.5) return std::sqrt(2 / (p * (2 - p)) - 2);
  const double a = 1 / (df - 0.5);
  const double b = 48 / (a * a);
  double c = ((20700 * a / b - 98) * a - 16) * a + 96.36;
  const double d = ((94.5 / (b + c) - 3) / b + 1) * std::sqrt(a * std::numbers::pi / 2) * df;
  double y = std::pow(d * p, 2 / df);
  if (y <= 0.05 + a) {
    y = ((1 / (((df + 6) / (df * y) - 0.089 * d - 0.822) * (df + 2) * 3) + 0.5 / (df + 4)) * y -
         1) *
            (df + 1) / (df + 2) +
        1 / y;
    return std::sqrt(df * y);
  }
  // Near the middle: an expansion about the normal quantile, found by halving.
  double low = 0;
  double high = 40;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::numbers::sqrt2) > p ? low : high) = middle;
  }
  const double x = low;
  y = x * x;
  if (df < 5) c += 0.3 * (df - 4.5) * (x + 0.6);
  c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c;
  y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
  y = std::expm1(a * y * y);
  return std::sqrt(df * y);
}

}  // namespace tilebound::analyze
