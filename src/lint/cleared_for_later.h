#pragma once

#include <cstddef>
#include <vector>

#include "lint/context.h"

/// Attachments that a pass without a draw clears and stores for a later pass to load.
namespace tilebound::lint {

struct ClearedForLater {
  std::size_t pass = 0;
  std::size_t attachment = 0;  // of that pass
  std::size_t loader = 0;      // the pass that loads it, over the same area
};

/// In the order of their passes. Nothing else happens to their images in between.
std::vector<ClearedForLater> cleared_for_later(const Context& context);

/// Whether what `loader` loads from `pass` is that: of one image, or of any.
bool is_cleared_for_later(const Context& context, const std::vector<ClearedForLater>& cleared,
                          std::size_t pass, std::size_t loader, const model::Image* image);

}  // namespace tilebound::lint
