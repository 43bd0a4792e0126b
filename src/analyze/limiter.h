#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// What limits a piece of GPU work, from the percentages of peak of its units: the peak performance
/// percentage method (L. Bavoil, NVIDIA, "The Peak-Performance-Percentage Analysis Method for
/// Optimizing Any GPU Workload"), which needs to know nothing of the content. Pure arithmetic.
namespace tilebound::analyze {

/// Above: the unit runs near its peak, so work must leave it.
inline constexpr double kHighPercent = 80;
/// Below: every unit is badly used, so the top one must be raised.
inline constexpr double kLowPercent = 60;
/// What a unit can be expected to reach once its inefficiency is gone.
inline constexpr double kPracticalCeiling = 90;
/// Units within this many points limit together.
inline constexpr double kClusterPoints = 10;
/// Neighbouring units closer than this are limited by the interface between them.
inline constexpr double kInterfacePoints = 1;
/// More idle than this means that the CPU, a cap or vsync limits at least that share.
inline constexpr double kIdlePercent = 1;
/// Idle below, and the clock at kFullClockPercent of its maximum or more: GPU-bound.
inline constexpr double kGpuBoundIdlePercent = 10;
inline constexpr double kFullClockPercent = 95;
/// Units below this share of the limiter's percentage are not worth work.
inline constexpr double kNotWorthShare = 0.40;

struct UnitPercent {
  std::string id;
  double percent = 0;  // of peak, idle time counted where it is known

  bool operator==(const UnitPercent&) const = default;
};

enum class Case : std::uint8_t { high, middle, low, idle };

const char* case_name(Case c);

/// What surrounds the percentages.
struct Surroundings {
  std::optional<double> idle_percent;  // of the clock's cycles inside complete frames
  /// The top percentage of busy time alone; decides whether idle or a unit is the larger prize.
  std::optional<double> top_active_percent;
  std::optional<double> clock_percent;  // of the maximum
};

struct Verdict {
  std::optional<Case> kind;            // nothing when no unit could be judged and idle is unknown
  std::vector<std::string> limiters;   // the top unit and those that limit with it
  std::vector<std::string> secondary;  // the next cluster
  std::vector<UnitPercent> top;        // five at most
  std::vector<std::pair<std::string, std::string>> interface_limited;  // neighbours in the top
  std::optional<double> idle_percent;
  std::optional<bool> gpu_bound;
  /// Upper bounds of the speed-up, as factors: by raising the top unit to 90 %, by taking work off
  /// the limiters until the next cluster limits, by removing idle time.
  std::optional<double> gain_raise;
  std::optional<double> gain_remove;
  std::optional<double> gain_idle;
  std::optional<double> max_gain;  // the one that the case calls for
  std::vector<std::string> not_worth;
};

/// `units` in any order; those without a percentage are left out by the caller.
Verdict judge(std::span<const UnitPercent> units, const Surroundings& surroundings);

/// How good a cache hit rate is. Of use only when the cache's unit is among the top five.
enum class HitRate : std::uint8_t { good, fair, may_limit };
HitRate judge_hit_rate(double percent);

}  // namespace tilebound::analyze
