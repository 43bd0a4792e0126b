#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lint/rule.h"

/// Attachments that are stored for nobody: what three rules share.
namespace tilebound::lint {

struct DeadStore {
  std::size_t pass = 0;
  std::size_t attachment = 0;
  std::vector<Aspect> aspects;
  bool depth = false;  // or stencil
  std::uint32_t samples = 1;
  std::optional<std::uint64_t> bytes;      // more than 0
  std::optional<std::size_t> overwritten;  // by this pass
  bool unseen = false;  // unless shaders read it through descriptors that the capture lacks
};

/// With `unseen`, only those that may have such readers.
std::vector<DeadStore> dead_stores(const Context& context, bool unseen = false);

model::Finding dead_store_finding(const Context& context, const Rule& rule, const DeadStore& dead);

}  // namespace tilebound::lint
