#pragma once

#include <optional>
#include <vector>

#include "analyze/frame_signals.h"
#include "analyze/frames.h"

/// Frames of a GPU that does not rest between them, from the pattern that repeats.
namespace tilebound::analyze {

/// How well a period fits: the autocorrelation of the counters at that lag.
struct PeriodCandidate {
  double cycles = 0;  // GPU-active cycles, so that clock changes and idle time do not blur it
  double score = 0;   // correlation, -1..1
};

/// Local maxima of the autocorrelation, averaged over the counters, best first.
std::vector<PeriodCandidate> find_periods(const FrameSignals& signals);

/// Boundaries by dynamic programming: frames near the local period, each begun by a start cue
/// (geometry that sets in, no fragment work, idle time just before). A frame much longer than its
/// neighbours is a hitch, not two frames. `expected_fps` is a prior of +-35 %.
Frames frames_by_period(const FrameSignals& signals, std::optional<double> expected_fps);

}  // namespace tilebound::analyze
