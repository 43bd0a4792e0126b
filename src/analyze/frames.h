#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/activity.h"
#include "base/units.h"

/// Where frames begin and end in a capture without marks.
namespace tilebound::analyze {

struct Frame {
  /// First work of the frame. `end` is the end of its last work.
  base::Nanoseconds begin;
  base::Nanoseconds end;
};

/// Whether the place inside the period where a frame ends shows in the counters.
enum class Phase : std::uint8_t { seen, assumed };

/// With fewer samples a frame, a part of it may pass for a frame: it is trusted half as much.
inline constexpr double kUnambiguousSamples = 7.5;
/// Frames found with less confidence are not cut.
inline constexpr double kLeastConfidence = 0.3;

struct Frames {
  std::string method;     // "idle_gaps", "periodicity", "given_rate", "none"
  double confidence = 0;  // 0..1
  std::optional<double> period_ms;
  Phase phase = Phase::seen;
  std::vector<Frame> list;
  std::string reason;                   // why there are none, or how they were found
  std::vector<double> alternatives_ms;  // other periods that would fit: half, double

  std::optional<double> fps() const;
  /// Mean distance of the ends. At least two frames.
  double mean_distance_ms() const;

  /// From the end of the first frame to the end of the last: complete frames with the idle time
  /// before each. Nothing with fewer than two frames.
  std::optional<base::Interval> complete() const;
  /// The window of frame `i` (from 1 in `list` order, i >= 1): from the previous end to its own.
  base::Interval window(std::size_t i) const { return {list[i - 1].end, list[i].end}; }
};

/// Frames of a capped frame rate: stretches of work between idle gaps that recur at an even pace.
/// `active` is the counter of GPU-active cycles. `expected_fps` only shifts the confidence.
Frames frames_by_idle_gaps(const model::Capture& capture, const model::Counter& active,
                           const Clock& clock, base::Interval window,
                           std::optional<double> expected_fps);

/// What is left of `window` without the idle samples at both ends.
base::Interval trim_idle(const model::Capture& capture, const model::Counter& active,
                         const Clock& clock, base::Interval window);

}  // namespace tilebound::analyze
