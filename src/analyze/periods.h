#pragma once

#include <vector>

#include "analyze/frame_signals.h"

/// Periods with which a capture's counters recur.
namespace tilebound::analyze {

/// How well a period fits: the autocorrelation of the counters at that lag.
struct PeriodCandidate {
  double cycles = 0;  // GPU-active cycles, so that clock changes and idle time do not blur it
  double score = 0;   // correlation, -1..1
};

/// Local maxima of the autocorrelation, averaged over the counters, best first.
std::vector<PeriodCandidate> find_periods(const FrameSignals& signals);

}  // namespace tilebound::analyze
