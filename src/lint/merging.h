#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lint/context.h"

/// Passes that go on where an earlier one ended.
namespace tilebound::lint {

struct Continuation {
  std::size_t first = 0;               // passes of the frame
  std::size_t second = 0;              // loads what the first stored
  std::uint64_t shared = 0;            // attachments
  std::vector<std::size_t> between;    // passes that use no image of the two
  std::optional<std::uint64_t> bytes;  // stores and loads that one pass would not need
};

/// Pairs of render passes, the second the next render pass after the first, of the same size, that
/// share attachments which the second only loads, and whose attachments together fit the tile.
std::vector<Continuation> continuations(const Context& context);

}  // namespace tilebound::lint
