#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "align/profile.h"

/// Where the passes of a frame lie on the axis of a counter that counts known work.
namespace tilebound::align {

struct Stretch {
  double from = 0;
  double to = 0;
  double length() const { return to - from; }
};

struct Placement {
  double origin = 0;  // place on the axis where a frame begins, 0 <= origin < period
  /// Of each pass, from the origin; in order, without overlap. What lies between them is work that
  /// the passes do not account for.
  std::vector<Stretch> passes;
  /// Where each pass begins, and ends, as likely as not, where the cut is no certainty; else empty.
  std::vector<Stretch> begins;
  std::vector<Stretch> ends;
  double spread = 0;     // left inside the stretches (Profile::spread)
  double explained = 0;  // share of the profile's whole spread that the cut takes away, 0..1
  /// spread of the best cut with an origin elsewhere: what speaks against this one's.
  double runner_up = 0;
};

/// What is known to speak for or against an origin beside the profile: cost, in shares of the
/// profile's whole spread.
using OriginCost = std::function<double(double origin)>;

/// The cut of the profile's circle into stretches of the given lengths, in order, and of
/// `profile.period()` less their sum that lies anywhere between them. Least spread wins; a stretch
/// between passes costs extra, so that few of them explain more.
/// `lengths` must not be longer than the period together. With `origin` only that one is tried.
Placement place(const Profile& profile, std::span<const double> lengths, const OriginCost& more,
                std::optional<double> origin = std::nullopt);

}  // namespace tilebound::align
