#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "lint/context.h"

/// Multisampled images whose samples are read outside the pass that draws them.
namespace tilebound::lint {

/// Images of the frame, each with how: "resolved", "blitted", "copied", "sampled".
std::map<std::size_t, std::set<std::string>> read_outside_passes(const Context& context);

}  // namespace tilebound::lint
