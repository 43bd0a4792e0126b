#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tilebound::base {

/// Some bytes ahead of a cursor, for code that reads a short record with a single check of length.
/// Every place that can be asked for lies within.
class Ahead {
 public:
  static constexpr std::size_t kBytes = 24;

  /// The eight bytes from `at` on (taken modulo 16), the first one lowest.
  std::uint64_t word(std::size_t at) const {
    std::uint64_t out;
    std::memcpy(&out, bytes_ + (at & 15), sizeof out);
    return out;
  }

 private:
  friend class ByteCursor;
  const char* bytes_ = nullptr;
};

/// Where the varint at the begin of `word` ends: the lowest set bit is the clear top bit of its
/// last byte. 0 when it does not end within the word.
constexpr std::uint64_t varint_end(std::uint64_t word) {
  return ~word & 0x8080808080808080;
}

/// Bytes of the varint that ends at the lowest bit of `end`.
constexpr std::size_t varint_size(std::uint64_t end) {
  return static_cast<std::size_t>(std::countr_zero(end)) / 8 + 1;
}

/// The number that the varint at the begin of `word` stands for: three shifts close the gaps
/// between the groups of seven bits. `end` is varint_end(word), not 0.
constexpr std::uint64_t varint_value(std::uint64_t word, std::uint64_t end) {
  word &= end ^ (end - 1);
  word = (word & 0x007f007f007f007f) | ((word & 0x7f007f007f007f00) >> 1);
  word = (word & 0x00003fff00003fff) | ((word & 0x3fff00003fff0000) >> 2);
  return (word & 0x000000000fffffff) | ((word & 0x0fffffff00000000) >> 4);
}

/// The only code that walks untrusted protobuf bytes: a cursor whose every step is checked.
///
/// Encoding as in https://protobuf.dev/programming-guides/encoding/: a varint is at most ten bytes
/// and may be padded with 0x80 bytes (Perfetto pads nested lengths to four).
class ByteCursor {
 public:
  explicit ByteCursor(std::string_view bytes)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  bool empty() const { return at_ == end_; }

  /// Steps over the next byte when it is `expected`.
  bool take(std::uint8_t expected) {
    if (at_ == end_ || static_cast<std::uint8_t>(*at_) != expected) return false;
    ++at_;
    return true;
  }

  /// Reads a varint; false when it is cut off or longer than ten bytes. Bits above 64 are dropped.
  bool varint(std::uint64_t& out) {
    if (at_ != end_ && static_cast<std::uint8_t>(*at_) < 0x80) {
      out = static_cast<std::uint8_t>(*at_++);
      return true;
    }
    return left() >= 8 ? wide_varint(out) : careful_varint(out);
  }

  bool fixed64(std::uint64_t& out) { return fixed(out); }
  bool fixed32(std::uint32_t& out) { return fixed(out); }

  bool bytes(std::uint64_t count, std::string_view& out) {
    if (count > left()) return false;
    out = {at_, static_cast<std::size_t>(count)};
    at_ += count;
    return true;
  }

  /// False when fewer than Ahead::kBytes are left. Holds while the bytes do.
  bool look(Ahead& out) const {
    out.bytes_ = at_;
    return left() >= Ahead::kBytes;
  }

  bool skip(std::uint64_t count) {
    if (count > left()) return false;
    at_ += count;
    return true;
  }

 private:
  template <typename Int>
  bool fixed(Int& out) {
    static_assert(std::endian::native == std::endian::little);
    if (left() < sizeof out) return false;
    std::memcpy(&out, at_, sizeof out);
    at_ += sizeof out;
    return true;
  }

  bool wide_varint(std::uint64_t& out) {
    std::uint64_t word;
    std::memcpy(&word, at_, sizeof word);
    const std::uint64_t end = varint_end(word);
    if (end == 0) return careful_varint(out);
    out = varint_value(word, end);
    at_ += varint_size(end);
    return true;
  }

  bool careful_varint(std::uint64_t& out) {
    out = 0;
    const char* at = at_;
    for (int shift = 0; shift < 70 && at != end_; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(*at++);
      out |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) {
        at_ = at;
        return true;
      }
    }
    return false;
  }

  const char* at_;
  const char* end_;
};

/// How the value of a field is stored. Groups (3 and 4) are not used by proto2 messages of today
/// and count as damage.
enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

/// Number and wire type of a field in one word, to switch on both at once.
constexpr std::uint32_t proto_tag(std::uint32_t field, WireType wire) {
  return field << 3 | static_cast<std::uint32_t>(wire);
}
constexpr std::uint32_t varint_tag(std::uint32_t field) {
  return proto_tag(field, WireType::varint);
}
constexpr std::uint32_t double_tag(std::uint32_t field) {
  return proto_tag(field, WireType::fixed64);
}
constexpr std::uint32_t bytes_tag(std::uint32_t field) {
  return proto_tag(field, WireType::bytes);
}

/// The fields of one message, in order:
///
///     ProtoReader reader(bytes);
///     while (reader.next()) switch (reader.tag()) { case varint_tag(8): ... reader.number(); }
///     if (!reader.intact()) ...  // stopped at damage, before the end
class ProtoReader {
 public:
  explicit ProtoReader(std::string_view message) : cursor_(message) {}
  /// The fields from where `cursor` stands.
  explicit ProtoReader(ByteCursor cursor) : cursor_(cursor) {}

  /// Moves to the next field and reads its value. False at the end and at damage.
  bool next() {
    if (cursor_.empty()) return false;
    std::uint64_t tag = 0;
    intact_ = cursor_.varint(tag) && tag >> 3 != 0 && tag <= kLargestTag && value(tag & 7);
    tag_ = static_cast<std::uint32_t>(tag);
    return intact_;
  }

  bool intact() const { return intact_; }
  std::uint32_t tag() const { return tag_; }
  std::uint32_t field() const { return tag_ >> 3; }
  WireType wire() const { return static_cast<WireType>(tag_ & 7); }

  /// The value of a varint or fixed field, else 0.
  std::uint64_t number() const { return number_; }
  double real() const { return std::bit_cast<double>(number_); }
  /// The value of a length-delimited field, else empty.
  std::string_view bytes() const { return bytes_; }
  /// Behind the current field.
  ByteCursor cursor() const { return cursor_; }

 private:
  static constexpr std::uint64_t kLargestTag = (std::uint64_t{1} << 32) - 1;

  bool value(std::uint64_t wire) {
    number_ = 0;
    bytes_ = {};
    switch (wire) {
      case 0:
        return cursor_.varint(number_);
      case 1:
        return cursor_.fixed64(number_);
      case 2:
        return cursor_.varint(number_) && cursor_.bytes(number_, bytes_);
      case 5: {
        std::uint32_t word = 0;
        if (!cursor_.fixed32(word)) return false;
        number_ = word;
        return true;
      }
      default:
        return false;
    }
  }

  ByteCursor cursor_;
  std::uint64_t number_ = 0;
  std::string_view bytes_;
  std::uint32_t tag_ = 0;
  bool intact_ = true;
};

/// Calls f(number) for the current field of a repeated varint, packed or not.
template <typename F>
bool for_each_number(const ProtoReader& reader, F&& f) {
  if (reader.wire() != WireType::bytes) {
    f(reader.number());
    return true;
  }
  ByteCursor cursor(reader.bytes());
  std::uint64_t number = 0;
  while (!cursor.empty()) {
    if (!cursor.varint(number)) return false;
    f(number);
  }
  return true;
}

}  // namespace tilebound::base
