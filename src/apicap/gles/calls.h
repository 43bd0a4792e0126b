#pragma once

#include <span>
#include <string_view>

#include "apicap/call.h"
#include "apicap/gles/frame_builder.h"
#include "apicap/gles/objects.h"

/// The calls that mean something, in tables by subject. Arguments are named as RenderDoc names
/// them, which makes objects explicit that OpenGL ES takes from what is bound.
namespace tilebound::apicap::gles {

/// What a call works on.
struct Context {
  Objects& objects;
  State& state;
  FrameBuilder& frame;
};

/// A call by its name, with or without the suffix of its extension.
struct GlCall {
  std::string_view name;
  void (*apply)(Context& context, const Call& call);
};

std::span<const GlCall> image_calls();        // textures and renderbuffers
std::span<const GlCall> framebuffer_calls();  // and what reads, clears and gives them up
std::span<const GlCall> buffer_calls();
std::span<const GlCall> program_calls();
std::span<const GlCall> vertex_calls();
std::span<const GlCall> state_calls();  // what is bound and enabled, labels
std::span<const GlCall> work_calls();   // draws, dispatches, the frame's end

/// A framebuffer as objects call it: the window is 0.
inline Handle framebuffer_handle(const Objects& objects, Value value) {
  const Handle handle = value.number_or(0);
  return handle == objects.window ? 0 : handle;
}

/// The face of a cube map that a target names; 0 of other targets.
std::uint32_t face_of(std::uint64_t target);

}  // namespace tilebound::apicap::gles
