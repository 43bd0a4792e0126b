#include <algorithm>

#include "apicap/gles/calls.h"
#include "apicap/gles/constants.h"

/// What is bound and enabled; labels and names.
namespace tilebound::apicap::gles {

namespace {

void bind_framebuffer(Context& context, const Call& call) {
  const std::uint64_t target = call["target"].number_or(gl::kFramebuffer);
  const Handle handle = framebuffer_handle(context.objects, call["framebuffer"]);
  if (target != gl::kReadFramebuffer) context.state.draw_framebuffer = handle;
  if (target != gl::kDrawFramebuffer) context.state.read_framebuffer = handle;
}

void active_texture(Context& context, const Call& call) {
  const std::uint64_t unit = call["texture"].number_or(gl::kTexture0);
  context.state.active_unit =
      unit < gl::kTexture0 ? 0 : static_cast<std::uint32_t>(unit - gl::kTexture0);
}

void bind_texture(Context& context, const Call& call) {
  context.state.textures[context.state.active_unit][call["target"].number_or(0)] =
      call["texture"].number_or(0);
}

void bind_image(Context& context, const Call& call) {
  ImageUnit unit;
  unit.texture = call["texture"].number_or(0);
  unit.mip = call["level"].u32();
  unit.layered = call["layered"].boolean();
  unit.layer = unit.layered ? 0 : call["layer"].u32();
  unit.writes = call["access"].number_or(0) != gl::kReadOnly;
  context.state.image_units[call["unit"].u32()] = unit;
}

void bind_buffer(Context& context, const Call& call) {
  const std::uint64_t target = call["target"].number_or(0);
  const Handle handle = call["buffer"].number_or(0);
  if (target == gl::kDrawIndirectBuffer) context.state.draw_indirect_buffer = handle;
  if (target == gl::kDispatchIndirectBuffer) context.state.dispatch_indirect_buffer = handle;
}

void bind_buffer_to_index(Context& context, const Call& call) {
  if (call["target"].number_or(0) != gl::kShaderStorageBuffer) return bind_buffer(context, call);
  context.state.storage_buffers[call["index"].u32()] = call["buffer"].number_or(0);
}

void use_program(Context& context, const Call& call) {
  context.state.program = call["program"].number_or(0);
}

void bind_pipeline(Context& context, const Call& call) {
  context.state.pipeline = call["pipeline"].number_or(0);
}

void bind_vertex_array(Context& context, const Call& call) {
  context.state.vertex_array = call["vaobj"].number_or(0);
}

template <bool kOn>
void enable(Context& context, const Call& call) {
  State& state = context.state;
  switch (call["cap"].number_or(0)) {
    case gl::kDepthTest:
      state.depth_test = kOn;
      break;
    case gl::kStencilTest:
      state.stencil_test = kOn;
      break;
    case gl::kScissorTest:
      state.scissor_test = kOn;
      break;
    case gl::kBlend:
      state.blend.fill(kOn);
      break;
    default:
      break;
  }
}

template <bool kOn>
void enable_indexed(Context& context, const Call& call) {
  const std::uint32_t index = call["index"].u32();
  if (call["cap"].number_or(0) == gl::kBlend && index < kMostOutputs)
    context.state.blend[index] = kOn;
}

std::uint32_t channels(const Call& call) {
  return (call["red"].boolean() ? 1U : 0U) | (call["green"].boolean() ? 2U : 0U) |
         (call["blue"].boolean() ? 4U : 0U) | (call["alpha"].boolean() ? 8U : 0U);
}

void color_mask(Context& context, const Call& call) {
  context.state.color_mask.fill(channels(call));
}

void color_mask_indexed(Context& context, const Call& call) {
  const std::uint32_t index = call["buf"].u32();
  if (index < kMostOutputs) context.state.color_mask[index] = channels(call);
}

void depth_mask(Context& context, const Call& call) {
  context.state.depth_write = call["flag"].boolean();
}

void stencil_mask(Context& context, const Call& call) {
  if (call["face"].number_or(gl::kFront) != gl::kBack)
    context.state.stencil_mask = call["mask"].u32();
}

model::Area area_of(const Call& call) {
  return {static_cast<std::int32_t>(call["x"].u32()), static_cast<std::int32_t>(call["y"].u32()),
          call["width"].u32(), call["height"].u32()};
}

void scissor(Context& context, const Call& call) {
  context.state.scissor = area_of(call);
}

void viewport(Context& context, const Call& call) {
  context.state.viewport = area_of(call);
}

void push_label(Context& context, const Call& call) {
  const Value message = call["message"];
  context.frame.push_label((message ? message : call["marker"]).text());
}

void pop_label(Context& context, const Call& /*call*/) {
  context.frame.pop_label();
}

void name(Context& context, const Call& call) {
  context.objects.names[call["Resource"].number_or(0)] = call["Label"].text();
}

constexpr GlCall kCalls[] = {
    {"glBindFramebuffer", bind_framebuffer},
    {"glActiveTexture", active_texture},
    {"glBindTexture", bind_texture},
    {"glBindImageTexture", bind_image},
    {"glBindBuffer", bind_buffer},
    {"glBindBufferBase", bind_buffer_to_index},
    {"glBindBufferRange", bind_buffer_to_index},
    {"glUseProgram", use_program},
    {"glBindProgramPipeline", bind_pipeline},
    {"glBindVertexArray", bind_vertex_array},
    {"glEnable", enable<true>},
    {"glDisable", enable<false>},
    {"glEnablei", enable_indexed<true>},
    {"glDisablei", enable_indexed<false>},
    {"glColorMask", color_mask},
    {"glColorMaski", color_mask_indexed},
    {"glDepthMask", depth_mask},
    {"glStencilMask", stencil_mask},
    {"glStencilMaskSeparate", stencil_mask},
    {"glScissor", scissor},
    {"glViewport", viewport},
    {"glPushDebugGroup", push_label},
    {"glPopDebugGroup", pop_label},
    {"glPushGroupMarker", push_label},
    {"glPopGroupMarker", pop_label},
    {"glObjectLabel", name},
    {"glLabelObject", name},
};

}  // namespace

std::span<const GlCall> state_calls() {
  return kCalls;
}

}  // namespace tilebound::apicap::gles
