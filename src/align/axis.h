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

/// Another counter whose amounts are known of each pass, but for one scale.
struct Known {
  const TrackCounter* counter = nullptr;
  std::vector<double> expected;  // of each pass on the queue
  double tolerance = 0.3;        // standard deviation of the logarithm of a pass's share
};

/// What passes are expected to add to the counter.
struct AxisPlan {
  const TrackCounter* counter = nullptr;
  std::vector<double> lengths;  // of each pass of the queue, in order; 0 for none
  double period = 0;            // what a frame adds: at least the lengths' sum
  double period_error = 0;      // of it, as a share; 0 where it is known exactly
  /// Counter of finished jobs, one a pass, where the capture has one.
  const TrackCounter* jobs = nullptr;
  bool by_jobs = false;  // `counter` is that one: it places ends to half a sample
  std::vector<Known> known;
  std::optional<double> origin;  // place where a frame begins, where something else tells it
};

struct Axis {
  Placement placement;
  double period = 0;
  std::vector<double> position;  // of each sample's end, not wrapped
  Pieces pieces;
  std::vector<double> busy_ns;  // of each piece in a typical frame
  double least_step = 0;
  double quantum = 0;  // of the axis: the counter counts whole ones; 0 where it does not count
  std::vector<AxisFrame> frames;
  std::vector<double> pass_ns;        // busy time of each pass in a typical frame
  std::vector<double> pass_error_ns;  // standard error of it, from groups of frames left out

  double snap = 0;  // of the axis: boundaries lie at a pause that is no farther

  AxisWork work(const QueueTrack& track) const {
    return {track, position, pieces, busy_ns, least_step, snap};
  }
};

/// Nothing where the track holds less than one frame.
std::optional<Axis> find_axis(const QueueTrack& track, const AxisPlan& plan);

/// The axis of a queue without a counter of known work: its busy time, with each frame as one.
/// `ends` are the ends of frames in capture time, ascending. Passes lie where the mix of work fits
/// best, and a boundary is as uncertain as that. `shares` are counters whose amounts are known of
/// each of the `passes`, but for a scale. With `any_origin` the queue may be ahead of the frames.
/// Nothing with fewer than three frames.
std::optional<Axis> find_axis_by_mix(const QueueTrack& track,
                                     std::span<const base::Nanoseconds> ends,
                                     const std::vector<Known>& shares, std::size_t passes,
                                     bool any_origin);

}  // namespace tilebound::align
