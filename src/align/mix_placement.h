#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "align/placement.h"
#include "align/profile.h"

/// Where passes lie in a frame when no counter adds up work that is known for all of them.
namespace tilebound::align {

/// What one counter should show of each pass.
struct Expectation {
  std::span<const double> amounts;  // of the counter, by bin of the frame's axis
  /// Of each pass, in any unit: only their shares count, for the counter's own scale is free.
  std::vector<double> expected;
  /// How far off the share of a pass may be, as a standard deviation of its logarithm.
  double tolerance = 1;
};

/// How a frame's bins may be cut.
struct CutLimits {
  bool any_origin = false;  // the frame may begin anywhere on the circle, not just at 0
  std::size_t passes = 0;
  double samples = 1;  // that a frame has: bins in one sample are alike by nature
};

/// The most likely cut of a frame into passes, in order: each a stretch of even mix whose amounts
/// are about the expected shares. `begins` and `ends` hold what costs little more. Stretches that
/// are no pass, and passes that are missing, cost extra. Dynamic programming over bins.
Placement place_by_mix(const Profile& profile, std::span<const Expectation> expectations,
                       const CutLimits& limits);

}  // namespace tilebound::align
