#pragma once

#include <cstddef>
#include <vector>

#include "lint/context.h"

/// Attachments that a command clears as a whole before the pass draws: what two rules share.
namespace tilebound::lint {

struct FirstClear {
  std::size_t pass = 0;
  std::size_t attachment = 0;
  std::vector<Aspect> aspects;  // that are cleared and that the attachment has
};

/// In the order of the commands; an attachment stands again for each command that clears it.
std::vector<FirstClear> first_clears(const Context& context);

}  // namespace tilebound::lint
