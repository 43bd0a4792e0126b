#pragma once

#include <cstdint>
#include <functional>

#include "apicap/contents.h"
#include "model/api_frame.h"

/// Records of indirect draws, whose layout Vulkan and OpenGL ES share: five 32-bit words of an
/// indexed draw (indices, instances, first index, first vertex, first instance), four of another.
namespace tilebound::apicap {

/// Bytes of the draw's buffer, from the place where its first record is.
using RecordReader = std::function<Contents::Read(std::uint64_t offset, std::uint64_t size)>;

/// Fills `indirect`, `records` and their sums in `draw` from `draws` records. A stride below a
/// record's size is that size.
void read_records(model::Draw& draw, std::uint32_t draws, std::uint32_t stride,
                  const RecordReader& read);

/// Little-endian; `at` and three bytes more must lie inside.
std::uint32_t word(const std::string& bytes, std::size_t at);

}  // namespace tilebound::apicap
