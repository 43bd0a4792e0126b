#include "apicap/vulkan/calls.h"
#include "apicap/vulkan/names.h"

/// Commands that set what later draws use.
namespace tilebound::apicap::vulkan {

namespace {

bool compute_point(const Call& call) {
  return enumerated(call["pipelineBindPoint"], 0) == 1;
}

Payload bind_pipeline(const Call& call) {
  return BindPipeline{compute_point(call), call["pipeline"].number_or(0)};
}

Payload bind_sets(const Call& call) {
  BindSets sets;
  sets.compute = compute_point(call);
  sets.layout = call["layout"].number_or(0);
  sets.first = call["firstSet"].u32();
  for (const Value set : call["pDescriptorSets"].elements()) sets.sets.push_back(set.number_or(0));
  return sets;
}

Payload push_set(const Call& call) {
  auto written = std::make_shared<DescriptorSetObject>();
  write_descriptors(*written, call["pDescriptorWrites"]);
  return PushSet{compute_point(call), call["layout"].number_or(0), call["set"].u32(),
                 std::move(written)};
}

Payload bind_index_buffer(const Call& call) {
  switch (enumerated(call["indexType"], UINT64_MAX)) {
    case 0:
      return BindIndexBuffer{16};
    case 1:
      return BindIndexBuffer{32};
    case 1000265000:
      return BindIndexBuffer{8};
    default:
      return BindIndexBuffer{};
  }
}

Payload bind_vertex_buffers(const Call& call) {
  BindVertexBuffers buffers;
  buffers.first = call["firstBinding"].u32();
  for (const Value stride : call["pStrides"].elements()) buffers.strides.push_back(stride.u32());
  return buffers;
}

Payload set_vertex_input(const Call& call) {
  auto input = std::make_unique<SetVertexInput>();
  for (const Value binding : call["pVertexBindingDescriptions"].elements()) {
    input->bindings.push_back({binding["binding"].u32(), binding["stride"].u32(),
                               enumerated(binding["inputRate"], 0) == 1});
  }
  for (const Value attribute : call["pVertexAttributeDescriptions"].elements()) {
    input->attributes.push_back({attribute["location"].u32(), attribute["binding"].u32(),
                                 attribute["offset"].u32(), format(attribute["format"])});
  }
  return input;
}

std::optional<model::Area> first_area(Value list) {
  for (const Value area : list.elements()) return area_of(area);
  return std::nullopt;
}

// Only the first of several viewports is looked at.
Payload set_viewport(const Call& call) {
  if (call["firstViewport"].u32() != 0) return OtherCommand{};
  return SetViewport{first_area(call["pViewports"])};
}

Payload set_scissor(const Call& call) {
  if (call["firstScissor"].u32() != 0) return OtherCommand{};
  return SetScissor{first_area(call["pScissors"])};
}

Payload set_depth_test(const Call& call) {
  return SetState{StateKind::depth_test, call["depthTestEnable"].number_or(0)};
}

Payload set_depth_write(const Call& call) {
  return SetState{StateKind::depth_write, call["depthWriteEnable"].number_or(0)};
}

Payload set_topology(const Call& call) {
  return SetState{StateKind::topology, enumerated(call["primitiveTopology"], UINT64_MAX)};
}

Payload set_blend_enable(const Call& call) {
  SetColorState state{false, call["firstAttachment"].u32(), {}};
  for (const Value on : call["pColorBlendEnables"].elements()) state.values.push_back(on.u32());
  return state;
}

Payload set_write_mask(const Call& call) {
  SetColorState state{true, call["firstAttachment"].u32(), {}};
  for (const Value mask : call["pColorWriteMasks"].elements()) {
    state.values.push_back(static_cast<std::uint32_t>(flags(mask).value_or(0xF)));
  }
  return state;
}

constexpr CommandCall kCalls[] = {
    {"vkCmdBindPipeline", bind_pipeline},
    {"vkCmdBindDescriptorSets", bind_sets},
    {"vkCmdPushDescriptorSet", push_set},
    {"vkCmdBindIndexBuffer", bind_index_buffer},
    {"vkCmdBindIndexBuffer2", bind_index_buffer},
    {"vkCmdBindVertexBuffers", bind_vertex_buffers},
    {"vkCmdBindVertexBuffers2", bind_vertex_buffers},
    {"vkCmdSetVertexInput", set_vertex_input},
    {"vkCmdSetViewport", set_viewport},
    {"vkCmdSetViewportWithCount", set_viewport},
    {"vkCmdSetScissor", set_scissor},
    {"vkCmdSetScissorWithCount", set_scissor},
    {"vkCmdSetDepthTestEnable", set_depth_test},
    {"vkCmdSetDepthWriteEnable", set_depth_write},
    {"vkCmdSetPrimitiveTopology", set_topology},
    {"vkCmdSetColorBlendEnable", set_blend_enable},
    {"vkCmdSetColorWriteMask", set_write_mask},
};

}  // namespace

std::optional<model::Area> area_of(Value rect) {
  if (!rect) return std::nullopt;
  if (rect["offset"] || rect["extent"]) {
    return model::Area{static_cast<std::int32_t>(rect["offset"]["x"].number_or(0)),
                       static_cast<std::int32_t>(rect["offset"]["y"].number_or(0)),
                       rect["extent"]["width"].u32(), rect["extent"]["height"].u32()};
  }
  if (!rect["width"]) return std::nullopt;
  // A viewport; a negative height flips it.
  const auto whole = [](double v) {
    constexpr double kLargest = 1 << 24;
    return static_cast<std::int32_t>(v > -kLargest && v < kLargest ? v : 0);
  };
  const double height = rect["height"].real();
  const double top = height < 0 ? rect["y"].real() + height : rect["y"].real();
  return model::Area{whole(rect["x"].real()), whole(top),
                     static_cast<std::uint32_t>(std::abs(whole(rect["width"].real()))),
                     static_cast<std::uint32_t>(std::abs(whole(height)))};
}

std::span<const CommandCall> state_commands() {
  return kCalls;
}

}  // namespace tilebound::apicap::vulkan
