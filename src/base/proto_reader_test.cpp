#include "base/proto_reader.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace tilebound::base {
namespace {

std::string encode(std::uint64_t n, std::size_t padded_to = 1) {
  std::string out;
  do {
    const bool more = n > 0x7f || out.size() + 1 < padded_to;
    out += static_cast<char>((n & 0x7f) | (more ? 0x80 : 0));
    n >>= 7;
  } while (n > 0 || out.size() < padded_to);
  return out;
}

TEST(ByteCursor, ReadsEveryLengthOfVarintWithAndWithoutBytesBehind) {
  for (int bits = 0; bits <= 64; ++bits) {
    const std::uint64_t number = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    for (std::size_t padding = 1; padding <= 10; ++padding) {
      for (const std::size_t behind : {0, 9}) {
        const std::string bytes = encode(number, padding) + std::string(behind, '\xff');
        ByteCursor cursor(bytes);
        std::uint64_t out = 1;
        ASSERT_TRUE(cursor.varint(out)) << bits;
        EXPECT_EQ(out, number);
        EXPECT_EQ(cursor.left(), behind);
      }
    }
  }
}

TEST(ByteCursor, RefusesWhatIsCutOrTooLong) {
  std::uint64_t out = 0;
  EXPECT_FALSE(ByteCursor("").varint(out));
  EXPECT_FALSE(ByteCursor("\x80\x80").varint(out));
  EXPECT_FALSE(ByteCursor(std::string(11, '\x80')).varint(out));
  EXPECT_FALSE(ByteCursor(std::string(20, '\xff')).varint(out));
  EXPECT_FALSE(ByteCursor("1234567").fixed64(out));
  std::string_view bytes;
  EXPECT_FALSE(ByteCursor("abc").bytes(4, bytes));
  EXPECT_FALSE(ByteCursor("abc").bytes(~std::uint64_t{0}, bytes));
}

TEST(ProtoReader, ReadsEachWireType) {
  const std::string message = std::string("\x08\x96\x01") + "\x12\x03" + "abc" +
                              std::string("\x19\0\0\0\0\0\0\xf8\x3f", 9) +
                              std::string("\x25\x07\0\0\0", 5);
  ProtoReader reader(message);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.tag(), varint_tag(1));
  EXPECT_EQ(reader.number(), 150U);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.tag(), bytes_tag(2));
  EXPECT_EQ(reader.bytes(), "abc");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.tag(), double_tag(3));
  EXPECT_EQ(reader.real(), 1.5);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.number(), 7U);
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.intact());
}

TEST(ProtoReader, StopsAtDamage) {
  for (const std::string_view bad : {"\x0b",
                                     "\x12\x04"
                                     "abc",
                                     "\x08", "\x0f\x01"}) {
    ProtoReader reader(bad);
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.intact());
  }
  ProtoReader field_zero(std::string_view("\0\1", 2));
  EXPECT_FALSE(field_zero.next());
  EXPECT_FALSE(field_zero.intact());
}

TEST(ProtoReader, TakesRepeatedNumbersPackedOrNot) {
  std::vector<std::uint64_t> numbers;
  ProtoReader reader("\x08\x05\x0a\x03\x01\x96\x01");
  while (reader.next()) {
    EXPECT_TRUE(for_each_number(reader, [&](std::uint64_t n) { numbers.push_back(n); }));
  }
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{5, 1, 150}));
}

}  // namespace
}  // namespace tilebound::base
