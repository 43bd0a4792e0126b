#include "analyze/compare/pair.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyze/compare/spread.h"
#include "base/statistics.h"

namespace tilebound::analyze {

namespace {

constexpr std::size_t kResamples = 500;
/// Blocks are this many autocorrelation times long, so that what is left between them is small.
constexpr double kBlockTimes = 3;
/// A run needs this many blocks, or its spread says nothing.
constexpr std::size_t kLeastBlocks = 6;
/// Of the counters' autocorrelation times, the one that sets the block length.
constexpr double kTimeQuantile = 0.9;
/// How many degrees of freedom all counters together lend to the spread of one between runs.
constexpr double kPriorFreedom = 6;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double standard_error(std::span<const double> resamples) {
  std::vector<double> finite;
  for (const double v : resamples) {
    if (std::isfinite(v)) finite.push_back(v);
  }
  return base::standard_deviation(finite).value_or(0);
}

double mean_of(std::span<const double> series) {
  base::Sum sum;
  double n = 0;
  for (const double v : series) {
    if (std::isnan(v)) continue;
    sum.add(v);
    ++n;
  }
  return n > 0 ? sum.value() / n : kNaN;
}

std::size_t block_length(const Run& run) {
  std::vector<double> times;
  for (const RunCounter& counter : run.counters) {
    if (!counter.derived) times.push_back(autocorrelation_time(counter.per_frame));
  }
  const double time = base::quantile(times, kTimeQuantile).value_or(1);
  const auto windows = static_cast<double>(run.windows.size());
  const double most = std::max(1.0, std::floor(windows / static_cast<double>(kLeastBlocks)));
  // What a misplaced cut gives to one frame it takes from the next: blocks must be long enough for
  // that to cancel, too.
  const double least = std::sqrt(windows);
  const double wanted = std::max(std::ceil(kBlockTimes * (time - 1)) + 1, std::round(least));
  return static_cast<std::size_t>(std::clamp(wanted, 1.0, most));
}

/// Counters of one side as columns: mean over runs, then its resamples.
struct Side {
  Draw::Column columns;
  double freedom = 0;
  bool judged = true;
};

/// Widens resamples so that their spread is at least that between runs.
void count_runs(const std::vector<std::vector<double>>& run_means, Side& side, std::uint64_t seed) {
  const std::size_t runs = run_means.size();
  std::vector<double> relative(side.columns.size(), 0);
  std::vector<double> positive;
  const std::size_t counters = run_means.front().size();
  for (std::size_t c = 0; c < counters; ++c) {
    std::vector<double> means;
    for (const auto& run : run_means) means.push_back(run[c]);
    const double center = *base::mean(means);
    const double sd = base::standard_deviation(means).value_or(0);
    relative[c] = center == 0 ? 0 : std::abs(sd / center);
    if (relative[c] > 0) positive.push_back(relative[c]);
  }
  const double pooled = base::median(positive).value_or(0);
  const auto own = static_cast<double>(runs - 1);
  Random random(seed);
  std::size_t c = 0;
  for (auto& [key, column] : side.columns) {
    const double variance =
        (own * relative[c] * relative[c] + kPriorFreedom * pooled * pooled) / (own + kPriorFreedom);
    ++c;
    const std::span<double> resamples(column.data() + 1, column.size() - 1);
    const double within = standard_error(resamples);
    const double between = std::abs(column[0]) * std::sqrt(variance / static_cast<double>(runs));
    if (between <= within) continue;
    const double extra = std::sqrt(between * between - within * within);
    for (double& v : resamples) v += extra * random.normal();
  }
  side.freedom = std::min(side.freedom, own + kPriorFreedom);
}

Side make_side(std::span<const Run> runs, std::uint64_t seed) {
  Side side;
  std::vector<std::string> keys;
  for (const RunCounter& counter : runs.front().counters) {
    const bool everywhere = std::all_of(runs.begin(), runs.end(), [&](const Run& run) {
      const RunCounter* other = run.find(counter.key);
      return other != nullptr && !other->derived && !std::isnan(mean_of(other->per_frame));
    });
    if (!counter.derived && everywhere) keys.push_back(counter.key);
  }
  keys.emplace_back(kFrameKey);
  std::sort(keys.begin(), keys.end());
  for (const std::string& key : keys) side.columns[key].assign(kResamples + 1, 0);
  std::vector<std::vector<double>> run_means;
  const double weight = 1 / static_cast<double>(runs.size());
  for (const Run& run : runs) {
    const BlockBootstrap bootstrap(run.windows.size(), block_length(run), kResamples, seed++);
    side.judged = side.judged && bootstrap.blocks() >= kLeastBlocks;
    side.freedom += static_cast<double>(bootstrap.blocks() - 1);
    run_means.emplace_back();
    for (auto& [key, column] : side.columns) {
      const std::vector<double>& series =
          key == kFrameKey ? run.frame_ms : run.find(key)->per_frame;
      const double mean = mean_of(series);
      run_means.back().push_back(mean);
      column[0] += weight * mean;
      const std::vector<double> means = bootstrap.means(series);
      for (std::size_t r = 0; r < kResamples; ++r) column[r + 1] += weight * means[r];
    }
  }
  if (runs.size() > 1) count_runs(run_means, side, seed);
  return side;
}

double worst_rate(std::span<const Run> runs) {
  double worst = 0;
  for (const Run& run : runs) worst = std::max(worst, run.fps_uncertainty);
  return worst;
}

}  // namespace

bool Change::equal(double most) const {
  if (!known) return false;
  if (a == 0) return b == 0;
  return !significant || std::abs(b / a - 1) <= most;
}

Pair::Pair(std::span<const Run> a, std::span<const Run> b, std::uint64_t seed)
    : a_(a), b_(b), rows_(kResamples + 1) {
  Side first = make_side(a, seed);
  Side second = make_side(b, seed + 0x10000);
  judged_ = first.judged && second.judged;
  columns_a_ = std::move(first.columns);
  columns_b_ = std::move(second.columns);
  for (const auto& [key, column] : columns_a_) {
    if (columns_b_.contains(key)) ++judged_counters_;
  }
  const double freedom = std::max(1.0, std::min(first.freedom, second.freedom));
  critical_ = student_t(kFamilyError / static_cast<double>(judged_counters_), freedom);
  interval_ = student_t(0.05, freedom);
  rate_uncertainty_ = worst_rate(a) + worst_rate(b);
}

bool Pair::has(std::string_view key) const {
  return columns_a_.contains(key) && columns_b_.contains(key);
}

Estimate Pair::estimate(const std::function<double(const Draw&)>& f) const {
  Estimate out;
  out.value = f(point());
  std::vector<double> values;
  for (std::size_t i = 1; i < rows_; ++i) values.push_back(f(row(i)));
  out.error = standard_error(values);
  out.low = out.value - interval_ * out.error;
  out.high = out.value + interval_ * out.error;
  return out;
}

Change Pair::change_of(const Quantity& quantity, bool scaled) const {
  Change out;
  out.a = quantity(point(), true);
  out.b = quantity(point(), false);
  out.known = std::isfinite(out.a) && std::isfinite(out.b);
  if (!out.known) return out;
  if (out.a == 0) {
    const Estimate b = estimate([&](const Draw& d) { return quantity(d, false); });
    out.significant = judged_ && out.b > critical_ * b.error && out.b != 0;
    return out;
  }
  out.ratio = estimate([&](const Draw& d) { return quantity(d, false) / quantity(d, true); });
  const double moved = std::abs(out.ratio->value - 1);
  const double bound = critical_ * out.ratio->error + (scaled ? rate_uncertainty_ : 0);
  out.significant = judged_ && moved > std::max(bound, kLeastChange);
  return out;
}

Change Pair::change(std::string_view key) const {
  if (!has(key)) return {};
  return change_of([key](const Draw& d, bool of_a) { return of_a ? d.a(key) : d.b(key); }, true);
}

Change Pair::share(std::string_view numerator, std::string_view denominator) const {
  if (!has(numerator) || !has(denominator)) return {};
  return change_of(
      [=](const Draw& d, bool of_a) {
        return of_a ? d.a(numerator) / d.a(denominator) : d.b(numerator) / d.b(denominator);
      },
      false);
}

}  // namespace tilebound::analyze
