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

/// A part of the capture with a period of its own.
struct Scene {
  double begin = 0;   // GPU-active cycles since the first sample
  double end = 0;     // behind the begin of the next scene: the change lies somewhere in between
  double cycles = 0;  // a period
  double score = 0;   // correlation, as above
};

/// The scenes of a capture whose period changes, in order, the first from 0; empty where one period
/// goes through it. Found by the autocorrelation of stretches; where a scene ends is where the
/// counters stop to be like a period before and begin to be like a period after.
std::vector<Scene> find_scenes(const FrameSignals& signals);

}  // namespace tilebound::analyze
