#include <fmt/format.h>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

constexpr std::uint64_t kSmall = 10;  // vertices or indices
constexpr std::uint64_t kMany = 10;   // draws

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p < context.passes.size(); ++p) {
    std::uint64_t small = 0;
    for (const std::size_t at : context.passes[p].draws) {
      const model::Draw& draw = context.frame.draws[at];
      if (draw.indirect != model::IndirectSource::direct || draw.instances != 1U) continue;
      if (draw.vertices && *draw.vertices > 0 && *draw.vertices <= kSmall) ++small;
    }
    if (small <= kMany) continue;
    findings.push_back(finding(kSmallDraws, context.pass_name(p),
                               {fmt::format("{} of {} draws have at most {} vertices or indices",
                                            small, context.passes[p].counts.draws, kSmall)}));
  }
}

}  // namespace

const Rule kSmallDraws = {
    .id = "small_draws",
    .title = "Many small draws",
    .severity = model::Severity::info,
    .applies = "every GPU; Arm most",
    .why = "Each draw costs the front end as much as some hundreds of vertices.",
    .fix = "Batch or instance them.",
    .source = "Vulkan validation layers: more than 10 draws of at most 10 indices",
    .related = {"BestPractices-vkCmdDrawIndexed-many-small-indexed-drawcalls"},
    .check = check,
};

}  // namespace tilebound::lint
