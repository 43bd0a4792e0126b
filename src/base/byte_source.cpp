#include "base/byte_source.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "base/error.h"

namespace tilebound::base {

namespace {

constexpr std::size_t kFirstCapacity = std::size_t{1} << 18;
constexpr std::size_t kLongestLine = std::size_t{16} << 20;

}  // namespace

ByteSource::ByteSource(std::string name, Fill fill, std::optional<std::uint64_t> size)
    : name_(std::move(name)), fill_(std::move(fill)), size_(size) {}

ByteSource ByteSource::from_memory(std::string name, std::string_view bytes) {
  const std::uint64_t size = bytes.size();
  return ByteSource(
      std::move(name),
      [bytes](std::span<std::byte> out) mutable {
        const std::size_t count = std::min(out.size(), bytes.size());
        if (count > 0) std::memcpy(out.data(), bytes.data(), count);
        bytes.remove_prefix(count);
        return count;
      },
      size);
}

std::string_view ByteSource::peek(std::size_t wanted) {
  if (end_ - begin_ < wanted && !ended_) {
    if (begin_ > 0) {
      std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    // The window grows with the bytes that arrive, so a length field that lies costs no memory.
    while (end_ < wanted && !ended_) {
      if (end_ == capacity_) {
        const std::size_t capacity = std::max(kFirstCapacity, capacity_ * 2);
        auto grown = std::make_unique_for_overwrite<std::byte[]>(capacity);
        if (end_ > 0) std::memcpy(grown.get(), buffer_.get(), end_);
        buffer_ = std::move(grown);
        capacity_ = capacity;
      }
      const std::size_t got = fill_({buffer_.get() + end_, capacity_ - end_});
      ended_ = got == 0;
      end_ += got;
    }
  }
  if (begin_ == end_) return {};
  return {reinterpret_cast<const char*>(buffer_.get()) + begin_, end_ - begin_};
}

void ByteSource::consume(std::size_t count) {
  assert(count <= end_ - begin_);
  begin_ += count;
  offset_ += count;
}

std::optional<std::string_view> ByteSource::next_line() {
  std::size_t searched = 0;
  std::string_view window = peek(1);
  if (window.empty()) return std::nullopt;
  for (;;) {
    const std::size_t at = window.find('\n', searched);
    if (at != std::string_view::npos) {
      std::string_view line = window.substr(0, at);
      consume(at + 1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      return line;
    }
    searched = window.size();
    if (searched > kLongestLine) {
      throw InputError(
          fmt::format("{}: byte {}: line longer than {} MiB", name_, offset_, kLongestLine >> 20));
    }
    window = peek(searched + 1);
    if (window.size() == searched) {
      consume(searched);
      if (window.ends_with('\r')) window.remove_suffix(1);
      return window;
    }
  }
}

}  // namespace tilebound::base
