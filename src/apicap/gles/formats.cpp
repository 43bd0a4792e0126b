#include "apicap/gles/formats.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string_view>

#include "apicap/gles/constants.h"

namespace tilebound::apicap::gles {

namespace {

struct Entry {
  std::uint64_t internal;
  std::string_view vulkan;
};

// Numbers from the registry's gl.xml. 24 bits of depth take 32 in memory. Block-compressed formats
// cannot be attachments, so only those of OpenGL ES 3 itself are here.
constexpr Entry kSized[] = {
    {0x8229, "R8_UNORM"},
    {0x822B, "R8G8_UNORM"},
    {0x8051, "R8G8B8_UNORM"},
    {0x8058, "R8G8B8A8_UNORM"},
    {0x8F94, "R8_SNORM"},
    {0x8F95, "R8G8_SNORM"},
    {0x8F97, "R8G8B8A8_SNORM"},
    {0x8C41, "R8G8B8_SRGB"},
    {0x8C43, "R8G8B8A8_SRGB"},
    {0x93A1, "B8G8R8A8_UNORM"},
    {0x8D62, "R5G6B5_UNORM_PACK16"},
    {0x8056, "R4G4B4A4_UNORM_PACK16"},
    {0x8057, "R5G5B5A1_UNORM_PACK16"},
    {0x8059, "A2B10G10R10_UNORM_PACK32"},
    {0x906F, "A2B10G10R10_UINT_PACK32"},
    {0x8C3A, "B10G11R11_UFLOAT_PACK32"},
    {0x8C3D, "E5B9G9R9_UFLOAT_PACK32"},
    {0x822D, "R16_SFLOAT"},
    {0x822F, "R16G16_SFLOAT"},
    {0x881B, "R16G16B16_SFLOAT"},
    {0x881A, "R16G16B16A16_SFLOAT"},
    {0x822E, "R32_SFLOAT"},
    {0x8230, "R32G32_SFLOAT"},
    {0x8815, "R32G32B32_SFLOAT"},
    {0x8814, "R32G32B32A32_SFLOAT"},
    {0x822A, "R16_UNORM"},
    {0x822C, "R16G16_UNORM"},
    {0x805B, "R16G16B16A16_UNORM"},
    {0x8231, "R8_SINT"},
    {0x8232, "R8_UINT"},
    {0x8233, "R16_SINT"},
    {0x8234, "R16_UINT"},
    {0x8235, "R32_SINT"},
    {0x8236, "R32_UINT"},
    {0x8237, "R8G8_SINT"},
    {0x8238, "R8G8_UINT"},
    {0x8239, "R16G16_SINT"},
    {0x823A, "R16G16_UINT"},
    {0x823B, "R32G32_SINT"},
    {0x823C, "R32G32_UINT"},
    {0x8D8E, "R8G8B8A8_SINT"},
    {0x8D7C, "R8G8B8A8_UINT"},
    {0x8D88, "R16G16B16A16_SINT"},
    {0x8D76, "R16G16B16A16_UINT"},
    {0x8D82, "R32G32B32A32_SINT"},
    {0x8D70, "R32G32B32A32_UINT"},
    {0x81A5, "D16_UNORM"},
    {0x81A6, "X8_D24_UNORM_PACK32"},
    {0x81A7, "X8_D24_UNORM_PACK32"},
    {0x8CAC, "D32_SFLOAT"},
    {0x88F0, "D24_UNORM_S8_UINT"},
    {0x8CAD, "D32_SFLOAT_S8_UINT"},
    {0x8D48, "S8_UINT"},
    {0x9274, "ETC2_R8G8B8_UNORM_BLOCK"},
    {0x9275, "ETC2_R8G8B8_SRGB_BLOCK"},
    {0x9276, "ETC2_R8G8B8A1_UNORM_BLOCK"},
    {0x9278, "ETC2_R8G8B8A8_UNORM_BLOCK"},
    {0x9279, "ETC2_R8G8B8A8_SRGB_BLOCK"},
};

/// What a driver keeps unsized formats in. Alpha and luminance cannot be drawn to.
struct Unsized {
  std::uint64_t internal;
  std::uint64_t type;  // 0: any other
  std::string_view vulkan;
};
constexpr Unsized kUnsized[] = {
    {0x1908, gl::kShort4444, "R4G4B4A4_UNORM_PACK16"},
    {0x1908, gl::kShort5551, "R5G5B5A1_UNORM_PACK16"},
    {0x1908, gl::kUnsignedInt2_10_10_10Rev, "A2B10G10R10_UNORM_PACK32"},
    {0x1908, gl::kHalfFloat, "R16G16B16A16_SFLOAT"},
    {0x1908, gl::kHalfFloatOes, "R16G16B16A16_SFLOAT"},
    {0x1908, gl::kFloat, "R32G32B32A32_SFLOAT"},
    {0x1908, 0, "R8G8B8A8_UNORM"},
    {0x1907, gl::kShort565, "R5G6B5_UNORM_PACK16"},
    {0x1907, gl::kHalfFloat, "R16G16B16_SFLOAT"},
    {0x1907, gl::kHalfFloatOes, "R16G16B16_SFLOAT"},
    {0x1907, gl::kFloat, "R32G32B32_SFLOAT"},
    {0x1907, 0, "R8G8B8_UNORM"},
    {0x80E1, 0, "B8G8R8A8_UNORM"},  // GL_BGRA
    {0x1903, 0, "R8_UNORM"},
    {0x8227, 0, "R8G8_UNORM"},
    {0x1906, 0, "R8_UNORM"},    // GL_ALPHA
    {0x1909, 0, "R8_UNORM"},    // GL_LUMINANCE
    {0x190A, 0, "R8G8_UNORM"},  // GL_LUMINANCE_ALPHA
    {0x1902, gl::kUnsignedShort, "D16_UNORM"},
    {0x1902, gl::kFloat, "D32_SFLOAT"},
    {0x1902, 0, "X8_D24_UNORM_PACK32"},
    {gl::kDepthStencil, 0, "D24_UNORM_S8_UINT"},
};

model::Format named(std::string_view name) {
  return model::format_of(name).value_or(model::Format{});
}

}  // namespace

model::Format format_of(std::uint64_t internal, std::uint64_t type) {
  for (const Entry& entry : kSized) {
    if (entry.internal == internal) return named(entry.vulkan);
  }
  for (const Unsized& entry : kUnsized) {
    if (entry.internal == internal && (entry.type == type || entry.type == 0)) {
      return named(entry.vulkan);
    }
  }
  return {};
}

model::Format attribute_format(std::uint64_t type, std::uint32_t size, bool normalized,
                               bool integer) {
  if (type == gl::kUnsignedInt2_10_10_10Rev || type == gl::kInt2_10_10_10Rev) {
    const bool is_signed = type == gl::kInt2_10_10_10Rev;
    return named(fmt::format("A2B10G10R10_{}{}_PACK32", is_signed ? "S" : "U",
                             normalized ? "NORM" : "SCALED"));
  }
  struct Type {
    std::uint64_t type;
    int bits;
    char sign;  // F: a float already
  };
  constexpr Type kTypes[] = {
      {gl::kByte, 8, 'S'},           {gl::kUnsignedByte, 8, 'U'}, {gl::kShort, 16, 'S'},
      {gl::kUnsignedShort, 16, 'U'}, {gl::kInt, 32, 'S'},         {gl::kUnsignedInt, 32, 'U'},
      {gl::kFloat, 32, 'F'},         {gl::kHalfFloat, 16, 'F'},   {gl::kFixed, 32, 'F'},
      {gl::kHalfFloatOes, 16, 'F'},
  };
  const auto* const found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                         [&](const Type& t) { return t.type == type; });
  if (found == std::end(kTypes) || size < 1 || size > 4) return {};
  constexpr std::string_view kLetters = "RGBA";
  std::string name;
  for (std::uint32_t i = 0; i < size; ++i) name += fmt::format("{}{}", kLetters[i], found->bits);
  if (found->sign == 'F') return named(name + "_SFLOAT");
  // Vulkan has no scaled 32-bit formats; what the memory holds is the same.
  const bool plain = integer || found->bits == 32;
  return named(fmt::format("{}_{}{}", name, found->sign,
                           plain        ? "INT"
                           : normalized ? "NORM"
                                        : "SCALED"));
}

model::Format window_color_format(std::uint32_t color_bits, bool srgb) {
  if (color_bits == 16) return named("R5G6B5_UNORM_PACK16");
  if (color_bits == 64) return named("R16G16B16A16_SFLOAT");
  // Three channels of eight bits are kept in 32 bits by window systems.
  if (color_bits == 24 || color_bits == 32) return named(srgb ? "R8G8B8A8_SRGB" : "R8G8B8A8_UNORM");
  return {};
}

model::Format depth_stencil_format(std::uint32_t depth_bits, std::uint32_t stencil_bits) {
  if (stencil_bits > 0) {
    return named(depth_bits == 0    ? "S8_UINT"
                 : depth_bits == 32 ? "D32_SFLOAT_S8_UINT"
                                    : "D24_UNORM_S8_UINT");
  }
  if (depth_bits == 16) return named("D16_UNORM");
  if (depth_bits == 24) return named("X8_D24_UNORM_PACK32");
  return depth_bits == 32 ? named("D32_SFLOAT") : model::Format{};
}

}  // namespace tilebound::apicap::gles
