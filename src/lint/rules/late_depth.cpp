#include <fmt/format.h>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p < context.passes.size(); ++p) {
    std::uint64_t late = 0;
    std::uint64_t early_after = 0;  // ordinary draws that follow a late one
    for (const std::size_t at : context.passes[p].draws) {
      const model::Draw& draw = context.frame.draws[at];
      const model::Pipeline* pipeline = context.pipeline_of(draw);
      const model::Shader* shader = context.shader_of(draw, model::Stage::fragment);
      if (pipeline == nullptr || shader == nullptr || pipeline->depth_write != true) continue;
      const bool changes = shader->discards || shader->writes_depth || shader->writes_sample_mask;
      if (changes && !shader->early_fragment_tests) {
        ++late;
      } else if (late > 0) {
        ++early_after;
      }
    }
    // In the right order, at the end, they are as good as they get.
    if (late == 0 || early_after == 0) continue;
    findings.push_back(
        finding(kLateDepth, context.pass_name(p),
                {fmt::format("{} draws that write depth discard, or write depth or the sample "
                             "mask, in the shader",
                             late),
                 fmt::format("{} ordinary draws come after the first of them", early_after)}));
  }
}

}  // namespace

const Rule kLateDepth = {
    .id = "late_depth",
    .title = "Shaders that discard or write depth keep depth tests late",
    .severity = model::Severity::info,
    .applies = "tile-based GPUs; PowerVR most",
    .why =
        "Depth that is known only after shading cannot hide what lies behind it: early tests, and "
        "hidden surface removal on PowerVR, stop at such draws.",
    .fix =
        "Draw them after the opaque ones, or declare early fragment tests where depth does not "
        "depend on the discard.",
    .source = "Vulkan specification, fragment operations; Imagination on hidden surface removal",
    .check = check,
};

}  // namespace tilebound::lint
