#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyze/columns.h"
#include "analyze/critical.h"
#include "analyze/unit_series.h"

/// What one queue of the GPU did, sample by sample.
namespace tilebound::align {

/// Amounts of one counter in each sample, for the whole GPU where the core count is known.
struct TrackCounter {
  std::string name;  // the catalogue's machine name
  std::vector<double> amount;
};

struct QueueTrack {
  analyze::Queue queue = analyze::Queue::fragment;
  std::vector<base::Interval> interval;
  std::vector<double> busy_ns;     // that the queue was active
  std::vector<double> overlap_ns;  // that both queues were
  /// A gap in the samples lies before: what happened in it is not known.
  std::vector<bool> after_gap;
  double period_ns = 0;  // median length of a sample
  /// Counters that may be exact sums of known work, finest first. Finished fragment jobs, which
  /// step at the end of each pass, are the last of them: between steps they rise with busy time.
  std::vector<TrackCounter> progress;
  std::optional<TrackCounter> jobs;  // finished fragment jobs as they are counted
  /// Counters whose mix tells passes apart.
  std::vector<TrackCounter> mix;

  std::size_t size() const { return interval.size(); }
};

/// Nothing where the capture does not hold the queue's active cycles.
std::optional<QueueTrack> queue_track(analyze::Queue queue, const analyze::Totals& totals,
                                      analyze::Columns& columns, const analyze::UnitSeries& series);

}  // namespace tilebound::align
