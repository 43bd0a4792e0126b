#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/api_frame.h"

/// Facts of shaders from their SPIR-V.
namespace tilebound::apicap::spirv {

/// The words of a module in the byte order of its magic number; nothing for what is no module.
std::optional<std::vector<std::uint32_t>> words_of(std::string_view bytes);

/// Fills the facts of `shader` for its entry point (its `entry` and `stage`): only what functions
/// reached from there do. Sets `analysed`; leaves it false when the module is damaged or has no
/// such entry point.
void analyse(const std::vector<std::uint32_t>& words, model::Shader& shader);

}  // namespace tilebound::apicap::spirv
