#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "apicap/call.h"
#include "model/format.h"

/// Vulkan's enums, which sources write as numbers, as names or as both.
namespace tilebound::apicap::vulkan {

/// Bits of a flags field; nothing when the value holds none. Names that the table lacks add
/// nothing.
std::optional<std::uint64_t> flags(Value value);

/// An enum's value; `unknown` for an absent one and for names that the table lacks.
std::uint64_t enumerated(Value value, std::uint64_t unknown);

/// VK_FORMAT_UNDEFINED for an absent format and for one whose name is not known.
model::Format format(Value value);

/// The first name in the table that starts with `prefix` and has the value, without the prefix.
std::string_view short_name(std::string_view prefix, std::uint64_t value);

/// The structure of a type ("VK_STRUCTURE_TYPE_...") in the pNext chain of a record.
Value next_in_chain(Value record, std::string_view structure);

// Values that the interpreter compares with.
namespace layout {
constexpr std::uint64_t undefined = 0;
constexpr std::uint64_t depth_stencil_read_only = 4;
constexpr std::uint64_t depth_read_only_stencil_attachment = 1000117000;
constexpr std::uint64_t depth_read_only = 1000241001;
constexpr std::uint64_t read_only = 1000314000;
}  // namespace layout

namespace descriptor {
constexpr std::uint64_t combined_image_sampler = 1;
constexpr std::uint64_t sampled_image = 2;
constexpr std::uint64_t storage_image = 3;
constexpr std::uint64_t storage_texel_buffer = 5;
constexpr std::uint64_t storage_buffer = 7;
constexpr std::uint64_t storage_buffer_dynamic = 9;
constexpr std::uint64_t input_attachment = 10;
}  // namespace descriptor

constexpr std::uint64_t kSuspending = 2;  // VkRenderingFlagBits
constexpr std::uint64_t kResuming = 4;
constexpr std::uint64_t kDependencyByRegion = 1;
constexpr std::uint64_t kAspectColor = 1;
constexpr std::uint64_t kAspectDepth = 2;
constexpr std::uint64_t kAspectStencil = 4;
constexpr std::uint64_t kMemoryLazilyAllocated = 0x10;
constexpr std::uint32_t kRemaining = 0xffffffff;  // VK_REMAINING_MIP_LEVELS, ..._ARRAY_LAYERS
constexpr std::uint32_t kUnused = 0xffffffff;     // VK_ATTACHMENT_UNUSED

}  // namespace tilebound::apicap::vulkan
