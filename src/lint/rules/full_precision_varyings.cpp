#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

constexpr std::uint32_t kMany = 8;  // components; fewer are hardly worth it

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p < context.passes.size(); ++p) {
    std::set<std::size_t> pipelines;
    std::uint32_t most = 0;
    for (const std::size_t at : context.passes[p].draws) {
      const model::Draw& draw = context.frame.draws[at];
      const model::Shader* shader = context.shader_of(draw, model::Stage::fragment);
      if (shader == nullptr || shader->varying_components_16 > 0) continue;
      if (shader->varying_components_32 < kMany) continue;
      pipelines.insert(*draw.pipeline);
      most = std::max(most, shader->varying_components_32);
    }
    if (pipelines.empty()) continue;
    findings.push_back(finding(
        kFullPrecisionVaryings, context.pass_name(p),
        {fmt::format("{} {} only varyings of 32 bits, up to {} components", pipelines.size(),
                     pipelines.size() == 1 ? "pipeline has" : "pipelines have", most)}));
  }
}

}  // namespace

const Rule kFullPrecisionVaryings = {
    .id = "full_precision_varyings",
    .title = "Varyings are all of full precision",
    .severity = model::Severity::info,
    .applies = "Arm and Qualcomm GPUs",
    .vendors = {"arm", "qualcomm"},
    .why = "Varyings of 16 bits take half the bandwidth and half the interpolation.",
    .fix = "Use mediump for colours, normals and texture coordinates of small textures.",
    .source = "Arm best practices on varying precision",
    .check = check,
};

}  // namespace tilebound::lint
