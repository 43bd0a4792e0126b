#include "analyze/critical.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tilebound::analyze {

namespace {

constexpr std::size_t kNone = SIZE_MAX;
constexpr const char* kFragmentUnits[] = {"tile_setup", "early_zs", "late_zs", "varying",
                                          "tile_write", "crop",     "zrop"};
constexpr const char* kGeometryUnits[] = {"front_end",      "vertex", "tiler",
                                          "primitive_cull", "ia",     "vaf"};
/// Counts time with a warp resident, waiting included (limiter.cpp), so what is near it goes first.
constexpr const char* kResidentUnit = "shader_core";
/// A share of the busy time below this is not worth a name.
constexpr double kLeastShare = 0.5;
/// Where the closest unit is far from its peak, others are near it in points without being like it.
constexpr double kLeastOfTop = 0.7;

Queue other_than(Queue queue) {
  return queue == Queue::fragment ? Queue::non_fragment : Queue::fragment;
}

bool queues_known(const UnitSeries& series) {
  return !series.fragment.empty() && !series.non_fragment.empty();
}

bool one_of(const std::string& id, std::span<const char* const> list) {
  return std::any_of(list.begin(), list.end(), [&](const char* other) { return id == other; });
}

double load_of(const UnitSeries& series, std::size_t unit, std::size_t sample) {
  const double value = series.percent[unit][sample];
  return std::isnan(value) ? 0 : value;
}

/// The unit closest to its peak of those that serve `queue`; of all where queues are not recorded,
/// since nothing tells then whose work a unit does.
std::size_t top_unit(const UnitSeries& series, std::size_t sample, Queue queue) {
  const bool known = queues_known(series);
  std::size_t top = kNone;
  std::size_t resident = kNone;
  double most = 0;
  for (std::size_t u = 0; u < series.units.size(); ++u) {
    if (known && !serves(series.units[u], queue)) continue;
    if (series.units[u] == kResidentUnit) {
      resident = u;
    } else if (load_of(series, u, sample) > most) {
      most = load_of(series, u, sample);
      top = u;
    }
  }
  if (resident == kNone || load_of(series, resident, sample) <= 0) return top;
  const bool alone = top == kNone || load_of(series, resident, sample) > most + kClusterPoints;
  return alone ? resident : top;
}

/// Samples that overlap a window, and the share of each inside.
struct Slice {
  std::size_t first = 0;
  std::size_t last = 0;
};

Slice slice_of(const UnitSeries& series, base::Interval window) {
  const auto first = std::partition_point(series.interval.begin(), series.interval.end(),
                                          [&](const auto& i) { return i.end <= window.begin; });
  const auto last = std::partition_point(first, series.interval.end(),
                                         [&](const auto& i) { return i.begin < window.end; });
  return {static_cast<std::size_t>(first - series.interval.begin()),
          static_cast<std::size_t>(last - series.interval.begin())};
}

double share_inside(base::Interval sample, base::Interval window) {
  const base::Interval common = base::overlap(sample, window);
  if (common.empty()) return 0;
  return base::seconds(common.length()) / base::seconds(sample.length());
}

}  // namespace

bool serves(const std::string& unit_id, Queue queue) {
  if (one_of(unit_id, kFragmentUnits)) return queue == Queue::fragment;
  if (one_of(unit_id, kGeometryUnits)) return queue == Queue::non_fragment;
  return true;
}

Queue critical_queue(const UnitSeries& series, std::size_t first, std::size_t last) {
  double fragment = 0;
  double non_fragment = 0;
  for (std::size_t i = first; i < last; ++i) {
    if (!series.fragment.empty()) fragment += series.active_ns[i] * series.fragment[i];
    if (!series.non_fragment.empty()) non_fragment += series.active_ns[i] * series.non_fragment[i];
  }
  return non_fragment > fragment ? Queue::non_fragment : Queue::fragment;
}

