#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilebound::base {

/// Bytes read forwards once, through a window that grows on demand: a file, standard input or
/// memory.
///
/// The window is what a reader sees of the input; nothing outside it is kept. So a file of any size
/// costs the memory of its largest single record.
class ByteSource {
 public:
  /// Fills a buffer, returns how many bytes it wrote; 0 means the end.
  using Fill = std::function<std::size_t(std::span<std::byte>)>;

  /// `name` is how messages call the input. `size` is its length in bytes, where known.
  ByteSource(std::string name, Fill fill, std::optional<std::uint64_t> size = std::nullopt);

  /// Bytes that stay valid as long as the source; used by tests and fuzzers.
  static ByteSource from_memory(std::string name, std::string_view bytes);

  const std::string& name() const { return name_; }
  std::optional<std::uint64_t> size() const { return size_; }

  /// Offset in the input of the next unread byte.
  std::uint64_t offset() const { return offset_; }

  /// At least `wanted` unread bytes, or all that is left when there are fewer. The view holds until
  /// the next call of a member that is not const.
  std::string_view peek(std::size_t wanted);

  /// Marks `count` bytes of the last peek as read. Must not exceed what peek returned.
  void consume(std::size_t count);

  /// The next line without its end (\n, \r\n or the end of the input), or nothing at the end.
  /// Throws InputError when a line is longer than 16 MiB, which no text format of ours has.
  std::optional<std::string_view> next_line();

 private:
  std::string name_;
  Fill fill_;
  std::optional<std::uint64_t> size_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;
  bool ended_ = false;
};

}  // namespace tilebound::base
