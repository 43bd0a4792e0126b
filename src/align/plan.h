#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "align/axis.h"
#include "align/expected_work.h"
#include "analyze/frames.h"
#include "model/api_frame.h"

/// Which counter of a queue adds up known work, and how a frame of the counters compares with the
/// frame of the API capture.
namespace tilebound::align {

/// A frame of the counters against the frame of the API capture, in one counter.
struct Comparison {
  std::string counter;
  double expected = 0;
  std::optional<double> measured;  // nothing where the counters show no frames

  std::optional<double> ratio() const;
};

struct QueuePlan {
  /// What runs on the queue, in order: indices of works; several that the GPU did as one.
  std::vector<std::vector<std::size_t>> passes;
  std::optional<AxisPlan> axis;  // nothing where no counter fits
  double unaccounted_share = 0;  // of a frame's work, that no pass of the API capture accounts for
  std::vector<Comparison> compared;
  std::string reason;  // what was chosen, or why nothing fits
};

/// `frames` are those that the counters alone showed.
QueuePlan plan_queue(const QueueTrack& track, const std::vector<PassWork>& works,
                     const model::ApiFrame& frame, const analyze::Frames& frames);

/// Counters that show of each pass an amount that the API capture tells, but for one scale, with
/// how far off a pass may be. For find_axis_by_mix.
std::vector<Known> hints(const QueueTrack& track, const std::vector<PassWork>& works,
                         const std::vector<std::vector<std::size_t>>& passes);

}  // namespace tilebound::align
