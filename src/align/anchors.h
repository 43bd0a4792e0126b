#pragma once

#include "align/axis.h"

/// Samples that say exactly where a pass ends on the axis.
namespace tilebound::align {

/// What to add to the origin of a placement so that pauses of the queue, and steps of its counter
/// of finished jobs, fall on boundaries of passes; 0 where neither says anything. `reach` is how
/// far off the origin may be.
double anchor_shift(const QueueTrack& track, const AxisPlan& plan, double period,
                    const std::vector<double>& position, const Placement& placement, Run run,
                    double reach);

}  // namespace tilebound::align
