#include "analyze/periods.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <kissfft/kissfft.hh>

#include "base/statistics.h"

namespace tilebound::analyze {

namespace {

constexpr std::size_t kFewestSamples = 16;
/// The pattern is sought in the first so many samples, which bounds memory to some 100 MB.
constexpr std::size_t kMostPoints = std::size_t{1} << 20;
/// Lags up to this share of the capture, so that a pattern is seen three times.
constexpr std::size_t kFewestRepeats = 3;
constexpr double kLeastCorrelation = 0.15;

using Complex = std::complex<double>;

/// A uniform grid of GPU-active cycles.
struct Grid {
  double step = 0;  // cycles
  std::size_t points = 0;
};

Grid make_grid(const FrameSignals& s) {
  std::vector<double> cycles;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s.busy[i] > 0.5) cycles.push_back(s.amount[i]);
  }
  Grid grid;
  grid.step = base::median(cycles).value_or(0);
  if (grid.step <= 0) return grid;
  const double points = s.position.back() / grid.step;
  grid.points = static_cast<std::size_t>(std::min(points, static_cast<double>(kMostPoints)));
  return grid;
}

/// A counter on the grid with mean 0 and variance 1; empty when it does not vary.
std::vector<double> on_grid(const FrameSignals& s, const std::vector<double>& amounts,
                            const Grid& grid) {
  std::vector<double> row(grid.points, 0);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const double end = s.position[i];
    const double length = s.amount[i];
    if (length <= 0) continue;
    // Spread the sample's amount over the grid cells that it covers.
    for (double at = end - length; at < end;) {
      const auto cell = static_cast<std::size_t>(at / grid.step);
      if (cell >= grid.points) break;
      const double until = std::min(end, static_cast<double>(cell + 1) * grid.step);
      if (until <= at) break;
      row[cell] += amounts[i] * (until - at) / length;
      at = until;
    }
  }
  const auto mean = base::mean(row);
  const auto deviation = base::standard_deviation(row);
  if (!deviation || *deviation <= 1e-9 * std::abs(*mean)) return {};
  for (double& v : row) v = (v - *mean) / *deviation;
  return row;
}

/// Counters as shares of time become amounts of cycles.
std::vector<double> as_amount(const FrameSignals& s, const std::vector<double>& share) {
  std::vector<double> out(share.size());
  for (std::size_t i = 0; i < share.size(); ++i) out[i] = share[i] * s.amount[i];
  return out;
}

/// Sum of the autocorrelations of several rows, by the Wiener-Khinchin theorem. Two rows go into
/// one transform as real and imaginary part: the real part of its autocorrelation is the sum of
/// both.
class Autocorrelation {
 public:
  Autocorrelation(std::size_t points, std::size_t lags)
      : points_(points),
        lags_(lags),
        size_(std::bit_ceil(points + lags)),
        transform_(size_, false),
        pair_(size_),
        spectrum_(size_),
        power_(size_, 0) {}

  void add(const std::vector<double>& row) {
    if (row.empty()) return;
    for (std::size_t i = 0; i < row.size(); ++i) {
      pair_[i] = half_filled_ ? Complex(pair_[i].real(), row[i]) : Complex(row[i], 0);
    }
    if (half_filled_) add_power();
    half_filled_ = !half_filled_;
  }

  /// Correlation for each lag from 0; 1 at lag 0. Empty when there was no row.
  std::vector<double> finish() {
    if (half_filled_) add_power();
    // The real part of a transform of real values is the same forward and back.
    std::copy(power_.begin(), power_.end(), pair_.begin());
    transform_.transform(pair_.data(), spectrum_.data());
    std::vector<double> out;
    const double zero = spectrum_[0].real() / static_cast<double>(points_);
    if (!(zero > 0)) return out;
    for (std::size_t lag = 0; lag < lags_; ++lag) {
      out.push_back(spectrum_[lag].real() / static_cast<double>(points_ - lag) / zero);
    }
    return out;
  }

 private:
  void add_power() {
    transform_.transform(pair_.data(), spectrum_.data());
    for (std::size_t k = 0; k < size_; ++k) power_[k] += std::norm(spectrum_[k]);
  }

  std::size_t points_;
  std::size_t lags_;
  std::size_t size_;
  kissfft<double> transform_;
  std::vector<Complex> pair_;  // behind the points stays 0, so that the end does not meet the begin
  std::vector<Complex> spectrum_;
  std::vector<double> power_;
  bool half_filled_ = false;
};

}  // namespace

std::vector<PeriodCandidate> find_periods(const FrameSignals& signals) {
  std::vector<PeriodCandidate> out;
  if (signals.size() < kFewestSamples) return out;
  const Grid grid = make_grid(signals);
  if (grid.points < kFewestSamples) return out;
  Autocorrelation correlation(grid.points, grid.points / kFewestRepeats);
  const auto add = [&](const std::vector<double>& amounts) {
    correlation.add(on_grid(signals, amounts, grid));
  };
  if (signals.has_geometry) add(as_amount(signals, signals.geometry));
  if (signals.has_fragment) add(as_amount(signals, signals.fragment));
  for (const auto& work : signals.work) add(work);
  const std::vector<double> r = correlation.finish();
  for (std::size_t lag = 2; lag + 1 < r.size(); ++lag) {
    if (r[lag] < kLeastCorrelation || r[lag] < r[lag - 1] || r[lag] < r[lag + 1]) continue;
    // The peak of the parabola through the three points.
    const double curve = r[lag - 1] - 2 * r[lag] + r[lag + 1];
    const double shift = curve < 0 ? 0.5 * (r[lag - 1] - r[lag + 1]) / curve : 0;
    out.push_back({(static_cast<double>(lag) + shift) * grid.step, r[lag]});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  return out;
}

}  // namespace tilebound::analyze
