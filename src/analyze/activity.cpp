#include "analyze/activity.h"

#include <algorithm>

namespace tilebound::analyze {

namespace {

/// By trust. Adreno's "Clocks / Second" counts busy cycles: on a headset held at 525 MHz it reads
/// 145 M while the driver reports about 30 % load.
constexpr const char* kActiveCounters[] = {"MaliGPUActiveCy", "MaliGPUAnyQueueActiveCy",
                                           "AdrenoClocksPerSecond"};

}  // namespace

std::optional<std::size_t> active_cycles_counter(const model::Capture& capture,
                                                 const devices::Binding& binding) {
  std::optional<std::size_t> fallback;
  for (const char* name : kActiveCounters) {
    const auto index = binding.find(name);
    if (!index || !capture.counters[*index].sampled()) continue;
    // Where the catalogue derives it from another counter (Mali-G715, G615), the hardware's own
    // one is known to be wrong and serves only when there is nothing else.
    if (!binding.entries[*index].definition->derived()) return index;
    fallback = index;
  }
  return fallback;
}

std::optional<double> Activity::busy() const {
  if (!active || !elapsed || elapsed->value <= 0) return std::nullopt;
  return std::clamp(active->value / elapsed->value, 0.0, 1.0);
}

std::optional<double> Activity::idle_percent() const {
  const auto share = busy();
  if (!share) return std::nullopt;
  return 100 * (1 - *share);
}

std::optional<double> Activity::active_seconds() const {
  const auto share = busy();
  if (!share) return std::nullopt;
  return *share * base::seconds(covered);
}

Activity activity(const Totals& totals, const Clock& clock, std::size_t w) {
  Activity out;
  out.covered = totals.covered(w);
  const auto index = active_cycles_counter(totals.capture(), totals.binding());
  if (!index) return out;
  const model::Counter& counter = totals.capture().counters[*index];
  out.active_counter = counter.name;
  if (const auto total =
          totals.total(totals.binding().entries[*index].definition->machine_name, w, Basis::gpu)) {
    out.active = base::Cycles{*total};
  }
  const std::size_t axis = *counter.axis;
  out.elapsed =
      elapsed_cycles(clock, totals.capture().axes[axis], totals.covers(axis)[w], totals.window(w));
  out.covered = totals.covers(axis)[w].covered;
  return out;
}

}  // namespace tilebound::analyze
