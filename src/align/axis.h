#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "align/crossing.h"
#include "align/pieces.h"
#include "align/placement.h"
#include "align/queue_track.h"

/// The axis of a queue: a counter that adds up known work, and where passes and frames lie on it.
///
/// On a queue work is done in the order of submission, so the counter's running sum passes the same
/// places in every frame whatever the clock, the load and idle time do.
namespace tilebound::align {

/// What passes are expected to add to the counter.
struct AxisPlan {
  const TrackCounter* counter = nullptr;
  std::vector<double> lengths;  // of each pass of the queue, in order; 0 for none
  double period = 0;            // what a frame adds: at least the lengths' sum
  /// Counter of finished jobs, one a pass, where the capture has one.
  const TrackCounter* jobs = nullptr;
};

struct Axis {
  Placement placement;
  double period = 0;
  std::vector<double> position;  // of each sample's end, not wrapped
  Pieces pieces;
  std::vector<double> busy_ns;  // of each piece in a typical frame
  double least_step = 0;
  std::vector<AxisFrame> frames;
  std::vector<double> pass_ns;        // busy time of each pass in a typical frame
  std::vector<double> pass_error_ns;  // standard error of it, from groups of frames left out

  AxisWork work(const QueueTrack& track) const {
    return {track, position, pieces, busy_ns, least_step};
  }
};

/// Nothing where the track holds less than one frame.
std::optional<Axis> find_axis(const QueueTrack& track, const AxisPlan& plan);

}  // namespace tilebound::align