CriticalSample critical_sample(const UnitSeries& series, std::size_t sample, Queue queue) {
  const std::vector<double>& busy =
      queue == Queue::fragment ? series.fragment : series.non_fragment;
  const std::vector<double>& rest =
      queue == Queue::fragment ? series.non_fragment : series.fragment;
  const double share = busy.empty() ? 1 : busy[sample];
  CriticalSample out;
  out.ns = series.active_ns[sample] * share;
  out.unit = top_unit(series, sample, queue);
  if (!rest.empty()) {
    out.other_ns = series.active_ns[sample] * std::min(1 - share, rest[sample]);
    out.other = top_unit(series, sample, other_than(queue));
  }
  return out;
}

std::vector<std::string> closest_to_peak(std::span<const UnitPercent> units) {
  double most = 0;
  double resident = 0;
  for (const UnitPercent& unit : units) {
    double& to = unit.id == kResidentUnit ? resident : most;
    to = std::max(to, unit.percent);
  }
  constexpr double kLeastLoad = 1;
  if (std::max(most, resident) < kLeastLoad) return {};
  if (resident > most + kClusterPoints) return {kResidentUnit};
  std::vector<UnitPercent> near;
  for (const UnitPercent& unit : units) {
    if (unit.id == kResidentUnit || unit.percent <= 0) continue;
    if (most - unit.percent <= kClusterPoints) near.push_back(unit);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.percent > b.percent; });
  std::vector<std::string> out;
  for (UnitPercent& unit : near) out.push_back(std::move(unit.id));
  return out;
}

CriticalPath critical_path(const UnitSeries& series, base::Interval window) {
  CriticalPath out;
  const Slice slice = slice_of(series, window);
  out.queue = critical_queue(series, slice.first, slice.last);
  std::vector<double> time(series.units.size(), 0);
  // Loads over the stretches that each unit limits, weighted by time: a row a limiting unit.
  std::vector<std::vector<double>> loads(series.units.size());
  const bool known = queues_known(series);
  double total = 0;
  const auto give = [&](std::size_t sample, std::size_t unit, Queue queue, double ns) {
    total += ns;
    if (unit == kNone || ns <= 0) return;
    time[unit] += ns;
    loads[unit].resize(series.units.size(), 0);
    for (std::size_t u = 0; u < series.units.size(); ++u) {
      if (known && !serves(series.units[u], queue)) continue;
      loads[unit][u] += ns * load_of(series, u, sample);
    }
  };
  for (std::size_t i = slice.first; i < slice.last; ++i) {
    const double inside = share_inside(series.interval[i], window);
    const CriticalSample sample = critical_sample(series, i, out.queue);
    give(i, sample.unit, out.queue, inside * sample.ns);
    give(i, sample.other, other_than(out.queue), inside * sample.other_ns);
  }
  if (total <= 0) return out;
  for (std::size_t u = 0; u < series.units.size(); ++u) {
    const double share = 100 * time[u] / total;
    if (share >= kLeastShare) out.shares.push_back({series.units[u], share});
  }
  std::stable_sort(out.shares.begin(), out.shares.end(),
                   [](const auto& a, const auto& b) { return a.percent > b.percent; });
  if (out.shares.empty()) return out;
  for (const UnitPercent& unit : out.shares) {
    if (out.shares.front().percent - unit.percent <= kClusterPoints) {
      out.limiters.push_back(unit.id);
    }
  }
  const auto top = static_cast<std::size_t>(
      std::find(series.units.begin(), series.units.end(), out.shares.front().id) -
      series.units.begin());
  for (std::size_t u = 0; u < series.units.size(); ++u) {
    if (loads[top][top] - loads[top][u] > kClusterPoints * time[top]) continue;
    if (loads[top][u] < kLeastOfTop * loads[top][top]) continue;
    const std::string& id = series.units[u];
    if (std::find(out.limiters.begin(), out.limiters.end(), id) == out.limiters.end()) {
      out.limiters.push_back(id);
    }
  }
  return out;
}

}  // namespace tilebound::analyze
