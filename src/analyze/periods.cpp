#include "analyze/periods.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <kissfft/kissfft.hh>
#include <span>

#include "base/statistics.h"

namespace tilebound::analyze {

namespace {

constexpr std::size_t kFewestSamples = 16;
/// The pattern is sought in the first so many samples, which bounds memory to some 150 MB.
constexpr std::size_t kMostPoints = std::size_t{1} << 19;
/// Lags up to this share of the capture, so that a pattern is seen three times.
constexpr std::size_t kFewestRepeats = 3;
constexpr double kLeastCorrelation = 0.15;
/// Scenes are sought in stretches of so many of the shortest period that shows at all, that is with
/// this share of the best correlation.
constexpr double kStretchPeriods = 24;
constexpr std::size_t kShortestStretch = 96;  // points
constexpr double kShowsAtAll = 0.3;
constexpr double kShowsAsWell = 0.6;
/// Periods that differ by less belong to one scene.
constexpr double kAlike = 0.12;

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

/// A counter on the grid.
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
  return row;
}

/// Points of a row with mean 0 and variance 1; empty when they do not vary.
std::vector<double> standardized(std::span<const double> row) {
  std::vector<double> out(row.begin(), row.end());
  const auto mean = base::mean(out);
  const auto deviation = base::standard_deviation(out);
  if (!deviation || *deviation <= 1e-9 * std::abs(*mean)) return {};
  for (double& v : out) v = (v - *mean) / *deviation;
  return out;
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

/// Every counter that shows frames, on the grid.
std::vector<std::vector<double>> rows_on(const FrameSignals& s, const Grid& grid) {
  std::vector<std::vector<double>> rows;
  if (s.has_geometry) rows.push_back(on_grid(s, as_amount(s, s.geometry), grid));
  if (s.has_fragment) rows.push_back(on_grid(s, as_amount(s, s.fragment), grid));
  for (const auto& work : s.work) rows.push_back(on_grid(s, work, grid));
  return rows;
}

/// Autocorrelation of points [first, last) of all rows together.
std::vector<double> correlation(const std::vector<std::vector<double>>& rows, std::size_t first,
                                std::size_t last) {
  Autocorrelation sum(last - first, (last - first) / kFewestRepeats);
  for (const auto& row : rows) {
    sum.add(standardized(std::span(row).subspan(first, last - first)));
  }
  return sum.finish();
}

/// Local maxima, best first; lags in points. What is shorter than a point correlates with two lags
/// when its period lies between them, so a peak counts with its neighbours, relative to that at lag
/// 0.
std::vector<PeriodCandidate> peaks(const std::vector<double>& r) {
  std::vector<PeriodCandidate> out;
  if (r.size() < 3) return out;
  const double zero = 1 + 2 * std::max(0.0, r[1]);
  for (std::size_t lag = 2; lag + 1 < r.size(); ++lag) {
    if (r[lag] < kLeastCorrelation || r[lag] < r[lag - 1] || r[lag] < r[lag + 1]) continue;
    // The peak of the parabola through the three points.
    const double curve = r[lag - 1] - 2 * r[lag] + r[lag + 1];
    const double shift = curve < 0 ? 0.5 * (r[lag - 1] - r[lag + 1]) / curve : 0;
    const double score = (r[lag - 1] + r[lag] + r[lag + 1]) / zero;
    out.push_back({static_cast<double>(lag) + shift, score});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  return out;
}

bool alike(double a, double b) {
  return std::abs(a / b - 1) < kAlike;
}

/// Consecutive stretches [first, last) with one period.
struct Run {
  std::size_t first = 0;
  std::size_t last = 0;
  double lag = 0;  // points
  double score = 0;
};

/// The lag that most others are like.
double usual_lag(const std::vector<PeriodCandidate>& stretches) {
  double usual = 0;
  std::ptrdiff_t most = 0;
  for (const PeriodCandidate& one : stretches) {
    if (one.cycles <= 0) continue;
    const auto count = std::count_if(
        stretches.begin(), stretches.end(),
        [&](const PeriodCandidate& other) { return alike(other.cycles, one.cycles); });
    if (count <= most) continue;
    most = count;
    usual = one.cycles;
  }
  return usual;
}

/// The period of each stretch; 0 where none shows. Stretches are `length` points long and half
/// overlap.
std::vector<PeriodCandidate> stretch_periods(const std::vector<std::vector<double>>& rows,
                                             std::size_t length) {
  std::vector<std::vector<PeriodCandidate>> all;
  std::vector<PeriodCandidate> out;
  for (std::size_t begin = 0; begin + length <= rows.front().size(); begin += length / 2) {
    all.push_back(peaks(correlation(rows, begin, begin + length)));
    out.push_back(shortest(all.back()).value_or(PeriodCandidate()));
  }
  // A multiple of what most stretches have is that, where it shows as well.
  const double usual = usual_lag(out);
  for (std::size_t k = 0; k < out.size() && usual > 0; ++k) {
    const double times = std::round(out[k].cycles / usual);
    if (times < 2 || !alike(out[k].cycles, times * usual)) continue;
    for (const PeriodCandidate& peak : all[k]) {
      if (alike(peak.cycles, usual) && peak.score > kShowsAsWell * out[k].score) out[k] = peak;
    }
  }
  return out;
}

std::vector<Run> runs_of(const std::vector<PeriodCandidate>& stretches) {
  std::vector<Run> out;
  for (std::size_t k = 0; k < stretches.size(); ++k) {
    const PeriodCandidate& one = stretches[k];
    if (one.cycles <= 0) continue;
    if (!out.empty() && out.back().last == k && alike(one.cycles, out.back().lag)) {
      out.back().last = k + 1;
      out.back().score = std::min(out.back().score, one.score);
    } else {
      out.push_back({k, k + 1, one.cycles, one.score});
    }
  }
  return out;
}

/// Runs of more than a stretch, which alone may hold a change or a hitch; those of one period
/// become one.
std::vector<Run> joined(const std::vector<Run>& runs) {
  std::vector<Run> out;
  for (const Run& run : runs) {
    if (run.last - run.first < 2) continue;
    if (!out.empty() && alike(run.lag, out.back().lag)) {
      out.back().last = run.last;
      out.back().score = std::min(out.back().score, run.score);
    } else {
      out.push_back(run);
    }
  }
  return out;
}

/// `candidates` are those of the whole capture, lags in points, as are the scenes.
std::vector<Scene> scenes_of(const std::vector<std::vector<double>>& rows,
                             const std::vector<PeriodCandidate>& candidates) {
  const auto period = shortest(candidates, kShowsAtAll);
  if (!period) return {};
  const auto length = static_cast<std::size_t>(std::max(
      static_cast<double>(kShortestStretch), std::round(kStretchPeriods * period->cycles)));
  const std::vector<Run> runs = joined(runs_of(stretch_periods(rows, length)));
  if (runs.size() < 2) return {};
  std::vector<Scene> out;
  const std::size_t hop = length / 2;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    // The change lies between the last stretch of the one scene and the first of the other.
    const std::size_t begin = i == 0 ? 0 : (runs[i - 1].last - 1) * hop;
    const std::size_t end =
        i + 1 == runs.size() ? rows.front().size() : runs[i + 1].first * hop + length;
    out.push_back(
        {static_cast<double>(begin), static_cast<double>(end), runs[i].lag, runs[i].score});
  }
  return out;
}

}  // namespace

std::optional<PeriodCandidate> shortest(const std::vector<PeriodCandidate>& candidates,
                                        double share) {
  std::optional<PeriodCandidate> out;
  for (const PeriodCandidate& candidate : candidates) {
    if (candidate.score < share * candidates.front().score) break;
    if (!out || candidate.cycles < out->cycles) out = candidate;
  }
  return out;
}

Periods find_periods(const FrameSignals& signals) {
  if (signals.size() < kFewestSamples) return {};
  const Grid grid = make_grid(signals);
  if (grid.points < kFewestSamples) return {};
  const std::vector<std::vector<double>> rows = rows_on(signals, grid);
  Periods out;
  out.candidates = peaks(correlation(rows, 0, grid.points));
  out.scenes = scenes_of(rows, out.candidates);
  for (PeriodCandidate& candidate : out.candidates) candidate.cycles *= grid.step;
  for (Scene& scene : out.scenes) {
    scene.begin *= grid.step;
    scene.end *= grid.step;
    scene.cycles *= grid.step;
  }
  if (!out.scenes.empty()) out.scenes.back().end = signals.position.back();
  return out;
}

}  // namespace tilebound::analyze
