#include <algorithm>

#include "apicap/gles/calls.h"
#include "apicap/gles/constants.h"

/// Draws, dispatches and the frame's end.
namespace tilebound::apicap::gles {

namespace {

std::uint32_t index_bits(std::uint64_t type) {
  if (type == gl::kUnsignedByte) return 8;
  return type == gl::kUnsignedShort ? 16 : 32;
}

template <bool kIndexed>
void draw(Context& context, const Call& call) {
  DrawCall out;
  out.indexed = kIndexed;
  out.vertices = call["count"].number_or(0);
  const Value instances = call["instancecount"];
  out.instances = (instances ? instances : call["primcount"]).number_or(1);
  out.first_instance = call["baseinstance"].u32();
  out.index_bits = index_bits(call["type"].number_or(0));
  context.frame.draw(out);
}

template <bool kIndexed>
void draw_several(Context& context, const Call& call) {
  DrawCall out;
  out.indexed = kIndexed;
  out.vertices = 0;
  out.instances = 1;
  out.draws = 0;
  for (const Value count : call["count"].elements()) {
    *out.vertices += count.number_or(0);
    ++out.draws;
  }
  out.index_bits = index_bits(call["type"].number_or(0));
  context.frame.draw(out);
}

template <bool kIndexed>
void draw_indirect(Context& context, const Call& call) {
  DrawCall out;
  out.indexed = kIndexed;
  out.offset = call["offset"].number_or(0);
  out.draws = call["drawcount"].u32(1);
  out.stride = call["stride"].u32();
  out.index_bits = index_bits(call["type"].number_or(0));
  context.frame.draw(out);
}

void dispatch(Context& context, const Call& call) {
  context.frame.dispatch(std::nullopt, {call["num_groups_x"].u32(1), call["num_groups_y"].u32(1),
                                        call["num_groups_z"].u32(1)});
}

void dispatch_indirect(Context& context, const Call& call) {
  context.frame.dispatch(call["offset"].number_or(0), {});
}

void flush(Context& context, const Call& /*call*/) {
  context.frame.flush();
}

void swap(Context& context, const Call& /*call*/) {
  context.frame.swap();
}

constexpr GlCall kCalls[] = {
    {"glDrawArrays", draw<false>},
    {"glDrawArraysInstanced", draw<false>},
    {"glDrawArraysInstancedBaseInstance", draw<false>},
    {"glDrawElements", draw<true>},
    {"glDrawRangeElements", draw<true>},
    {"glDrawElementsBaseVertex", draw<true>},
    {"glDrawRangeElementsBaseVertex", draw<true>},
    {"glDrawElementsInstanced", draw<true>},
    {"glDrawElementsInstancedBaseVertex", draw<true>},
    {"glDrawElementsInstancedBaseInstance", draw<true>},
    {"glDrawElementsInstancedBaseVertexBaseInstance", draw<true>},
    {"glMultiDrawArrays", draw_several<false>},
    {"glMultiDrawElements", draw_several<true>},
    {"glMultiDrawElementsBaseVertex", draw_several<true>},
    {"glDrawArraysIndirect", draw_indirect<false>},
    {"glDrawElementsIndirect", draw_indirect<true>},
    {"glMultiDrawArraysIndirect", draw_indirect<false>},
    {"glMultiDrawElementsIndirect", draw_indirect<true>},
    {"glDispatchCompute", dispatch},
    {"glDispatchComputeIndirect", dispatch_indirect},
    {"glFlush", flush},
    {"glFinish", flush},
    {"eglSwapBuffers", swap},
    {"eglSwapBuffersWithDamage", swap},
    {"eglPostSubBuffer", swap},
    {"SwapBuffers", swap},
};

}  // namespace

std::span<const GlCall> work_calls() {
  return kCalls;
}

}  // namespace tilebound::apicap::gles
