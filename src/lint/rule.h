#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/context.h"
#include "model/finding.h"

/// A rule is a record and a pure function: it reads a frame and appends findings, one a pass or
/// image, never one a draw. A rule is silent where the frame does not hold what would answer it.
namespace tilebound::lint {

struct Rule {
  std::string_view id;  // stable: "depth_stored_never_read"
  std::string_view title;
  model::Severity severity = model::Severity::warning;  // error: wasted in every frame
  std::string_view applies;                             // where, for people: "tile-based GPUs"
  /// Vendors that it is for; empty: every one. A GPU that is not known is one that it is for.
  std::array<std::string_view, 3> vendors{};
  std::string_view why;
  std::string_view fix;
  std::string_view source;
  /// Ids of the Vulkan validation layers' best practices on the same matter.
  std::array<std::string_view, 3> related{};
  void (*check)(const Context& context, std::vector<model::Finding>& findings) = nullptr;
};

/// Every rule, in the order in which `tilebound rules` prints them.
std::span<const Rule* const> catalogue();

/// A finding of this rule, with its severity, title, fix and related ids.
model::Finding finding(const Rule& rule, std::string where, std::vector<std::string> evidence);

}  // namespace tilebound::lint
