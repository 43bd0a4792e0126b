#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lint/rule.h"

/// Images that exist only while a pass runs.
namespace tilebound::lint {

struct UnmovedImage {
  std::size_t image = 0;
  bool input_attachment = false;  // a later subpass reads it
};

/// Images with memory of their own that no pass loads or stores and nothing else uses. Empty where
/// the GPU has no lazily allocated memory.
std::vector<UnmovedImage> unmoved_images(const Context& context);

/// The gain is memory, not bytes a frame.
model::Finding unmoved_finding(const Context& context, const Rule& rule,
                               const UnmovedImage& unmoved);

}  // namespace tilebound::lint
