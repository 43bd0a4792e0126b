#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/totals.h"
#include "model/device.h"

/// The derived metrics that people know, with the thresholds that Arm states.
namespace tilebound::analyze {

enum class Health : std::uint8_t { unknown, good, poor };

struct HealthMetric {
  std::string id;
  std::string title;
  std::string unit;       // "%", "threads", "cycles", ...
  std::string threshold;  // for people; empty where there is none
  std::string hint;       // what a poor value points at
  std::optional<double> value;
  Health health = Health::unknown;
  std::vector<std::string> missing;  // counters that are lacking
};

/// Metrics over window `w` of a Mali capture; empty for other vendors.
std::vector<HealthMetric> health_table(const model::Device& device, const Totals& totals,
                                       std::size_t w);

}  // namespace tilebound::analyze
