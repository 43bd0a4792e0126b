#include <algorithm>

#include "apicap/gles/calls.h"
#include "apicap/gles/constants.h"

/// What framebuffers are made of, and what clears, copies and gives up their contents.
namespace tilebound::apicap::gles {

namespace {

constexpr std::uint32_t kMostColors = 32;
constexpr std::uint32_t kMostMips = 32;

std::optional<std::uint32_t> color_number(std::uint64_t name) {
  if (name == gl::kBack || name == gl::kWindowColor) return 0;
  if (name < gl::kColorAttachment0 || name >= gl::kColorAttachment0 + kMostColors)
    return std::nullopt;
  return static_cast<std::uint32_t>(name - gl::kColorAttachment0);
}

void attach(Context& context, const Call& call, const AttachmentPoint& point) {
  const Handle handle = framebuffer_handle(context.objects, call["framebuffer"]);
  const std::uint64_t name = call["attachment"].number_or(0);
  FramebufferObject& framebuffer = context.objects.framebuffers[handle];
  const auto set = [&](AttachmentPoint& held) {
    if (held == point) return;
    context.frame.change(handle);
    held = point;
  };
  if (const auto number = color_number(name)) set(framebuffer.colors[*number]);
  if (name == gl::kDepthAttachment || name == gl::kDepthStencilAttachment) set(framebuffer.depth);
  if (name == gl::kStencilAttachment || name == gl::kDepthStencilAttachment)
    set(framebuffer.stencil);
}

void attach_texture(Context& context, const Call& call) {
  AttachmentPoint point;
  point.image = call["texture"].number_or(0);
  point.mip = std::min(call["level"].u32(), kMostMips - 1);
  const Value layer = call["layer"];
  const Value target = call["textarget"];
  const Value first_view = call["baseViewIndex"];
  if (layer) {
    point.layer = layer.u32();
  } else if (target) {
    point.layer = face_of(target.number_or(0));
  } else if (first_view) {
    point.layer = first_view.u32();
    point.views = std::max(1U, call["numViews"].u32(1));
  } else {
    const ImageObject* const image = find(context.objects.images, point.image);
    point.layered = image != nullptr && image->facts.layers > 1;
  }
  point.tile_samples = std::max(1U, call["samples"].u32(1));
  attach(context, call, point);
}

void attach_renderbuffer(Context& context, const Call& call) {
  AttachmentPoint point;
  point.image = call["renderbuffer"].number_or(0);
  attach(context, call, point);
}

void draw_buffers(Context& context, const Call& call) {
  const Handle handle = framebuffer_handle(context.objects, call["framebuffer"]);
  std::vector<std::optional<std::uint32_t>> outputs;
  const Value several = call["bufs"];
  for (const Value name : (several ? several : call["buf"]).elements()) {
    if (outputs.size() < kMostOutputs) outputs.push_back(color_number(name.number_or(0)));
  }
  FramebufferObject& framebuffer = context.objects.framebuffers[handle];
  if (framebuffer.draw_buffers == outputs) return;
  context.frame.change(handle);
  framebuffer.draw_buffers = std::move(outputs);
}

void read_buffer(Context& context, const Call& call) {
  const Handle handle = framebuffer_handle(context.objects, call["framebuffer"]);
  context.objects.framebuffers[handle].read_buffer = color_number(call["mode"].number_or(0));
}

/// Every colour that the draw framebuffer's outputs go to.
std::set<std::uint32_t> drawn_colors(const Context& context, Handle handle) {
  std::set<std::uint32_t> out;
  const FramebufferObject* const framebuffer = find(context.objects.framebuffers, handle);
  if (framebuffer == nullptr) return out;
  for (const auto& number : framebuffer->draw_buffers) {
    if (number) out.insert(*number);
  }
  return out;
}

Aspects of_mask(const Context& context, Handle handle, std::uint64_t mask) {
  Aspects out;
  if ((mask & gl::kColorBit) != 0) out.colors = drawn_colors(context, handle);
  out.depth = (mask & gl::kDepthBit) != 0;
  out.stencil = (mask & gl::kStencilBit) != 0;
  return out;
}

void clear(Context& context, const Call& call) {
  context.frame.clear(of_mask(context, context.state.draw_framebuffer, call["mask"].number_or(0)));
}

void clear_buffer(Context& context, const Call& call) {
  Aspects aspects;
  const std::uint64_t buffer = call["buffer"].number_or(0);
  if (buffer == gl::kWindowColor) {
    const FramebufferObject* const bound =
        find(context.objects.framebuffers, context.state.draw_framebuffer);
    const std::uint32_t output = call["drawbuffer"].u32();
    if (bound != nullptr && output < bound->draw_buffers.size() && bound->draw_buffers[output]) {
      aspects.colors.insert(*bound->draw_buffers[output]);
    }
  }
  aspects.depth = buffer == gl::kWindowDepth || buffer == gl::kDepthStencil;
  aspects.stencil = buffer == gl::kWindowStencil || buffer == gl::kDepthStencil;
  context.frame.clear(aspects);
}

void invalidate(Context& context, const Call& call) {
  Aspects aspects;
  for (const Value value : call["attachments"].elements()) {
    const std::uint64_t name = value.number_or(0);
    if (const auto number = color_number(name)) aspects.colors.insert(*number);
    const bool both = name == gl::kDepthStencilAttachment;
    if (both || name == gl::kDepthAttachment || name == gl::kWindowDepth) aspects.depth = true;
    if (both || name == gl::kStencilAttachment || name == gl::kWindowStencil)
      aspects.stencil = true;
  }
  context.frame.invalidate(framebuffer_handle(context.objects, call["framebuffer"]), aspects);
}

void blit(Context& context, const Call& call) {
  const Handle from = framebuffer_handle(context.objects, call["readFramebuffer"]);
  const Handle to = framebuffer_handle(context.objects, call["drawFramebuffer"]);
  const auto area = [&](const char* x0, const char* y0, const char* x1, const char* y1) {
    // Corners in any order, within the 32 bits of the API.
    const auto corner = [&](const char* name) {
      return static_cast<std::int32_t>(call[name].u32());
    };
    const auto length = [](std::int32_t a, std::int32_t b) {
      return static_cast<std::uint32_t>(std::abs(std::int64_t{b} - a));
    };
    return model::Area{std::min(corner(x0), corner(x1)), std::min(corner(y0), corner(y1)),
                       length(corner(x0), corner(x1)), length(corner(y0), corner(y1))};
  };
  context.frame.blit(from, to, of_mask(context, to, call["mask"].number_or(0)),
                     area("srcX0", "srcY0", "srcX1", "srcY1"),
                     area("dstX0", "dstY0", "dstX1", "dstY1"));
}

void read_pixels(Context& context, const Call& call) {
  context.frame.copy_out(std::nullopt, std::uint64_t{call["width"].u32()} * call["height"].u32());
}

constexpr GlCall kCalls[] = {
    {"glFramebufferTexture2D", attach_texture},
    {"glFramebufferTexture2DMultisample", attach_texture},
    {"glFramebufferTexture3D", attach_texture},
    {"glFramebufferTexture", attach_texture},
    {"glFramebufferTextureLayer", attach_texture},
    {"glFramebufferTextureMultiview", attach_texture},
    {"glFramebufferTextureMultisampleMultiview", attach_texture},
    {"glFramebufferRenderbuffer", attach_renderbuffer},
    {"glDrawBuffers", draw_buffers},
    {"glFramebufferDrawBuffer", draw_buffers},
    {"glFramebufferDrawBuffers", draw_buffers},
    {"glReadBuffer", read_buffer},
    {"glFramebufferReadBuffer", read_buffer},
    {"glClear", clear},
    {"glClearBufferfv", clear_buffer},
    {"glClearBufferiv", clear_buffer},
    {"glClearBufferuiv", clear_buffer},
    {"glClearBufferfi", clear_buffer},
    {"glInvalidateFramebuffer", invalidate},
    {"glDiscardFramebuffer", invalidate},
    {"glBlitFramebuffer", blit},
    {"glReadPixels", read_pixels},
    {"glReadnPixels", read_pixels},
};

}  // namespace

std::span<const GlCall> framebuffer_calls() {
  return kCalls;
}

}  // namespace tilebound::apicap::gles
