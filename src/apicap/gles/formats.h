#pragma once

#include <cstdint>

#include "model/format.h"

/// OpenGL ES formats as their Vulkan equals.
namespace tilebound::apicap::gles {

/// Of an internal format; of an unsized one (GL_RGBA) with the type of its data (GL_UNSIGNED_BYTE,
/// which 0 stands for). Undefined for one that is not known.
model::Format format_of(std::uint64_t internal, std::uint64_t type = 0);

/// Of a vertex attribute: 1 to 4 components of a type. `integer`: not turned into float.
model::Format attribute_format(std::uint64_t type, std::uint32_t size, bool normalized,
                               bool integer);

/// Of a window's surface, by the bits that its configuration has.
model::Format window_color_format(std::uint32_t color_bits, bool srgb);
model::Format depth_stencil_format(std::uint32_t depth_bits, std::uint32_t stencil_bits);

}  // namespace tilebound::apicap::gles
