#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/analysis.h"
#include "model/capture.h"

/// What a capture's units are computed from, in short bins of time, for a reader who chooses ranges
/// himself. It holds sums, not percentages: those of any range of bins follow from sums over it,
/// as those of a window do (units.h).
namespace tilebound::analyze {

/// One counter that some unit needs.
struct CounterBins {
  std::size_t index = 0;      // into Capture::counters
  bool averaged = false;      // a percent or level: values are averages by time, else totals
  bool of_busy_time = false;  // averaged over GPU-active cycles instead of time
  std::size_t axis = 0;       // into Capture::axes
  std::vector<double> bins;   // as delivered, made up for single lost samples; NaN: unavailable
  /// What a total is multiplied by for the GPU's and for one core's; nothing where unknown.
  std::optional<double> gpu_factor;
  std::optional<double> core_factor;
};

struct Timeline {
  /// Bin b covers edges[b] to edges[b + 1]; empty without samples of known length.
  std::vector<base::Nanoseconds> edges;
  std::size_t samples_per_bin = 1;
  std::vector<CounterBins> counters;
  std::optional<std::size_t> active;         // into counters: GPU-active cycles
  std::vector<std::vector<double>> covered;  // ns that samples describe, by axis; of unused: empty
  std::vector<double> elapsed;               // cycles over what the axis of `active` describes
  std::vector<double> clock_hz;              // mean; both empty without a clock

  std::size_t size() const { return edges.empty() ? 0 : edges.size() - 1; }

  /// Index into counters of a name in an expression.
  std::optional<std::size_t> find(const std::string& name) const;

  std::vector<std::pair<std::string, std::size_t>> names;  // sorted; find() reads this
};

/// Bins of one sample each on the axis of GPU-active cycles (else the longest), of several where
/// there would be more than `most` bins.
Timeline timeline(const model::Capture& capture, const Analysis& analysis,
                  std::size_t most = std::size_t{1} << 16);

/// Edges of the bins that timeline() has; empty without samples of known length.
std::vector<base::Nanoseconds> bin_edges(const model::Capture& capture,
                                         const devices::Binding& binding, std::size_t most);

/// Work that something else than counters names, to draw beside the units.
struct Span {
  base::Interval interval;
  std::string label;
};
struct Lane {
  std::string label;
  std::vector<Span> spans;  // by begin
};

/// The driver's render stages, a lane a queue, then the segments of frames. Cut to `most` spans a
/// lane.
std::vector<Lane> lanes(const model::Capture& capture, const Analysis& analysis,
                        std::size_t most = 20'000);

}  // namespace tilebound::analyze
