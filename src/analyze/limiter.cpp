#include "analyze/limiter.h"

#include <algorithm>

namespace tilebound::analyze {

namespace {

constexpr std::size_t kTopUnits = 5;
/// Counts time with a warp resident on a core, waiting included, so whatever else limits with it is
/// the better name for the cause.
constexpr const char* kResidentUnit = "shader_core";
constexpr double kGoodHitRate = 90;
constexpr double kFairHitRate = 80;

/// Units that hand work or data to each other directly. Equal percentages there point at the
/// interface between them rather than at either.
constexpr std::pair<const char*, const char*> kNeighbours[] = {
    {"sm", "texture"},
    {"shader_core", "texture"},
    {"texture", "l2"},
    {"alu", "texture"},
    {"texture", "texture_l2"},
    {"texture_l2", "texture_external"},
    {"l2", "external_memory"},
    {"texture_l2", "external_memory"},
    {"l2_read", "external_memory"},
    {"l2_write", "external_memory"},
    {"load_store", "l2_read"},
    {"load_store", "l2_write"},
    {"tile_write", "external_memory"},
};

bool neighbours(const std::string& a, const std::string& b) {
  return std::any_of(std::begin(kNeighbours), std::end(kNeighbours), [&](const auto& pair) {
    return (a == pair.first && b == pair.second) || (b == pair.first && a == pair.second);
  });
}

/// End of the cluster that starts at `first`: units within kClusterPoints of it.
std::size_t cluster_end(std::span<const UnitPercent> sorted, std::size_t first) {
  std::size_t end = first;
  while (end < sorted.size() && sorted[end].percent > 0 &&
         sorted[first].percent - sorted[end].percent <= kClusterPoints) {
    ++end;
  }
  return end;
}

void judge_units(std::span<const UnitPercent> sorted, Verdict& out) {
  const double top = sorted.front().percent;
  out.top.assign(sorted.begin(),
                 sorted.begin() + static_cast<std::ptrdiff_t>(std::min(kTopUnits, sorted.size())));
  if (top <= 0) return;
  const std::span<const UnitPercent> five(out.top);
  const std::size_t first = cluster_end(five, 0);
  const std::size_t second = cluster_end(five, first);
  for (std::size_t i = 0; i < first; ++i) out.limiters.push_back(five[i].id);
  std::stable_partition(out.limiters.begin(), out.limiters.end(),
                        [](const std::string& id) { return id != kResidentUnit; });
  for (std::size_t i = first; i < second; ++i) out.secondary.push_back(five[i].id);
  for (std::size_t i = 0; i < first; ++i) {
    for (std::size_t k = i + 1; k < first; ++k) {
      if (five[i].percent - five[k].percent <= kInterfacePoints &&
          neighbours(five[i].id, five[k].id)) {
        out.interface_limited.emplace_back(five[i].id, five[k].id);
      }
    }
  }
  out.gain_raise = std::max(1.0, kPracticalCeiling / top);
  if (first < five.size() && five[first].percent > 0) {
    out.gain_remove = top / five[first].percent;
  }
  out.kind = top > kHighPercent ? Case::high : top < kLowPercent ? Case::low : Case::middle;
  for (const UnitPercent& unit : sorted) {
    if (unit.percent < kNotWorthShare * top) out.not_worth.push_back(unit.id);
  }
}

}  // namespace

const char* case_name(Case c) {
  switch (c) {
    case Case::high:
      return "high";
    case Case::middle:
      return "middle";
    case Case::low:
      return "low";
    case Case::idle:
      return "idle";
  }
  return "";
}

Verdict judge(std::span<const UnitPercent> units, const Surroundings& surroundings) {
  Verdict out;
  std::vector<UnitPercent> sorted(units.begin(), units.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const UnitPercent& a, const UnitPercent& b) {
    return a.percent > b.percent;
  });
  if (!sorted.empty()) judge_units(sorted, out);

  out.idle_percent = surroundings.idle_percent;
  if (out.idle_percent && *out.idle_percent >= 100) {
    out.kind = Case::idle;  // no work at all, so there is no gain to state
  } else if (out.idle_percent && *out.idle_percent > kIdlePercent) {
    out.gain_idle = 100 / (100 - *out.idle_percent);
    // A better unit shortens the busy part only, so its prize is counted there.
    const double top =
        surroundings.top_active_percent.value_or(sorted.empty() ? 0 : sorted.front().percent);
    const double best_unit = top > 0 ? std::max(1.0, kPracticalCeiling / top) : 0;
    if (best_unit == 0 || *out.gain_idle > best_unit) out.kind = Case::idle;
  }
  if (out.idle_percent && surroundings.clock_percent) {
    out.gpu_bound = *out.idle_percent < kGpuBoundIdlePercent &&
                    *surroundings.clock_percent >= kFullClockPercent;
  } else if (out.idle_percent && *out.idle_percent >= kGpuBoundIdlePercent) {
    out.gpu_bound = false;
  }
  if (out.kind) {
    switch (*out.kind) {
      case Case::idle:
        out.max_gain = out.gain_idle;
        break;
      case Case::high:
        out.max_gain = out.gain_remove;
        break;
      case Case::low:
        out.max_gain = out.gain_raise;
        break;
      case Case::middle:
        out.max_gain = std::max(out.gain_raise, out.gain_remove);
        break;
    }
  }
  return out;
}

HitRate judge_hit_rate(double percent) {
  return percent > kGoodHitRate    ? HitRate::good
         : percent >= kFairHitRate ? HitRate::fair
                                   : HitRate::may_limit;
}

}  // namespace tilebound::analyze
