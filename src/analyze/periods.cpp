#include "analyze/periods.h"

#include <algorithm>
#include <cmath>

#include "base/statistics.h"

namespace tilebound::analyze {

namespace {

constexpr std::size_t kFewestSamples = 16;
constexpr std::size_t kLongestLag = 800;  // grid points
/// The autocorrelation is taken over this many stretches, so that its cost has a bound.
constexpr std::size_t kStretches = 8;
constexpr std::size_t kStretchLength = 4096;
constexpr double kLeastCorrelation = 0.15;

/// Counters on a uniform grid of GPU-active cycles, each with mean 0 and variance 1.
struct Grid {
  double step = 0;
  std::size_t points = 0;
  std::vector<std::vector<double>> rows;
};

void add_row(const FrameSignals& s, const std::vector<double>& amounts, Grid& grid) {
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
  if (!deviation || *deviation <= 1e-9 * std::abs(*mean)) return;
  for (double& v : row) v = (v - *mean) / *deviation;
  grid.rows.push_back(std::move(row));
}

Grid make_grid(const FrameSignals& s) {
  Grid grid;
  std::vector<double> cycles;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s.busy[i] > 0.5) cycles.push_back(s.amount[i]);
  }
  grid.step = base::median(cycles).value_or(0);
  if (grid.step <= 0 || s.position.back() / grid.step > 1e7) return grid;
  grid.points = static_cast<std::size_t>(s.position.back() / grid.step);
  const auto as_amount = [&s](const std::vector<double>& share) {
    std::vector<double> out(share.size());
    for (std::size_t i = 0; i < share.size(); ++i) out[i] = share[i] * s.amount[i];
    return out;
  };
  if (s.has_geometry) add_row(s, as_amount(s.geometry), grid);
  if (s.has_fragment) add_row(s, as_amount(s.fragment), grid);
  for (const auto& work : s.work) add_row(s, work, grid);
  return grid;
}

std::vector<double> autocorrelation(const Grid& grid) {
  const std::size_t lags = std::min(kLongestLag, grid.points / 3);
  std::vector<double> sum(lags, 0);
  std::vector<double> pairs(lags, 0);
  const std::size_t length = std::min(kStretchLength, grid.points);
  const std::size_t stretches = std::min(kStretches, grid.points / length);
  for (std::size_t k = 0; k < stretches; ++k) {
    const std::size_t begin = k * (grid.points - length) / std::max<std::size_t>(1, stretches - 1);
    for (const auto& row : grid.rows) {
      for (std::size_t lag = 0; lag < lags; ++lag) {
        const std::size_t end = std::min(begin + length, grid.points - lag);
        double total = 0;
        for (std::size_t i = begin; i < end; ++i) total += row[i] * row[i + lag];
        sum[lag] += total;
        pairs[lag] += static_cast<double>(end > begin ? end - begin : 0);
      }
    }
    if (stretches == 1) break;
  }
  for (std::size_t lag = 0; lag < lags; ++lag) {
    if (pairs[lag] > 0) sum[lag] /= pairs[lag];
  }
  const double zero = lags > 0 && sum[0] > 0 ? sum[0] : 1;
  for (double& v : sum) v /= zero;
  return sum;
}

}  // namespace

std::vector<PeriodCandidate> find_periods(const FrameSignals& signals) {
  std::vector<PeriodCandidate> out;
  if (signals.size() < kFewestSamples) return out;
  const Grid grid = make_grid(signals);
  if (grid.rows.empty()) return out;
  const std::vector<double> r = autocorrelation(grid);
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
