#pragma once

#include <cstddef>
#include <vector>

#include "align/axis.h"

/// What of a counter's amount each pass caused, on both queues at once.
namespace tilebound::align {

/// Which queues' work a counter counts.
enum class Serves : std::uint8_t { fragment, non_fragment, both };

struct Counted {
  std::vector<double> amounts;  // by sample, parallel to the tracks
  Serves serves = Serves::both;
};

/// Both queues, as far as they are known. Axes and tracks share samples.
struct Queues {
  const QueueTrack* fragment_track = nullptr;
  const QueueTrack* non_fragment_track = nullptr;
  const Axis* fragment = nullptr;
  const Axis* non_fragment = nullptr;
};

/// Amounts of one counter in a typical frame, by pass.
struct Attributed {
  std::vector<double> fragment;      // parallel to the axis' passes; empty without the axis
  std::vector<double> non_fragment;  // likewise
};

/// Least squares over the samples of frames that match: a sample's amount is the sum over passes of
/// the share of each that it holds times the pass's amount. A queue without an axis takes its part
/// in proportion to its busy time.
std::vector<Attributed> attribute(const Queues& queues, const std::vector<Counted>& counters);

}  // namespace tilebound::align
