#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analyze/clock.h"
#include "analyze/frames.h"
#include "analyze/limiter.h"

/// What frames have in common and where they differ.
namespace tilebound::analyze {

/// Work of a unit's busiest path in one frame.
struct UnitWork {
  std::string unit;
  std::string path;
  double work = 0;
};

struct FrameResult {
  Frame frame;
  base::Interval window;
  std::optional<double> active_cycles;
  std::optional<double> gpu_active_ms;
  std::optional<double> idle_percent;
  std::optional<double> clock_percent;  // mean, of the maximum
  std::optional<ClockSummary> clock;
  /// GPU-active time if the clock were at its maximum (full_clock.h).
  std::optional<double> full_clock_ms;
  std::vector<std::string> limiters;
  /// Percent of the busy time on the critical path that each unit limited (critical.h).
  std::vector<UnitPercent> limiter_share;
  std::vector<UnitPercent> units;  // with a percentage, highest first
  std::vector<UnitWork> work;

  double time_ms() const { return base::milliseconds(window.length()); }
};

struct Spread {
  double mean = 0;
  double p50 = 0;
  double p90 = 0;
  double p95 = 0;
  double p99 = 0;
  double max = 0;
};

/// A unit's work against the typical frame's.
struct WorkChange {
  std::string unit;
  double ratio = 1;
};

/// A long frame against the typical one. Where idle time and clock are known, its extra time is the
/// sum of three: time in which the GPU waited, cycles that it worked more, and a slower clock.
struct LongFrame {
  std::size_t index = 0;  // into the frame results
  double longer_ms = 0;
  std::optional<double> idle_ms;
  std::optional<double> work_ms;
  std::optional<double> clock_ms;
  std::vector<WorkChange> changes;  // units whose work differs by a tenth and more, most first
};

struct FrameStatistics {
  /// Leading frames left out of all below: the clock still rising or other work than what follows.
  std::size_t warm_up = 0;
  std::size_t counted = 0;
  std::optional<Spread> time_ms;  // of windows
  std::optional<Spread> gpu_active_ms;
  std::optional<Spread> full_clock_ms;
  /// Index of the typical frame: the medoid, least different from all others in time, GPU-active
  /// time, idle time and unit percentages.
  std::optional<std::size_t> typical;
  std::vector<LongFrame> longest;  // longest first, each at least a tenth longer than the typical
};

/// `frames` are complete frames in time order.
FrameStatistics frame_statistics(const std::vector<FrameResult>& frames);

}  // namespace tilebound::analyze
