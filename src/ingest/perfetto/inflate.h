#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/byte_source.h"

namespace tilebound::ingest::perfetto {

enum class Compression : std::uint8_t { deflate, zstd };

/// How an expansion went; filled while the source is read.
struct Expansion {
  std::uint64_t bytes = 0;     // expanded so far
  bool limit_reached = false;  // stopped at the limit, more would follow
  std::string error;           // empty while the data is intact
};

/// The expanded bytes as a stream, a window at a time, so that a bomb costs time and no memory.
/// Deflate data may have a zlib or a gzip header. Stops after `limit` bytes. `compressed` and
/// `expansion` must outlive the source.
base::ByteSource inflate(std::string_view compressed, Compression compression, std::uint64_t limit,
                         Expansion& expansion);

}  // namespace tilebound::ingest::perfetto
