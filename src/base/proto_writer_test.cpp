#include "base/proto_writer.h"

#include <gtest/gtest.h>
#include <limits>

#include "base/proto_reader.h"

namespace tilebound::base {
namespace {

TEST(ProtoWriter, WritesWhatTheReaderReads) {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  std::string nested;
  ProtoWriter(nested).number(1, 127).number(2, 128);
  std::string out;
  ProtoWriter(out)
      .number(1, 0)
      .number(536870911, kMost)
      .real(44, -1.25)
      .bytes(23, "name")
      .bytes(4, nested)
      .bytes(5, "");
  ProtoReader reader(out);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.tag(), varint_tag(1));
  EXPECT_EQ(reader.number(), 0U);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.field(), 536870911U);
  EXPECT_EQ(reader.number(), kMost);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.tag(), double_tag(44));
  EXPECT_EQ(reader.real(), -1.25);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.tag(), bytes_tag(23));
  EXPECT_EQ(reader.bytes(), "name");
  ASSERT_TRUE(reader.next());
  ProtoReader inner(reader.bytes());
  ASSERT_TRUE(inner.next());
  EXPECT_EQ(inner.number(), 127U);
  ASSERT_TRUE(inner.next());
  EXPECT_EQ(inner.number(), 128U);
  EXPECT_FALSE(inner.next());
  ASSERT_TRUE(reader.next());
  EXPECT_TRUE(reader.bytes().empty());
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.intact());
}

}  // namespace
}  // namespace tilebound::base
