#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apicap/gles/frame_builder.h"

/// What draws and dispatches use: images, textures, buffers, programs and vertex arrays.
namespace tilebound::apicap::gles {

namespace {

constexpr std::uint64_t kThisFrame = 1;

std::string id_of(Handle handle) {
  if (handle == kWindowColorImage) return "window";
  if (handle == kWindowDepthImage) return "window depth";
  return fmt::format("{}", handle);
}

}  // namespace

std::optional<std::size_t> FrameBuilder::image(Handle handle) {
  if (const auto at = images_.find(handle); at != images_.end()) return at->second;
  const ImageObject* const object = find(objects_.images, handle);
  if (object == nullptr) return std::nullopt;
  model::Image facts = object->facts;
  facts.id = id_of(handle);
  if (const auto* name = find(objects_.names, handle)) facts.name = *name;
  frame_.images.push_back(std::move(facts));
  handles_.push_back(handle);
  return images_[handle] = frame_.images.size() - 1;
}

std::optional<model::ImageRange> FrameBuilder::range_of(const ImagePart& part) {
  const auto index = image(part.image);
  if (!index) return std::nullopt;
  return model::ImageRange{*index, part.mip, 1, part.layer, 1};
}

void FrameBuilder::use(model::UseKind kind, const model::ImageRange& range,
                       std::optional<std::size_t> pass) {
  const auto key = std::make_tuple(pass.value_or(~std::size_t{0}), static_cast<int>(kind),
                                   range.image, range.mip, range.layer);
  if (pass && !used_.insert(key).second) return;
  frame_.uses.push_back({event_, kind, range, pass});
}

std::vector<Handle> FrameBuilder::programs() const {
  if (state_.program != 0) return {state_.program};
  const auto* const separate = find(objects_.pipelines, state_.pipeline);
  return separate != nullptr ? *separate : std::vector<Handle>{};
}

std::vector<FrameBuilder::TextureUse> FrameBuilder::textures() const {
  std::vector<TextureUse> out;
  const auto add_unit = [&](std::uint32_t number, const std::optional<std::uint64_t>& target) {
    const auto unit = state_.textures.find(number);
    if (unit == state_.textures.end()) return;
    for (const auto& [bound_to, texture] : unit->second) {
      if (!target || *target == bound_to)
        out.push_back({model::UseKind::sampled, {texture, 0, 0}, true, false});
    }
  };
  const auto add_image = [&](const ImageUnit& unit) {
    out.push_back(
        {model::UseKind::storage, {unit.texture, unit.mip, unit.layer}, unit.layered, unit.writes});
  };
  for (const Handle handle : programs()) {
    const ProgramObject* const program = find(objects_.programs, handle);
    if (program != nullptr && program->units) {
      for (const auto& [location, uniform] : *program->units) {
        if (!uniform.image) {
          add_unit(uniform.unit, uniform.target);
        } else if (const auto unit = state_.image_units.find(uniform.unit);
                   unit != state_.image_units.end()) {
          add_image(unit->second);
        }
      }
      continue;
    }
    for (const auto& [number, targets] : state_.textures) add_unit(number, std::nullopt);
    for (const auto& [number, unit] : state_.image_units) add_image(unit);
  }
  return out;
}

bool FrameBuilder::uses_attachment() const {
  const std::vector<TextureUse> all = textures();
  return std::any_of(all.begin(), all.end(),
                     [&](const TextureUse& t) { return is_attached(t.part.image); });
}

void FrameBuilder::use_textures(std::size_t pass) {
  for (const TextureUse& texture : textures()) {
    const auto index = image(texture.part.image);
    if (!index) continue;
    const model::Image& facts = frame_.images[*index];
    model::ImageRange range{*index, texture.part.mip, 1, texture.part.layer, 1};
    if (texture.kind == model::UseKind::sampled) range = {*index, 0, facts.mips, 0, facts.layers};
    if (texture.all_layers) range.layers = facts.layers - range.layer;
    use(texture.kind, range, pass);
    if (texture.writes) set_defined(texture.part.image, range.mip, range.layer, true);
  }
}

void FrameBuilder::write_buffers() {
  const std::vector<Handle> all = programs();
  const bool writes = std::any_of(all.begin(), all.end(), [&](Handle handle) {
    const ProgramObject* const program = find(objects_.programs, handle);
    return program == nullptr || program->writes_buffers;
  });
  if (!writes) return;
  for (const auto& [index, handle] : state_.storage_buffers) {
    if (BufferObject* const buffer = find(objects_.buffers, handle)) {
      buffer->contents.write({0, buffer->size, {}, 0, true, kThisFrame});
    }
  }
}

std::size_t FrameBuilder::shader(Handle handle) {
  if (const auto at = shaders_.find(handle); at != shaders_.end()) return at->second;
  model::Shader shader;
  shader.id = id_of(handle);
  shader.entry = "main";
  if (const ShaderObject* const object = find(objects_.shaders, handle))
    shader.stage = object->stage;
  if (const auto* name = find(objects_.names, handle)) shader.name = *name;
  frame_.shaders.push_back(std::move(shader));
  return shaders_[handle] = frame_.shaders.size() - 1;
}

std::size_t FrameBuilder::pipeline(bool compute) {
  const std::vector<Handle> linked = programs();
  model::Pipeline facts;
  facts.compute = compute;
  facts.id = fmt::format("{}", fmt::join(linked, "+"));
  std::string key = fmt::format("{} {}", facts.id, compute);
  if (!compute) {
    facts.depth_test = state_.depth_test;
    facts.depth_write = state_.depth_test && state_.depth_write;
    const FramebufferObject* const bound = framebuffer(state_.draw_framebuffer);
    const std::size_t outputs =
        bound == nullptr ? 0 : std::min(bound->draw_buffers.size(), kMostOutputs);
    for (std::size_t i = 0; i < outputs; ++i) {
      facts.blends.push_back(state_.blend[i]);
      facts.write_masks.push_back(state_.color_mask[i]);
    }
    key += fmt::format(" {} {} {} {}", *facts.depth_test, *facts.depth_write,
                       fmt::join(facts.blends, ","), fmt::join(facts.write_masks, ","));
    take_vertices(facts, key);
  }
  if (const auto at = pipelines_.find(key); at != pipelines_.end()) return at->second;
  for (const Handle handle : linked) {
    const ProgramObject* const program = find(objects_.programs, handle);
    if (program == nullptr) continue;
    for (const Handle part : program->shaders) facts.shaders.push_back(shader(part));
    if (const auto* name = find(objects_.names, handle); name != nullptr && facts.name.empty())
      facts.name = *name;
  }
  frame_.pipelines.push_back(std::move(facts));
  return pipelines_[key] = frame_.pipelines.size() - 1;
}

void FrameBuilder::take_vertices(model::Pipeline& facts, std::string& key) {
  const VertexArrayObject* const vertices = find(objects_.vertex_arrays, state_.vertex_array);
  if (vertices == nullptr) return;
  std::set<std::uint32_t> bindings;
  for (const auto& [location, attribute] : vertices->attributes) {
    if (!attribute.enabled) continue;
    facts.attributes.push_back({location, attribute.binding, attribute.offset, attribute.format});
    bindings.insert(attribute.binding);
    key += fmt::format(" {}:{}+{}/{}", location, attribute.binding, attribute.offset,
                       attribute.format.vk);
  }
  for (const std::uint32_t number : bindings) {
    const auto binding = vertices->bindings.find(number);
    const VertexBinding held =
        binding == vertices->bindings.end() ? VertexBinding{} : binding->second;
    facts.bindings.push_back({number, held.stride, held.per_instance});
    key += fmt::format(" {}={}{}", number, held.stride, held.per_instance ? "i" : "v");
  }
  facts.covers_without_geometry = facts.attributes.empty();
}

}  // namespace tilebound::apicap::gles
