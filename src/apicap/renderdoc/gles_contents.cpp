#include "apicap/renderdoc/gles_contents.h"

#include <algorithm>

#include "apicap/gles/constants.h"
#include "apicap/gles/formats.h"

namespace tilebound::apicap::renderdoc {

namespace {

namespace gl = gles::gl;

constexpr std::uint32_t kDepthPoint = 8;  // of FramebufferState's attachments, after the colours
constexpr std::uint32_t kStencilPoint = 9;
constexpr std::uint32_t kMostMips = 32;

std::uint64_t target_of_sampler(std::uint64_t type) {
  struct Sampler {
    std::uint64_t first;
    std::uint64_t target;
  };
  // Samplers of float, shadow, signed and unsigned kinds, from the registry's gl.xml.
  constexpr Sampler kSamplers[] = {
      {0x8B5E, gl::kTexture2D},
      {0x8B62, gl::kTexture2D},
      {0x8DCA, gl::kTexture2D},
      {0x8DD2, gl::kTexture2D},
      {0x8B5F, gl::kTexture3D},
      {0x8DCB, gl::kTexture3D},
      {0x8DD3, gl::kTexture3D},
      {0x8B60, gl::kTextureCube},
      {0x8DC5, gl::kTextureCube},
      {0x8DCC, gl::kTextureCube},
      {0x8DD4, gl::kTextureCube},
      {0x8DC1, gl::kTexture2DArray},
      {0x8DC4, gl::kTexture2DArray},
      {0x8DCF, gl::kTexture2DArray},
      {0x8DD7, gl::kTexture2DArray},
      {0x9108, gl::kTexture2DMultisample},
      {0x9109, gl::kTexture2DMultisample},
      {0x910A, gl::kTexture2DMultisample},
      {0x910B, gl::kTexture2DMultisampleArray},
      {0x910C, gl::kTexture2DMultisampleArray},
      {0x910D, gl::kTexture2DMultisampleArray},
      {0x900C, gl::kTextureCubeArray},
      {0x900D, gl::kTextureCubeArray},
      {0x900E, gl::kTextureCubeArray},
      {0x900F, gl::kTextureCubeArray},
      {0x8DC2, gl::kTextureBuffer},
      {0x8DD0, gl::kTextureBuffer},
      {0x8DD8, gl::kTextureBuffer},
      {0x8D66, gl::kTextureExternal},
  };
  for (const Sampler& sampler : kSamplers) {
    if (sampler.first == type) return sampler.target;
  }
  return 0;
}

bool is_image_type(std::uint64_t type) {
  return type >= 0x904C &&
         type <= 0x906C;  // GL_IMAGE_1D to GL_UNSIGNED_INT_IMAGE_2D_MULTISAMPLE_ARRAY
}

void take_texture(gles::Objects& objects, gles::Handle handle, Value state) {
  if (!state || state["width"].u32() == 0) return;
  gles::ImageObject& image = objects.images[handle];
  const std::uint64_t type = state["type"].number_or(0);
  // The creating call knows the type of the data of an unsized format.
  const model::Format format = gles::format_of(state["internalformat"].number_or(0));
  if (image.facts.format.vk == 0) image.facts.format = format;
  image.facts.extent = {state["width"].u32(), std::max(1U, state["height"].u32())};
  image.facts.layers = type == gl::kTextureCube ? 6 : std::max(1U, state["depth"].u32(1));
  image.facts.mips = std::clamp(state["mips"].u32(1), 1U, kMostMips);
  image.facts.samples = std::max(1U, state["samples"].u32(1));
}

void take_framebuffer(gles::Objects& objects, gles::Handle handle, Value state) {
  if (!state["valid"].boolean()) return;
  gles::FramebufferObject framebuffer;
  std::uint32_t number = 0;
  for (const Value held : state["Attachments"].elements()) {
    const std::uint32_t at = number++;
    gles::AttachmentPoint point;
    point.image = held["obj"].number_or(0);
    if (point.image == 0) continue;
    point.mip = std::min(held["level"].u32(), kMostMips - 1);
    point.layered = held["layered"].boolean();
    point.layer = point.layered ? 0 : held["layer"].u32();
    point.views = std::max(1U, held["numViews"].u32());
    if (point.views > 1) point.layer = held["startView"].u32();
    point.tile_samples = std::max(1U, held["numVirtualSamples"].u32());
    if (at == kDepthPoint) {
      framebuffer.depth = point;
    } else if (at == kStencilPoint) {
      framebuffer.stencil = point;
    } else if (at < kDepthPoint) {
      framebuffer.colors[at] = point;
    }
  }
  const auto number_of = [](Value name) -> std::optional<std::uint32_t> {
    const std::uint64_t value = name.number_or(0);
    if (value < gl::kColorAttachment0 || value >= gl::kColorAttachment0 + gles::kMostOutputs)
      return std::nullopt;
    return static_cast<std::uint32_t>(value - gl::kColorAttachment0);
  };
  framebuffer.draw_buffers.clear();
  for (const Value name : state["DrawBuffers"].elements())
    framebuffer.draw_buffers.push_back(number_of(name));
  framebuffer.read_buffer = number_of(state["ReadBuffer"]);
  objects.framebuffers[handle] = std::move(framebuffer);
}

void take_program(gles::Objects& objects, gles::Handle handle, Value uniforms) {
  if (!uniforms) return;
  gles::ProgramObject& program = objects.programs[handle];
  program.units.emplace();
  program.writes_buffers = uniforms["SSBOBindings"].count() > 0;
  for (const Value uniform : uniforms["ValueUniforms"].elements()) {
    for (const Value value : uniform["Values"].elements()) {
      const std::uint64_t type = value["Type"].number_or(0);
      gles::UnitUniform unit;
      unit.image = is_image_type(type);
      const std::uint64_t target = target_of_sampler(type);
      if (!unit.image && target == 0) continue;
      unit.target = target;
      for (const Value number : value["data"].elements()) {
        unit.unit = number.u32();
        break;
      }
      (*program.units)[value["Location"].number_or(0)] = unit;
    }
  }
}

void take_vertex_array(gles::Objects& objects, gles::Handle handle, Value state) {
  if (!state["valid"].boolean()) return;
  gles::VertexArrayObject array;
  std::uint32_t number = 0;
  for (const Value held : state["VertexAttribs"].elements()) {
    gles::VertexAttribute attribute;
    attribute.enabled = held["enabled"].boolean();
    attribute.binding = held["vbslot"].u32();
    attribute.offset = held["offset"].u32();
    attribute.format =
        gles::attribute_format(held["type"].number_or(0), held["size"].u32(),
                               held["normalized"].boolean(), held["integer"].boolean());
    array.attributes[number++] = attribute;
  }
  number = 0;
  for (const Value held : state["VertexBuffers"].elements()) {
    array.bindings[number++] = {held["Stride"].u32(), held["Divisor"].u32() != 0};
  }
  objects.vertex_arrays[handle] = std::move(array);
}

void take_buffer(gles::Objects& objects, gles::Handle handle, const Call& chunk) {
  const Value contents = chunk["BufferContents"];
  if (contents.kind() != Kind::blob) return;
  gles::BufferObject& buffer = objects.buffers[handle];
  buffer.size = contents.number_or(0);
  buffer.contents = {};
  Write write;
  write.size = buffer.size;
  write.blob = contents.text();
  buffer.contents.write(std::move(write));
}

}  // namespace

void take_contents(gles::Objects& objects, const Call& chunk) {
  const gles::Handle handle = chunk["id"].number_or(0);
  const std::string_view type = chunk["Type"].text();
  if (type == "Texture") take_texture(objects, handle, chunk["TextureState"]);
  if (type == "Framebuffer") take_framebuffer(objects, handle, chunk["FramebufferState"]);
  if (type == "Program") take_program(objects, handle, chunk["ProgramUniforms"]);
  if (type == "Vertex Array") take_vertex_array(objects, handle, chunk["VAOState"]);
  if (type == "Buffer") take_buffer(objects, handle, chunk);
}

}  // namespace tilebound::apicap::renderdoc
