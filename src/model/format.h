#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Image formats, by Vulkan's numbers and names (OpenGL ES formats are named by their Vulkan
/// equal).
namespace tilebound::model {

struct Format {
  std::uint32_t vk = 0;  // VkFormat; 0 is undefined
  bool operator==(const Format&) const = default;
};

/// Facts of a format that do not depend on the GPU.
struct FormatFacts {
  std::uint32_t vk = 0;
  std::string_view name;  // "R8G8B8A8_UNORM": VkFormat's without its prefix
  std::uint32_t color_bits =
      0;  // a pixel in memory, at one sample; of a block's share if compressed
  std::uint32_t depth_bits = 0;  // of the depth aspect in memory (24 of D24S8; X8 counts with it)
  std::uint32_t stencil_bits = 0;
  std::uint32_t components = 0;
  bool blendable = false;   // normalised or float of up to 32 bits a pixel: 4 bytes in tile memory
  bool compressed = false;  // block-compressed: never an attachment

  std::uint32_t bits() const { return color_bits + depth_bits + stencil_bits; }
};

/// Nothing for a format that the table does not know (multi-planar and vendor formats).
const FormatFacts* facts_of(Format format);

/// "R8G8B8A8_UNORM"; "format 1000156003" for one that the table does not know.
std::string format_name(Format format);

/// By "R8G8B8A8_UNORM" or "VK_FORMAT_R8G8B8A8_UNORM".
std::optional<Format> format_of(std::string_view name);

}  // namespace tilebound::model
