#include "lint/full_screen.h"

namespace tilebound::lint {

const model::Draw* full_screen_first_draw(const Context& context, std::size_t pass,
                                          std::uint32_t slot) {
  const PassFacts& facts = context.passes[pass];
  if (facts.draws.empty()) return nullptr;
  const model::Draw& draw = context.frame.draws[facts.draws.front()];
  const model::Area& area = context.frame.passes[pass].area;
  const model::Pipeline* pipeline = context.pipeline_of(draw);
  if (pipeline == nullptr || draw.subpass != 0) return nullptr;
  const bool triangle = draw.vertices == 3U && pipeline->topology == "TRIANGLE_LIST";
  const bool quad = draw.vertices == 4U && pipeline->topology == "TRIANGLE_STRIP";
  const bool two = draw.vertices == 6U && pipeline->topology == "TRIANGLE_LIST";
  if (draw.indirect != model::IndirectSource::direct || draw.instances != 1U) return nullptr;
  if (!(triangle || quad || two) || pipeline->covers_without_geometry != true) return nullptr;
  if (pipeline->depth_test != false) return nullptr;
  if (slot >= pipeline->blends.size() || pipeline->blends[slot]) return nullptr;
  constexpr std::uint32_t kAllComponents = 0xf;
  if (slot >= pipeline->write_masks.size() ||
      (pipeline->write_masks[slot] & kAllComponents) != kAllComponents) {
    return nullptr;
  }
  if (!draw.scissor || !covers(*draw.scissor, area)) return nullptr;
  if (draw.viewport && !covers(*draw.viewport, area)) return nullptr;
  const model::Shader* shader = context.shader_of(draw, model::Stage::fragment);
  if (shader == nullptr || shader->discards || shader->writes_sample_mask) return nullptr;
  return &draw;
}

}  // namespace tilebound::lint
