#include <fmt/format.h>

#include "lint/full_screen.h"
#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

// A shader that writes one constant needs a handful of instructions and no inputs.
constexpr std::uint32_t kConstantInstructions = 8;

bool writes_a_constant(const model::Shader& shader) {
  return shader.texture_samples == 0 && shader.varying_components_32 == 0 &&
         shader.varying_components_16 == 0 && shader.float_operations == 0 &&
         shader.instructions > 0 && shader.instructions <= kConstantInstructions;
}

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const model::Draw* draw = full_screen_first_draw(context, p, 0);
    if (draw == nullptr || context.passes[p].draws.size() < 2) continue;
    const model::Shader* shader = context.shader_of(*draw, model::Stage::fragment);
    if (shader == nullptr || !writes_a_constant(*shader)) continue;
    findings.push_back(finding(
        kClearByDraw, context.pass_name(p),
        {fmt::format("its first draw (event {}) fills the area with a shader of {} instructions "
                     "that reads nothing",
                     draw->event, shader->instructions)}));
  }
}

}  // namespace

const Rule kClearByDraw = {
    .id = "clear_by_draw",
    .title = "A pass begins with a draw that only clears",
    .severity = model::Severity::info,
    .applies = "tile-based GPUs",
    .why = "Such a draw shades every pixel; a clear by load op costs nothing.",
    .fix = "Set loadOp to VK_ATTACHMENT_LOAD_OP_CLEAR with the colour of the draw.",
    .source = "Vulkan specification, load operations",
    .check = check,
};

}  // namespace tilebound::lint
