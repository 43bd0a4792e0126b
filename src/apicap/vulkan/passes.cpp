#include <algorithm>

#include "apicap/vulkan/calls.h"
#include "apicap/vulkan/names.h"

/// Render passes of both forms, and framebuffers.
namespace tilebound::apicap::vulkan {

namespace {

std::vector<AttachmentReference> references(Value list) {
  std::vector<AttachmentReference> result;
  for (const Value reference : list.elements()) {
    result.push_back({reference["attachment"].u32(kUnused), enumerated(reference["layout"], 0)});
  }
  return result;
}

std::optional<AttachmentReference> reference(Value value) {
  if (!value) return std::nullopt;
  const auto all = references(value);
  if (all.empty() || all[0].attachment == kUnused) return std::nullopt;
  return all[0];
}

AttachmentDescription description(Value value) {
  AttachmentDescription result;
  result.format = format(value["format"]);
  result.samples = std::max(1u, static_cast<std::uint32_t>(enumerated(value["samples"], 1)));
  result.load = load_op(value["loadOp"]);
  result.store = store_op(value["storeOp"]);
  result.stencil_load = load_op(value["stencilLoadOp"]);
  result.stencil_store = store_op(value["stencilStoreOp"]);
  result.initial_layout = enumerated(value["initialLayout"], UINT64_MAX);
  return result;
}

Subpass subpass_of(Value value) {
  Subpass subpass;
  subpass.colors = references(value["pColorAttachments"]);
  subpass.resolves = references(value["pResolveAttachments"]);
  subpass.inputs = references(value["pInputAttachments"]);
  subpass.depth = reference(value["pDepthStencilAttachment"]);
  subpass.view_mask = value["viewMask"].u32();
  const Value resolve =
      next_in_chain(value, "VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE");
  subpass.depth_resolve = reference(resolve["pDepthStencilResolveAttachment"]);
  const Value rate =
      next_in_chain(value, "VK_STRUCTURE_TYPE_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR");
  subpass.shading_rate = reference(rate["pFragmentShadingRateAttachment"]);
  return subpass;
}

model::Dependency dependency(Value value) {
  const auto end = [](Value subpass) -> std::optional<std::uint32_t> {
    const std::uint32_t index = subpass.u32(kUnused);
    if (index == 0xffffffff) return std::nullopt;  // VK_SUBPASS_EXTERNAL
    return index;
  };
  // A VkMemoryBarrier2 in the chain stands for the masks.
  const Value barrier = next_in_chain(value, "VK_STRUCTURE_TYPE_MEMORY_BARRIER_2");
  const Value masks = barrier ? barrier : value;
  model::Dependency result;
  result.from_subpass = end(value["srcSubpass"]);
  result.to_subpass = end(value["dstSubpass"]);
  result.src_stages = flags(masks["srcStageMask"]).value_or(0);
  result.dst_stages = flags(masks["dstStageMask"]).value_or(0);
  result.src_access = flags(masks["srcAccessMask"]).value_or(0);
  result.dst_access = flags(masks["dstAccessMask"]).value_or(0);
  result.by_region = (flags(value["dependencyFlags"]).value_or(0) & kDependencyByRegion) != 0;
  return result;
}

void create_render_pass(Objects& objects, const Call& call) {
  const Value info = call["pCreateInfo"];
  RenderPassObject pass;
  for (const Value value : info["pAttachments"].elements()) {
    pass.attachments.push_back(description(value));
  }
  for (const Value value : info["pSubpasses"].elements())
    pass.subpasses.push_back(subpass_of(value));
  for (const Value value : info["pDependencies"].elements()) {
    pass.dependencies.push_back(dependency(value));
  }
  const Value multiview =
      next_in_chain(info, "VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO");
  std::size_t at = 0;
  for (const Value mask : multiview["pViewMasks"].elements()) {
    if (at < pass.subpasses.size()) pass.subpasses[at++].view_mask = mask.u32();
  }
  objects.render_passes[call["pRenderPass"].number_or(0)] = std::move(pass);
}

void destroy_render_pass(Objects& objects, const Call& call) {
  objects.render_passes.erase(call["renderPass"].number_or(0));
}

void create_framebuffer(Objects& objects, const Call& call) {
  const Value info = call["pCreateInfo"];
  FramebufferObject framebuffer;
  for (const Value view : info["pAttachments"].elements()) {
    framebuffer.views.push_back(view.number_or(0));
  }
  framebuffer.extent = {info["width"].u32(), info["height"].u32()};
  framebuffer.layers = std::max(1u, info["layers"].u32(1));
  objects.framebuffers[call["pFramebuffer"].number_or(0)] = std::move(framebuffer);
}

void destroy_framebuffer(Objects& objects, const Call& call) {
  objects.framebuffers.erase(call["framebuffer"].number_or(0));
}

constexpr ObjectCall kCalls[] = {
    {"vkCreateRenderPass", create_render_pass},    {"vkCreateRenderPass2", create_render_pass},
    {"vkDestroyRenderPass", destroy_render_pass},  {"vkCreateFramebuffer", create_framebuffer},
    {"vkDestroyFramebuffer", destroy_framebuffer},
};

}  // namespace

model::LoadOp load_op(Value value) {
  switch (enumerated(value, UINT64_MAX)) {
    case 0:
      return model::LoadOp::load;
    case 1:
      return model::LoadOp::clear;
    case 2:
      return model::LoadOp::dont_care;
    case 1000400000:
      return model::LoadOp::none;  // VK_ATTACHMENT_LOAD_OP_NONE_EXT
    default:
      return model::LoadOp::unknown;
  }
}

model::StoreOp store_op(Value value) {
  switch (enumerated(value, UINT64_MAX)) {
    case 0:
      return model::StoreOp::store;
    case 1:
      return model::StoreOp::dont_care;
    case 1000301000:
      return model::StoreOp::none;  // VK_ATTACHMENT_STORE_OP_NONE
    default:
      return model::StoreOp::unknown;
  }
}

std::span<const ObjectCall> pass_calls() {
  return kCalls;
}

}  // namespace tilebound::apicap::vulkan
