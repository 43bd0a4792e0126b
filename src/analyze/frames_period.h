#pragma once

#include <optional>

#include "analyze/frame_signals.h"
#include "analyze/frames.h"

/// Frames of a GPU that does not rest between them, from the pattern that repeats.
namespace tilebound::analyze {

/// Boundaries by dynamic programming: frames near the local period, each begun by a start cue
/// (geometry that sets in, no fragment work, idle time just before). A frame much longer than its
/// neighbours is a hitch, not two frames. `expected_fps` is a prior of +-35 %.
Frames frames_by_period(const FrameSignals& signals, std::optional<double> expected_fps);

}  // namespace tilebound::analyze
