#pragma once

#include <optional>
#include <vector>

#include "align/attribution.h"
#include "analyze/columns.h"
#include "analyze/limiter.h"
#include "analyze/unit_series.h"

/// How units were loaded while each pass ran, and what it moved to and from memory.
namespace tilebound::align {

/// One pass on one queue.
struct PassLoad {
  std::vector<analyze::UnitPercent> units;  // of peak over its busy time, highest first
  std::vector<std::string> limiters;
  std::optional<double> read_bytes;     // of external memory, a frame
  std::optional<double> written_bytes;  // likewise
};

struct PassLoads {
  std::vector<PassLoad> fragment;      // parallel to the axis' passes; empty without the axis
  std::vector<PassLoad> non_fragment;  // likewise
};

/// `beat_bytes` is what one beat on the external bus carries.
PassLoads pass_loads(const Queues& queues, const analyze::UnitSeries& series,
                     analyze::Columns& columns, double beat_bytes);

}  // namespace tilebound::align
