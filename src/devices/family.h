#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/device.h"

/// Families: the units of a vendor's GPUs, shared by its profiles (data/devices/families).
namespace tilebound::devices {

/// The units of a family; only the paths for that GPU (a catalogue key), of all GPUs when empty.
/// Empty for an unknown family.
std::vector<model::Unit> family_units(std::string_view family, std::string_view gpu,
                                      std::optional<double> external_beat_bytes);

/// The family of a vendor; empty for an unknown vendor.
std::string_view family_of_vendor(std::string_view vendor);

}  // namespace tilebound::devices
