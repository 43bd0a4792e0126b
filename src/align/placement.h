#pragma once

#include <cstddef>
#include <functional>
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

/// What is known beside the profile of where passes lie: cost, in shares of the profile's whole
/// spread.
using CutCost = std::function<double(const std::vector<Stretch>& passes, double origin)>;

/// The cut of the profile's circle into stretches of the given lengths, in order, and of
/// `profile.period()` less their sum that lies between them: in one place, or in several where that
/// costs less. Least spread and least further cost win; each stretch between passes costs extra.
/// `lengths` must not be longer than the period together. With `origins` only those are tried; it
/// maps a cut, from the origin, to places where it may begin, none for everywhere; no cut, to
/// places where any may.
Placement place(const Profile& profile, std::span<const double> lengths, const CutCost& more,
                const std::function<std::vector<double>(const std::vector<Stretch>&)>& origins);

/// Passes one behind the other from 0, with a gap before pass `before`.
std::vector<Stretch> in_a_row(std::span<const double> lengths, std::size_t before, double gap);

}  // namespace tilebound::align
