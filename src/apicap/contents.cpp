#include "apicap/contents.h"

#include <algorithm>

namespace tilebound::apicap {

namespace {

// More live writes than this to one memory is a ring of tiny updates: the oldest are forgotten.
constexpr std::size_t kMostWrites = 1024;
constexpr std::uint64_t kMostBytes = std::uint64_t{32} << 20;

std::uint64_t end_of(const Write& write) {
  const std::uint64_t end = write.offset + write.size;
  return end < write.offset ? UINT64_MAX : end;
}

}  // namespace

void Contents::write(Write write) {
  if (write.size == 0) return;
  const std::uint64_t end = end_of(write);
  std::erase_if(writes_,
                [&](const Write& old) { return old.offset >= write.offset && end_of(old) <= end; });
  // Forgetting must not bring older bytes to light, so the oldest writes go as unknown ones.
  if (writes_.size() >= kMostWrites) {
    const std::size_t half = kMostWrites / 2;
    Write unknown{writes_[0].offset, 0, {}, 0, false, 0};
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < half; ++i) {
      unknown.offset = std::min(unknown.offset, writes_[i].offset);
      last = std::max(last, end_of(writes_[i]));
    }
    unknown.size = last - unknown.offset;
    writes_.erase(writes_.begin() + 1, writes_.begin() + static_cast<std::ptrdiff_t>(half));
    writes_[0] = unknown;
  }
  writes_.push_back(std::move(write));
}

void Contents::copy(const Contents& source, std::uint64_t from, std::uint64_t size,
                    std::uint64_t to, std::uint64_t frame) {
  const std::uint64_t end = from + size < from ? UINT64_MAX : from + size;
  std::vector<Write> copied{{to, size, {}, 0, true, frame}};
  for (const Write& write : source.writes_) {
    const std::uint64_t first = std::max(write.offset, from);
    const std::uint64_t last = std::min(end_of(write), end);
    if (first >= last) continue;
    Write piece = write;
    piece.offset = to + (first - from);
    piece.size = last - first;
    piece.blob_offset += first - write.offset;
    piece.gpu = true;
    piece.frame = frame;
    copied.push_back(std::move(piece));
  }
  for (Write& piece : copied) write(std::move(piece));
}

Contents::Read Contents::read(std::uint64_t offset, std::uint64_t size, std::uint64_t frame,
                              const BlobReader& blobs) const {
  Read result;
  if (size == 0 || size > kMostBytes) return result;
  std::string bytes(size, '\0');
  // Parts still to be found, newest write first.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> missing{{offset, offset + size}};
  bool known = true;
  for (auto write = writes_.rbegin(); write != writes_.rend() && !missing.empty(); ++write) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> rest;
    for (const auto& [first, last] : missing) {
      const std::uint64_t from = std::max(first, write->offset);
      const std::uint64_t to = std::min(last, end_of(*write));
      if (from >= to) {
        rest.emplace_back(first, last);
        continue;
      }
      if (first < from) rest.emplace_back(first, from);
      if (to < last) rest.emplace_back(to, last);
      if (write->gpu && write->frame == frame) result.gpu_written = true;
      std::optional<std::string> piece;
      if (!write->blob.empty() && blobs && known) {
        piece = blobs(write->blob, write->blob_offset + (from - write->offset), to - from);
      }
      if (!piece || piece->size() < to - from) {
        known = false;
      } else {
        bytes.replace(from - offset, to - from, *piece, 0, to - from);
      }
    }
    missing = std::move(rest);
  }
  if (known && missing.empty()) result.bytes = std::move(bytes);
  return result;
}

}  // namespace tilebound::apicap
