#include <algorithm>
#include <fmt/format.h>

#include "apicap/gles/constants.h"
#include "apicap/gles/formats.h"
#include "apicap/gles/interpreter.h"
#include "apicap/renderdoc/front_end.h"
#include "apicap/renderdoc/gles_contents.h"

/// RenderDoc's own chunks of a capture of OpenGL ES: what objects held at its begin, the state of
/// the context then, and the window's configuration.
namespace tilebound::apicap::renderdoc {

namespace {

namespace gl = gles::gl;

constexpr std::string_view kContextConfiguration = "Internal::Context Configuration";

/// The window is framebuffer 0, of two images that no call makes.
void take_window(gles::Objects& objects, const Call& chunk) {
  objects.window = chunk["FBO"].number_or(0);
  const Value configuration = chunk["InitParams"];
  const model::Extent extent{std::max(1U, configuration["width"].u32()),
                             std::max(1U, configuration["height"].u32())};
  const std::uint32_t samples = std::max(1U, configuration["multiSamples"].u32(1));
  gles::FramebufferObject window;
  gles::ImageObject color;
  color.facts.format = gles::window_color_format(configuration["colorBits"].u32(),
                                                 configuration["isSRGB"].boolean());
  color.facts.extent = extent;
  color.facts.swapchain = true;
  color.tile_samples = samples;
  color.fresh = true;
  objects.images[gles::kWindowColorImage] = color;
  window.colors[0].image = gles::kWindowColorImage;
  gles::ImageObject depth;
  depth.facts.format = gles::depth_stencil_format(configuration["depthBits"].u32(),
                                                  configuration["stencilBits"].u32());
  depth.facts.extent = extent;
  depth.tile_samples = samples;
  depth.fresh = true;
  if (depth.facts.format.vk != 0) {
    objects.images[gles::kWindowDepthImage] = depth;
    window.depth.image = gles::kWindowDepthImage;
    if (configuration["stencilBits"].u32() > 0) window.stencil.image = gles::kWindowDepthImage;
  }
  objects.framebuffers[0] = std::move(window);
}

void take_textures(gles::State& state, Value held) {
  struct Target {
    const char* field;
    std::uint64_t target;
  };
  constexpr Target kTargets[] = {
      {"GL_TEXTURE_BINDING_2D", gl::kTexture2D},
      {"GL_TEXTURE_BINDING_3D", gl::kTexture3D},
      {"GL_TEXTURE_BINDING_2D_ARRAY", gl::kTexture2DArray},
      {"GL_TEXTURE_BINDING_CUBE_MAP", gl::kTextureCube},
      {"GL_TEXTURE_BINDING_CUBE_MAP_ARRAY", gl::kTextureCubeArray},
      {"GL_TEXTURE_BINDING_BUFFER", gl::kTextureBuffer},
      {"GL_TEXTURE_BINDING_2D_MULTISAMPLE", gl::kTexture2DMultisample},
      {"GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY", gl::kTexture2DMultisampleArray},
  };
  for (const Target& target : kTargets) {
    std::uint32_t unit = 0;
    for (const Value texture : held[target.field].elements()) {
      const gles::Handle handle = texture.number_or(0);
      if (handle != 0) state.textures[unit][target.target] = handle;
      ++unit;
    }
  }
  std::uint32_t unit = 0;
  for (const Value image : held["GL_IMAGE_BINDING"].elements()) {
    const gles::Handle handle = image["res"].number_or(0);
    const bool layered = image["layered"].boolean();
    if (handle != 0) {
      state.image_units[unit] = {handle, image["level"].u32(), layered ? 0 : image["layer"].u32(),
                                 layered, image["access"].number_or(0) != gl::kReadOnly};
    }
    ++unit;
  }
}

void take_state(const gles::Objects& objects, gles::State& state, Value held) {
  if (!held) return;
  state = {};
  take_textures(state, held);
  state.draw_framebuffer = gles::framebuffer_handle(objects, held["GL_DRAW_FRAMEBUFFER_BINDING"]);
  state.read_framebuffer = gles::framebuffer_handle(objects, held["GL_READ_FRAMEBUFFER_BINDING"]);
  state.program = held["GL_CURRENT_PROGRAM"].number_or(0);
  state.pipeline = held["GL_PROGRAM_PIPELINE_BINDING"].number_or(0);
  state.vertex_array = held["GL_VERTEX_ARRAY_BINDING"].number_or(0);
  state.draw_indirect_buffer = held["GL_DRAW_INDIRECT_BUFFER_BINDING"].number_or(0);
  state.dispatch_indirect_buffer = held["GL_DISPATCH_INDIRECT_BUFFER_BINDING"].number_or(0);
  const std::uint64_t unit = held["GL_ACTIVE_TEXTURE"].number_or(gl::kTexture0);
  state.active_unit = unit < gl::kTexture0 ? 0 : static_cast<std::uint32_t>(unit - gl::kTexture0);
  state.depth_test = held["GL_DEPTH_TEST"].boolean();
  state.depth_write = held["GL_DEPTH_WRITEMASK"].boolean();
  state.stencil_test = held["GL_STENCIL_TEST"].boolean();
  state.stencil_mask = held["GL_STENCIL_WRITEMASK"].u32();
  std::size_t output = 0;
  for (const Value blend : held["GL_BLENDS"].elements()) {
    if (output < gles::kMostOutputs) state.blend[output++] = blend["Enabled"].boolean();
  }
  output = 0;
  for (const Value mask : held["GL_COLOR_WRITEMASK"].elements()) {
    if (output >= gles::kMostOutputs) break;
    state.color_mask[output++] =
        (mask["red"].boolean() ? 1U : 0U) | (mask["green"].boolean() ? 2U : 0U) |
        (mask["blue"].boolean() ? 4U : 0U) | (mask["alpha"].boolean() ? 8U : 0U);
  }
  std::uint32_t index = 0;
  for (const Value bound : held["GL_SHADER_STORAGE_BUFFER_BINDING"].elements()) {
    const gles::Handle handle = bound["res"].number_or(0);
    if (handle != 0) state.storage_buffers[index] = handle;
    ++index;
  }
  const auto area = [](Value value) {
    return model::Area{static_cast<std::int32_t>(value["x"].u32()),
                       static_cast<std::int32_t>(value["y"].u32()), value["width"].u32(),
                       value["height"].u32()};
  };
  for (const Value first : held["GL_VIEWPORT"].elements()) {
    state.viewport = area(first);
    break;
  }
  for (const Value first : held["GL_SCISSOR"].elements()) {
    state.scissor = area(first);
    state.scissor_test = first["enabled"].boolean();
    break;
  }
}

class GlesFrontEnd : public FrontEnd {
 public:
  explicit GlesFrontEnd(const ReadOptions& options) : interpreter_(options) {}

