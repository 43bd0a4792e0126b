#pragma once

#include <optional>
#include <vector>

#include "align/axis.h"

/// Samples that say exactly where a pass ends on the axis.
namespace tilebound::align {

/// Places, not wrapped, where the queue stood still for a whole sample: it works in order, so it
/// stands between two passes. Each place once, ascending.
std::vector<double> pauses(const QueueTrack& track, const AxisPlan& plan,
                           const std::vector<double>& position, Run run);

/// The period within `tolerance` of `guess`, a share, that makes most pauses fall on one another;
/// the counter counts whole ones, so whole periods are tried. `guess` without two pauses that
/// agree.
double period_by_pauses(const std::vector<double>& pauses, double guess, double tolerance);

/// Likewise by finished jobs: after as many of them as a frame has, the axis is one period further,
/// so places with the same job under way lie close together. Nothing where a frame has no whole
/// number of jobs.
std::optional<double> period_by_jobs(const AxisPlan& plan, const std::vector<double>& position,
                                     Run run, double tolerance);

/// Origins that put every frequent pause on the boundary of a pass; empty where there is none, or
/// pauses do not agree. Without passes: places of frequent pauses, where a frame may begin.
std::vector<double> origins_by_pauses(const std::vector<double>& pauses,
                                      const std::vector<Stretch>& passes, double period);

/// Shifts of the placement's origin that keep every sample between the ends of the jobs finished
/// before it and the next one; nothing where jobs are not one a pass or need a shift beyond
/// `reach`.
std::optional<Stretch> shifts_by_jobs(const AxisPlan& plan, double period,
                                      const std::vector<double>& position,
                                      const Placement& placement, Run run, double reach);

}  // namespace tilebound::align
