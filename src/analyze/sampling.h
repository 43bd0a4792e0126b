#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/units.h"
#include "model/capture.h"

/// When the samples of an axis were taken, and which of them can be used.
namespace tilebound::analyze {

/// An interval of more than this many median periods is a hole: samples were lost, or the producer
/// was silent. What happened in it is unknown, so no value is spread over it. Intervals whose begin
/// the source gives itself are none.
inline constexpr double kHolePeriods = 3;

struct Sampling {
  std::size_t samples = 0;
  std::size_t intervals = 0;  // samples whose begin and end are both known; holes are among them
  double median_ns = 0;       // of the intervals; 0 without one
  double shortest_ns = 0;
  double longest_ns = 0;
  std::vector<std::size_t> holes;  // indices of the samples that end (or begin) a hole
  std::int64_t hole_ns = 0;        // time inside holes
};

Sampling sampling_of(const model::TimeAxis& axis);

/// Of every axis, in the capture's order.
std::vector<Sampling> samplings_of(const model::Capture& capture);

/// A run of samples [first, last) that count with the same share of their interval.
struct Piece {
  std::size_t first = 0;
  std::size_t last = 0;
  double share = 1;  // of each sample's interval that lies inside the window
};

/// How one window is made of an axis' samples.
struct Cover {
  std::vector<Piece> pieces;
  base::Nanoseconds covered;  // time of the window that samples describe
};

/// The covers of ascending windows that do not overlap. Samples without a known interval, holes and
/// empty intervals are left out.
std::vector<Cover> cover(const model::TimeAxis& axis, const Sampling& sampling,
                         std::span<const base::Interval> windows);

/// A counter over one window.
struct Integral {
  /// count: the amount. rate: the amount (value x seconds). percent, level: value x seconds.
  double total = 0;
  base::Nanoseconds covered;    // time for which the value is available
  std::size_t unavailable = 0;  // samples inside the window without a value

  /// Time average of a percent or level; per second for a count or rate. Nothing when not covered.
  std::optional<double> per_second() const;
};

/// Integrates a sampled counter over windows that `covers` (of the counter's axis) describe.
std::vector<Integral> integrate(const model::Capture& capture, const model::Counter& counter,
                                std::span<const Cover> covers);

/// Averages of a counter over windows, weighted by the amounts of `weights`, a counter of the same
/// axis. Nothing where no sample with a value has a weight.
std::vector<std::optional<double>> weighted_averages(const model::Capture& capture,
                                                     const model::Counter& counter,
                                                     const model::Counter& weights,
                                                     std::span<const Cover> covers);

}  // namespace tilebound::analyze
