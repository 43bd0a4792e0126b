#include <fmt/format.h>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

bool empty(const model::Draw& draw) {
  if (draw.indirect == model::IndirectSource::direct) {
    return draw.vertices == 0U || draw.instances == 0U;
  }
  return draw.draw_count == 0U;
}

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p < context.passes.size(); ++p) {
    std::uint64_t count = 0;
    for (const std::size_t at : context.passes[p].draws) {
      if (empty(context.frame.draws[at])) ++count;
    }
    if (count == 0) continue;
    findings.push_back(finding(kEmptyDraw, context.pass_name(p),
                               {fmt::format("{} of {} draws have no vertices, instances or records",
                                            count, context.passes[p].counts.draws)}));
  }
}

}  // namespace

const Rule kEmptyDraw = {
    .id = "empty_draw",
    .title = "Draws that draw nothing",
    .severity = model::Severity::info,
    .applies = "every GPU; Mali most",
    .why =
        "A draw of no vertices or instances, or an indirect draw of no records, still goes through "
        "the front end.",
    .fix = "Leave it out on the CPU.",
    .source = "Vulkan specification, draw commands",
    .check = check,
};

}  // namespace tilebound::lint
