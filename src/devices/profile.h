#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "devices/expression.h"
#include "model/capture.h"
#include "model/device.h"

/// Device profiles: one TOML file a device.
namespace tilebound::devices {

/// Ids of hardware units; a contract. In the order in which reports list units of equal percentage.
std::span<const std::string_view> unit_ids();

/// What people call a unit: "Texture filtering"; empty for an unknown id.
std::string_view unit_label(std::string_view unit_id);

/// The unit that a person's expression is about, by its name: unit ids, our labels, and the names
/// of the Streamline calibration document ("VPC Culling Throughput" is primitive_cull).
/// Empty for a name that says none.
std::string_view unit_by_name(std::string_view name);

/// Parses and checks a profile. `origin` is how messages call it. Unknown keys, unknown units,
/// expressions that do not parse, peaks that are not positive: base::InputError.
model::Device read_profile(std::string_view toml, std::string_view origin);

/// The profile as TOML that reads back equal.
std::string write_profile(const model::Device& device);

/// Every built-in profile, by id. User files given by the caller come first and replace built-in
/// ones of the same id.
std::vector<model::Device> all_devices(std::span<const model::Device> user_files = {});

/// The built-in profile that fits best: by SoC, by GPU name with core count, by GPU name. Nothing
/// for an unknown device; the units of its vendor then show raw throughput (generic_device).
std::optional<model::Device> match_device(const model::Capture& capture, std::uint32_t gpu,
                                          std::span<const model::Device> devices);

/// The units of a vendor without any peak, for a device that nobody has calibrated. `gpu` (a
/// catalogue key or name) leaves only the paths of that generation; without it a unit has the paths
/// of all, of which a capture can evaluate those whose counters it holds.
model::Device generic_device(std::string_view vendor, std::string_view gpu = {});

/// Why `device` must not be used for this capture; empty when it may. What a capture does not say
/// is no reason. `cores` is the shader-core count where the caller knows it.
std::string match_failure(const model::Device& device, const model::Capture& capture,
                          std::uint32_t gpu, std::optional<std::uint32_t> cores);

/// A device out of a person's Streamline throughput expressions: each of the form
/// work / ($MaliGPUCyclesGPUActive / K) gives the peak 100 / K of the unit it names.
model::Device device_from_expressions(std::span<const NamedExpression> expressions,
                                      std::vector<model::Note>& notes);

/// The throughput expressions of a device in Streamline's syntax and today's names, to paste there;
/// one for each path that has a peak.
std::vector<NamedExpression> expressions_of(const model::Device& device);

}  // namespace tilebound::devices
