#pragma once

#include <string>
#include <vector>

#include "analyze/analysis.h"
#include "model/capture.h"

/// Percent of peak of every unit in short bins of time, to draw as tracks.
namespace tilebound::analyze {

struct UnitBins {
  struct Unit {
    std::string id;
    std::string label;
    std::vector<double> percent;  // by bin; NaN where unavailable
  };
  /// Bin b covers edges[b] to edges[b + 1]; those of analyze::timeline.
  std::vector<base::Nanoseconds> edges;
  bool of_elapsed = false;  // sol_percent; active_percent without a clock
  std::vector<Unit> units;  // with a percentage in some bin, in the order of Analysis::units

  std::size_t size() const { return edges.empty() ? 0 : edges.size() - 1; }
};

/// Each bin is evaluated as a window of its own, so that `analyze --range` gives the same values.
UnitBins unit_bins(const model::Capture& capture, const Analysis& analysis,
                   std::size_t most = std::size_t{1} << 16);

}  // namespace tilebound::analyze
