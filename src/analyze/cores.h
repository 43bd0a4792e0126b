#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "devices/catalogue.h"
#include "model/capture.h"

/// Shader cores: how many, and whether the capture's shader-core counters are sums or averages.
namespace tilebound::analyze {

enum class CoreCounters : std::uint8_t { unknown, averaged, summed };

struct Cores {
  std::optional<std::uint32_t> count;
  std::string count_source;     // for people
  double count_confidence = 0;  // 0..1
  CoreCounters counters = CoreCounters::unknown;
  std::string counters_source;

  /// What a delivered value of a shader-core counter is multiplied by to give the whole GPU's;
  /// nothing when that is not known.
  std::optional<double> gpu_factor() const;
  /// Likewise for the average of one core.
  std::optional<double> core_factor() const;
};

/// What the user or the device profile says, before the capture is asked.
struct CoreHints {
  std::optional<std::uint32_t> count;
  std::string count_source;
  CoreCounters counters = CoreCounters::unknown;
};

/// Averages over n cores are fractions k/n, so values that are no integers tell "averaged" and the
/// smallest n that makes all of them integers is the core count.
Cores find_cores(const model::Capture& capture, const devices::Binding& binding,
                 const CoreHints& hints);

}  // namespace tilebound::analyze
