#pragma once

#include <vector>

#include "align/alignment.h"
#include "align/axis.h"

/// What all frames together say of each pass.
namespace tilebound::align {

/// Durations of the passes of one queue, and which of them the samples do not tell apart. `times`
/// are those of each frame of the axis.
std::vector<PassOnQueue> pooled(const Axis& axis, const QueueTrack& track,
                                const std::vector<std::vector<PassTime>>& times,
                                const std::vector<std::vector<std::size_t>>& works);

}  // namespace tilebound::align
