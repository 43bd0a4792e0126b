#pragma once

#include "align/axis.h"

/// Time of each pass, from samples that hold parts of several.
///
/// A sample's busy time is the sum, over the pieces of the axis that it covers, of the share
/// covered times the piece's busy time. Frames lie differently against the samples, so many frames
/// together determine pieces shorter than a sample: least squares.
///
/// Vertex work that runs beside fragments slows them down for a while. Were that left out, a short
/// pass would pay for a slow end of its neighbour, so on the fragment queue a second solution gives
/// each pass an unknown more: what it loses for each sample of work beside it.
namespace tilebound::align {

/// Fills busy_ns, pass_ns and pass_error_ns from the frames that match.
void find_costs(const QueueTrack& track, Axis& axis);

/// Root of the mean square of foretold against measured busy time in a frame's samples, as a share
/// of their mean length.
double misfit(const QueueTrack& track, const Axis& axis, const AxisFrame& frame);

}  // namespace tilebound::align
