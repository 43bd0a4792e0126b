#pragma once

#include <optional>
#include <string>

#include "analyze/clock.h"
#include "analyze/totals.h"

/// How long the GPU worked in a window, and how long it could have.
namespace tilebound::analyze {

struct Activity {
  std::optional<base::Cycles> active;   // GPU-active cycles
  std::optional<base::Cycles> elapsed;  // cycles of the clock over the covered time
  base::Nanoseconds covered;
  std::string active_counter;  // as the capture names it

  /// Busy share 0..1 of elapsed cycles; above 1 is cut to 1 when within the accuracy of a clock
  /// estimate. Nothing without both.
  std::optional<double> busy() const;
  std::optional<double> idle_percent() const;
  /// Seconds of GPU activity.
  std::optional<double> active_seconds() const;
};

/// The counter of GPU-active cycles of any vendor; nothing when the capture has none.
std::optional<std::size_t> active_cycles_counter(const model::Capture& capture,
                                                 const devices::Binding& binding);

Activity activity(const Totals& totals, const Clock& clock, std::size_t w);

}  // namespace tilebound::analyze
