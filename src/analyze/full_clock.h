#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analyze/clock.h"
#include "analyze/totals.h"
#include "model/device.h"

/// How long the GPU would be active at its highest clock.
namespace tilebound::analyze {

struct FullClock {
  /// A window each; nothing where the clock or its maximum is unknown.
  std::vector<std::optional<double>> ms;
  /// External memory's peak is known, so that what it bounds is kept as it is. Otherwise all work
  /// is taken to follow the clock, and the times are lower bounds.
  bool memory_counted = false;
};

/// Sample by sample: the active cycles at the highest clock, or the bytes at the peak of external
/// memory, whichever takes longer. `windows` ascend and do not overlap; `active` is the counter of
/// GPU-active cycles.
FullClock full_clock(const model::Capture& capture, const devices::Binding& binding,
                     const model::Device& device, const Cores& cores,
                     std::span<const Sampling> samplings, const model::Counter& active,
                     const Clock& clock, std::span<const base::Interval> windows);

}  // namespace tilebound::analyze
