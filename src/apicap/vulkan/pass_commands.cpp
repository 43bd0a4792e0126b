#include "apicap/vulkan/calls.h"
#include "apicap/vulkan/names.h"

/// Commands that begin and end passes, clear in them, and label.
namespace tilebound::apicap::vulkan {

namespace {

Payload begin_render_pass(const Call& call) {
  const Value info = call["pRenderPassBegin"];
  BeginPass begin;
  begin.render_pass = info["renderPass"].number_or(0);
  begin.framebuffer = info["framebuffer"].number_or(0);
  begin.area = area_of(info["renderArea"]).value_or(model::Area{});
  const Value chained = next_in_chain(info, "VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO");
  for (const Value view : chained["pAttachments"].elements()) {
    begin.views.push_back(view.number_or(0));
  }
  return begin;
}

Payload next_subpass(const Call& /*call*/) {
  return NextSubpass{};
}

Payload end_render_pass(const Call& /*call*/) {
  return EndPass{};
}

RenderingAttachment rendering_attachment(Value value) {
  RenderingAttachment out;
  out.view = value["imageView"].number_or(0);
  if (enumerated(value["resolveMode"], 0) != 0) {
    out.resolve_view = value["resolveImageView"].number_or(0);
  }
  out.layout = enumerated(value["imageLayout"], 0);
  out.load = load_op(value["loadOp"]);
  out.store = store_op(value["storeOp"]);
  return out;
}

Payload begin_rendering(const Call& call) {
  const Value info = call["pRenderingInfo"];
  auto begin = std::make_unique<BeginRendering>();
  begin->flags = flags(info["flags"]).value_or(0);
  begin->area = area_of(info["renderArea"]).value_or(model::Area{});
  begin->layers = std::max(1U, info["layerCount"].u32(1));
  begin->view_mask = info["viewMask"].u32();
  std::uint32_t slot = 0;
  for (const Value value : info["pColorAttachments"].elements()) {
    RenderingAttachment color = rendering_attachment(value);
    color.slot = slot++;
    if (color.view != 0) begin->attachments.push_back(color);
  }
  RenderingAttachment depth = rendering_attachment(info["pDepthAttachment"]);
  RenderingAttachment stencil = rendering_attachment(info["pStencilAttachment"]);
  depth.role = model::AttachmentRole::depth_stencil;
  if (stencil.view != 0) {
    if (depth.view == 0) {
      depth = stencil;
      depth.role = model::AttachmentRole::depth_stencil;
      depth.load = model::LoadOp::none;
      depth.store = model::StoreOp::none;
    }
    depth.stencil_load = stencil.load;
    depth.stencil_store = stencil.store;
  }
  if (depth.view != 0) begin->attachments.push_back(depth);
  return begin;
}

Payload end_rendering(const Call& /*call*/) {
  return EndRendering{};
}

Payload clear_attachments(const Call& call) {
  ClearAttachments clear;
  for (const Value value : call["pAttachments"].elements()) {
    clear.attachments.push_back(
        {flags(value["aspectMask"]).value_or(0), value["colorAttachment"].u32()});
  }
  for (const Value rect : call["pRects"].elements()) {
    if (!clear.area) clear.area = area_of(rect["rect"]);
  }
  return clear;
}

Payload begin_label(const Call& call) {
  const Value label = call["pLabelInfo"] ? call["pLabelInfo"] : call["Label"];
  if (label) return BeginLabel{std::string(label["pLabelName"].text())};
  const Value marker = call["pMarkerInfo"] ? call["pMarkerInfo"] : call["pMarker"];
  return BeginLabel{std::string(marker["pMarkerName"].text())};
}

Payload end_label(const Call& /*call*/) {
  return EndLabel{};
}

constexpr CommandCall kCalls[] = {
    {"vkCmdBeginRenderPass", begin_render_pass},  {"vkCmdBeginRenderPass2", begin_render_pass},
    {"vkCmdNextSubpass", next_subpass},           {"vkCmdNextSubpass2", next_subpass},
    {"vkCmdEndRenderPass", end_render_pass},      {"vkCmdEndRenderPass2", end_render_pass},
    {"vkCmdBeginRendering", begin_rendering},     {"vkCmdEndRendering", end_rendering},
    {"vkCmdClearAttachments", clear_attachments}, {"vkCmdBeginDebugUtilsLabel", begin_label},
    {"vkCmdEndDebugUtilsLabel", end_label},       {"vkCmdDebugMarkerBegin", begin_label},
    {"vkCmdDebugMarkerEnd", end_label},
};

}  // namespace

std::span<const CommandCall> pass_commands() {
  return kCalls;
}

}  // namespace tilebound::apicap::vulkan
