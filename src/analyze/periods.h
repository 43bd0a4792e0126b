#pragma once

#include <optional>
#include <vector>

#include "analyze/frame_signals.h"

/// Periods with which a capture's counters recur.
namespace tilebound::analyze {

/// How well a period fits: the autocorrelation of the counters at that lag.
struct PeriodCandidate {
  double cycles = 0;  // GPU-active cycles, so that clock changes and idle time do not blur it
  double score = 0;   // correlation, -1..1
};

/// A shorter lag wins over a longer one that is hardly better: that is its multiple.
inline constexpr double kNearlyAsGood = 0.85;

/// The shortest of `candidates`, best first, that is at least `share` as good as the best; nothing
/// where there are none, or where even the best has a negative score: more speaks against it.
std::optional<PeriodCandidate> shortest(const std::vector<PeriodCandidate>& candidates,
                                        double share = kNearlyAsGood);

/// A part of the capture with a period of its own.
struct Scene {
  double begin = 0;   // GPU-active cycles since the first sample
  double end = 0;     // behind the begin of the next scene: the change lies somewhere in between
  double cycles = 0;  // a period
  double score = 0;   // correlation, as above
};

struct Periods {
  /// Local maxima of the autocorrelation of the whole capture, averaged over the counters, best
  /// first.
  std::vector<PeriodCandidate> candidates;
  /// The scenes of a capture whose period changes, in order, the first from 0; empty where one
  /// period goes through it. Found by the autocorrelation of stretches.
  std::vector<Scene> scenes;
};

Periods find_periods(const FrameSignals& signals);

}  // namespace tilebound::analyze
