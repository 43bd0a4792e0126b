#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/sampling.h"
#include "base/units.h"
#include "model/capture.h"

/// The GPU's clock over time.
namespace tilebound::analyze {

struct ClockStep {
  base::Nanoseconds from;
  base::Hertz frequency;
};

struct Clock {
  /// Holds from each step to the next; before the first step the first one is assumed. While the
  /// GPU is off the last operating point holds. Empty: the clock is unknown.
  std::vector<ClockStep> steps;
  std::string source;              // for people
  double confidence = 0;           // 0..1
  std::optional<base::Hertz> max;  // the device's, or the highest seen
  std::string max_source;

  bool known() const { return !steps.empty(); }

  /// Cycles that the clock makes in an interval; nothing when unknown.
  std::optional<base::Cycles> cycles(base::Interval interval) const;
};

/// From frequency events, else from the upper envelope of GPU-active cycles per second: samples
/// whose neighbours have the same rate were busy throughout and show an operating point.
/// `active` is the counter of GPU-active cycles, where there is one.
Clock find_clock(const model::Capture& capture, std::uint32_t gpu, const model::Counter* active,
                 std::optional<base::Hertz> device_max, const std::string& device_max_source);

/// The clock over the part of a window that is covered by samples.
struct ClockSummary {
  double mean_hz = 0;
  double min_hz = 0;
  double max_hz = 0;
  std::size_t changes = 0;
  std::optional<double> percent_of_max;
};

std::optional<ClockSummary> summarise(const Clock& clock, base::Interval window);

/// Elapsed cycles over exactly the time that `cover` describes, so that holes count neither as busy
/// nor as idle.
std::optional<base::Cycles> elapsed_cycles(const Clock& clock, const model::TimeAxis& axis,
                                           const Cover& cover, base::Interval window);

}  // namespace tilebound::analyze
