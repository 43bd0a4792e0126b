#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace tilebound::base {

/// Appends the fields of one protobuf message to a string; the other end of ProtoReader.
///
///     std::string out;
///     ProtoWriter(out).number(8, time).bytes(11, nested);
class ProtoWriter {
 public:
  explicit ProtoWriter(std::string& out) : out_(out) {}

  /// A varint field; negative numbers as their 64 bits, as int64 wants them.
  ProtoWriter& number(std::uint32_t field, std::uint64_t value) {
    varint(std::uint64_t{field} << 3);
    varint(value);
    return *this;
  }

  ProtoWriter& real(std::uint32_t field, double value) {
    varint(std::uint64_t{field} << 3 | 1);
    auto bits = std::bit_cast<std::uint64_t>(value);
    for (int i = 0; i < 8; ++i, bits >>= 8) out_ += static_cast<char>(bits & 0xff);
    return *this;
  }

  /// A string, or a message that is written already.
  ProtoWriter& bytes(std::uint32_t field, std::string_view value) {
    varint(std::uint64_t{field} << 3 | 2);
    varint(value.size());
    out_ += value;
    return *this;
  }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
    out_ += static_cast<char>(value);
  }

  std::string& out_;
};

}  // namespace tilebound::base
