#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apicap/capture.h"

/// What memory holds, as far as the source says: a list of writes whose bytes are fetched only when
/// someone asks. So a capture's buffers cost nothing until an indirect draw reads one.
namespace tilebound::apicap {

struct Write {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::string blob;  // empty: the bytes are not in the source
  std::uint64_t blob_offset = 0;
  bool gpu = false;  // written by the GPU, in the frame that `frame` says
  std::uint64_t frame = 0;
};

class Contents {
 public:
  /// A later write hides earlier ones where it covers them.
  void write(Write write);

  /// Copies what is known of [from, from + size) of `source` to `to`.
  void copy(const Contents& source, std::uint64_t from, std::uint64_t size, std::uint64_t to,
            std::uint64_t frame);

  struct Read {
    std::optional<std::string> bytes;  // only when all of them are known
    bool gpu_written = false;          // some of them by the GPU in `frame`
  };
  Read read(std::uint64_t offset, std::uint64_t size, std::uint64_t frame,
            const BlobReader& blobs) const;

 private:
  std::vector<Write> writes_;  // oldest first
};

}  // namespace tilebound::apicap
