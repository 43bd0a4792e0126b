#include <algorithm>
#include <fmt/format.h>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

constexpr std::uint64_t kEnough = 3000;  // vertices a pass

/// Bytes of the position and of its stride, where others share it.
bool interleaved(const model::Pipeline& pipeline, std::uint32_t& stride, std::uint32_t& bytes) {
  for (const model::VertexAttribute& attribute : pipeline.attributes) {
    if (attribute.location != 0) continue;
    const model::FormatFacts* facts = model::facts_of(attribute.format);
    if (facts == nullptr || facts->components < 3) return false;  // a position, most likely
    for (const model::VertexBinding& binding : pipeline.bindings) {
      if (binding.binding != attribute.binding || binding.per_instance) continue;
      bytes = facts->bits() / 8;
      stride = binding.stride;
      return std::any_of(pipeline.attributes.begin(), pipeline.attributes.end(),
                         [&](const model::VertexAttribute& other) {
                           return other.location != 0 && other.binding == attribute.binding;
                         }) &&
             stride >= bytes * 2;
    }
  }
  return false;
}

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p < context.passes.size(); ++p) {
    std::uint64_t draws = 0;
    std::uint64_t vertices = 0;
    std::uint32_t stride = 0;
    std::uint32_t bytes = 0;
    for (const std::size_t at : context.passes[p].draws) {
      const model::Draw& draw = context.frame.draws[at];
      const model::Pipeline* pipeline = context.pipeline_of(draw);
      if (pipeline == nullptr || !draw.vertices) continue;
      if (!interleaved(*pipeline, stride, bytes)) continue;
      ++draws;
      vertices += *draw.vertices * draw.instances.value_or(1);
    }
    if (vertices < kEnough) continue;
    findings.push_back(finding(
        kInterleavedPositions, context.pass_name(p),
        {fmt::format("{} draws of {} vertices or indices; in the last of them {} bytes of position "
                     "in a stride of {}",
                     draws, vertices, bytes, stride)}));
  }
}

}  // namespace

const Rule kInterleavedPositions = {
    .id = "interleaved_positions",
    .title = "Positions share their buffer with other attributes",
    .severity = model::Severity::info,
    .applies = "tile-based GPUs",
    .vendors = {"arm", "imagination", "qualcomm"},
    .why =
        "Positions are read first, for every vertex, to cull; beside other attributes they drag "
        "those through the cache.",
    .fix = "Keep positions in a vertex buffer of their own.",
    .source = "Arm best practices on index-driven vertex shading",
    .check = check,
};

}  // namespace tilebound::lint
