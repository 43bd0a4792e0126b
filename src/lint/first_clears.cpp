#include "lint/first_clears.h"

namespace tilebound::lint {

std::vector<FirstClear> first_clears(const Context& context) {
  std::vector<FirstClear> out;
  for (const model::ClearInPass& clear : context.frame.clears) {
    if (!clear.first_in_subpass || clear.masked || clear.subpass != 0) continue;
    if (clear.pass >= context.frame.passes.size()) continue;
    const model::Pass& pass = context.frame.passes[clear.pass];
    if (clear.area && !covers(*clear.area, pass.area)) continue;
    for (const std::size_t a : clear.attachments) {
      if (a >= pass.attachments.size()) continue;
      FirstClear first{clear.pass, a, {}};
      for (const Aspect aspect : kAspects) {
        if (clear.stencil_only && aspect != Aspect::stencil) continue;
        if (has_aspect(pass.attachments[a], aspect)) first.aspects.push_back(aspect);
      }
      out.push_back(std::move(first));
    }
  }
  return out;
}

}  // namespace tilebound::lint
