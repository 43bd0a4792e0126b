#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "apicap/contents.h"
#include "model/api_frame.h"

/// OpenGL ES's objects and the state of its context, as far as a frame can ask for them.
namespace tilebound::apicap::gles {

using Handle = std::uint64_t;  // the source's id; 0 is none, and the window for a framebuffer

/// Images of the window, which no call names.
constexpr Handle kWindowColorImage = ~Handle{0};
constexpr Handle kWindowDepthImage = ~Handle{0} - 1;

constexpr std::size_t kMostOutputs = 8;  // colour outputs of a fragment shader

/// A texture or a renderbuffer.
struct ImageObject {
  model::Image facts;
  /// Samples in tile memory of a renderbuffer that memory holds resolved
  /// (GL_EXT_multisampled_render_to_texture).
  std::uint32_t tile_samples = 1;
  /// Nothing was written since its storage was given.
  bool fresh = false;
  /// Parts {mip, layer} whose content was given up since.
  std::set<std::pair<std::uint32_t, std::uint32_t>> undefined;
};

struct AttachmentPoint {
  Handle image = 0;
  std::uint32_t mip = 0;
  std::uint32_t layer = 0;
  bool layered = false;            // all layers
  std::uint32_t views = 1;         // OVR_multiview
  std::uint32_t tile_samples = 1;  // of the attachment point, as of ImageObject

  bool operator==(const AttachmentPoint&) const = default;
};

struct FramebufferObject {
  std::map<std::uint32_t, AttachmentPoint> colors;  // by number
  AttachmentPoint depth;
  AttachmentPoint stencil;
  /// Which colour attachment an output of the shader goes to.
  std::vector<std::optional<std::uint32_t>> draw_buffers{0U};
  std::optional<std::uint32_t> read_buffer = 0U;
};

struct BufferObject {
  std::uint64_t size = 0;
  Contents contents;
};

/// A uniform that is a texture unit's or an image unit's number.
struct UnitUniform {
  bool image = false;
  std::optional<std::uint64_t> target;  // of the texture; empty: any
  std::uint32_t unit = 0;
};

struct ShaderObject {
  model::Stage stage = model::Stage::vertex;
};

struct ProgramObject {
  std::vector<Handle> shaders;
  /// By location. Empty: the source does not tell the program's uniforms.
  std::optional<std::map<std::uint64_t, UnitUniform>> units;
  bool writes_buffers = true;  // unless known to have no storage block
};

struct VertexAttribute {
  bool enabled = false;
  std::uint32_t binding = 0;
  std::uint32_t offset = 0;
  model::Format format;
};

struct VertexBinding {
  std::uint32_t stride = 0;
  bool per_instance = false;
};

struct VertexArrayObject {
  std::map<std::uint32_t, VertexAttribute> attributes;
  std::map<std::uint32_t, VertexBinding> bindings;
};

struct Objects {
  std::unordered_map<Handle, ImageObject> images;
  std::unordered_map<Handle, FramebufferObject> framebuffers;
  std::unordered_map<Handle, BufferObject> buffers;
  std::unordered_map<Handle, ShaderObject> shaders;
  std::unordered_map<Handle, ProgramObject> programs;
  std::unordered_map<Handle, std::vector<Handle>> pipelines;  // programs of separate stages
  std::unordered_map<Handle, VertexArrayObject> vertex_arrays;
  std::unordered_map<Handle, std::string> names;
  Handle window = 0;  // how the source calls the window's framebuffer, besides 0
};

template <typename Object>
Object* find(std::unordered_map<Handle, Object>& objects, Handle handle) {
  const auto at = objects.find(handle);
  return at == objects.end() ? nullptr : &at->second;
}

struct ImageUnit {
  Handle texture = 0;
  std::uint32_t mip = 0;
  std::uint32_t layer = 0;
  bool layered = false;
  bool writes = false;
};

/// What is bound and enabled.
struct State {
  Handle draw_framebuffer = 0;
  Handle read_framebuffer = 0;
  Handle program = 0;
  Handle pipeline = 0;
  Handle vertex_array = 0;
  Handle draw_indirect_buffer = 0;
  Handle dispatch_indirect_buffer = 0;
  std::map<std::uint32_t, Handle> storage_buffers;
  std::uint32_t active_unit = 0;
  std::map<std::uint32_t, std::map<std::uint64_t, Handle>> textures;  // by unit, by target
  std::map<std::uint32_t, ImageUnit> image_units;
  bool depth_test = false;
  bool depth_write = true;
  bool stencil_test = false;
  std::uint32_t stencil_mask = 0xff;  // of front faces, which clears use
  std::array<bool, kMostOutputs> blend{};
  std::array<std::uint32_t, kMostOutputs> color_mask{15, 15, 15, 15,
                                                     15, 15, 15, 15};  // 1 R, 2 G, 4 B, 8 A
  bool scissor_test = false;
  model::Area scissor;
  model::Area viewport;
};

}  // namespace tilebound::apicap::gles
