#include "base/byte_source.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tilebound::base {
namespace {

/// Hands out one byte a call, as a slow pipe may.
ByteSource trickle(std::string text) {
  return ByteSource("trickle",
                    [text = std::move(text),
                     at = std::size_t{0}](std::span<std::byte> out) mutable -> std::size_t {
                      if (at == text.size()) return 0;
                      out[0] = static_cast<std::byte>(text[at++]);
                      return 1;
                    });
}

TEST(ByteSource, PeeksAndConsumes) {
  ByteSource source = trickle("abcdef");
  EXPECT_EQ(source.peek(3), "abc");
  source.consume(2);
  EXPECT_EQ(source.offset(), 2);
  EXPECT_EQ(source.peek(100), "cdef");
  source.consume(4);
  EXPECT_EQ(source.peek(1), "");
}

TEST(ByteSource, SplitsLines) {
  ByteSource source = trickle("one\r\n\ntwo\nlast\r");
  EXPECT_EQ(source.next_line(), "one");
  EXPECT_EQ(source.next_line(), "");
  EXPECT_EQ(source.next_line(), "two");
  EXPECT_EQ(source.next_line(), "last");
  EXPECT_EQ(source.next_line(), std::nullopt);
}

TEST(ByteSource, RefusesEndlessLines) {
  ByteSource source("zeros", [](std::span<std::byte> out) { return out.size(); });
  EXPECT_THROW(source.next_line(), InputError);
}

}  // namespace
}  // namespace tilebound::base
