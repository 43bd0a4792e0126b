#include <fmt/format.h>

#include "base/text.h"
#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

constexpr std::uint32_t kTile = 32;  // a multiple of the smaller tiles of every vendor

bool cuts(std::int64_t edge, std::int64_t end) {
  return edge % kTile != 0 && edge != end;
}

void check(const Context& context, std::vector<model::Finding>& findings) {
  std::vector<std::string> passes;
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const model::Pass& pass = context.frame.passes[p];
    if (pass.kind != model::PassKind::render || context.covers_framebuffer(pass)) continue;
    const model::Area& area = pass.area;
    if (area.width == 0 || area.height == 0 || pass.framebuffer.width == 0) continue;
    const bool off = cuts(area.x, 0) || cuts(area.y, 0) ||
                     cuts(std::int64_t{area.x} + area.width, pass.framebuffer.width) ||
                     cuts(std::int64_t{area.y} + area.height, pass.framebuffer.height);
    if (off) passes.push_back(context.pass_name(p));
  }
  if (passes.empty()) return;
  findings.push_back(
      finding(kRenderArea, "whole frame",
              {fmt::format("{} {}: {}", passes.size(), passes.size() == 1 ? "pass" : "passes",
                           base::join_some(passes, 4))}));
}

}  // namespace

const Rule kRenderArea = {
    .id = "render_area",
    .title = "Render areas end inside tiles",
    .severity = model::Severity::info,
    .applies = "tile-based GPUs",
    .why =
        "A tile that the area cuts must be loaded or kept around the area; whole tiles are "
        "cheaper.",
    .fix = "Render the whole framebuffer, or areas at multiples of vkGetRenderAreaGranularity.",
    .source = "Vulkan specification, render area granularity",
    .check = check,
};

}  // namespace tilebound::lint