  bool wants(std::string_view name) const override {
    return name == kInitialContents || name == kBeginOfCapture || name == kContextConfiguration ||
           name == kDriverParameters || interpreter_.wants(name);
  }

  void chunk(const Call& chunk) override {
    if (chunk.name == kDriverParameters) {
      const Value parameters = chunk["InitParams"];
      device_ = parameters["renderer"].text();
      driver_ = parameters["version"].text();
    } else if (chunk.name == kInitialContents) {
      take_contents(interpreter_.objects(), chunk);
    } else if (chunk.name == kBeginOfCapture) {
      take_state(interpreter_.objects(), interpreter_.state(), chunk["state"]);
      interpreter_.begin_frame();
    } else if (chunk.name == kContextConfiguration) {
      take_window(interpreter_.objects(), chunk);
      // The state before it may call the window by a number of its own.
      gles::State& state = interpreter_.state();
      if (state.draw_framebuffer == interpreter_.objects().window) state.draw_framebuffer = 0;
      if (state.read_framebuffer == interpreter_.objects().window) state.read_framebuffer = 0;
    } else {
      interpreter_.call(chunk);
    }
  }

  model::ApiFrame finish(const std::string& source, const std::string& damage) override {
    model::ApiFrame frame = interpreter_.finish(source, damage);
    frame.device = device_;
    if (!driver_.empty()) frame.system["driver"] = driver_;
    return frame;
  }

 private:
  gles::Interpreter interpreter_;
  std::string device_;
  std::string driver_;
};

}  // namespace

std::unique_ptr<FrontEnd> gles_front_end(const ReadOptions& options) {
  return std::make_unique<GlesFrontEnd>(options);
}

}  // namespace tilebound::apicap::renderdoc
