#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "align/pieces.h"
#include "align/queue_track.h"

/// When a queue's cumulative work crosses the places where passes begin and end.
namespace tilebound::align {

/// A moment, and the sample that it lies in: it cannot lie outside.
struct Moment {
  double ns = 0;
  double least_ns = 0;
  double most_ns = 0;
};

struct PassTime {
  Moment begin;
  Moment end;
  double length_ns() const { return end.ns - begin.ns; }
};

/// One frame on a queue's axis.
struct AxisFrame {
  double origin = 0;      // place where its first work begins, not wrapped
  std::size_t first = 0;  // samples [first, last) that it touches
  std::size_t last = 0;
  bool matches = true;  // its work is that of the passes
  double misfit = 0;    // of its busy time against what the pieces foretell, 0: none
};

/// Place on an axis where sample `i` begins.
inline double place_before(std::span<const double> position, std::size_t i) {
  return i == 0 ? 0 : position[i - 1];
}

/// What interpolation inside a sample needs.
struct AxisWork {
  const QueueTrack& track;
  std::span<const double> position;  // of each sample's end on the axis, not wrapped
  const Pieces& pieces;
  std::span<const double> busy_ns;  // of each piece in a typical frame
  double least_step = 0;            // of the axis that counts as progress
  double snap = 0;                  // a boundary lies at a pause that is no farther
};

/// Of every pass of a frame, parallel to Placement::passes. A moment's bounds hold its sample, and
/// the placement's own bounds where it has any.
std::vector<PassTime> pass_times(const AxisWork& work, const AxisFrame& frame,
                                 const Placement& placement);

}  // namespace tilebound::align
