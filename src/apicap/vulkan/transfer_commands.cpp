#include "apicap/vulkan/calls.h"
#include "apicap/vulkan/names.h"

/// Copies, blits, clears and resolves outside passes, and barriers.
namespace tilebound::apicap::vulkan {

namespace {

using model::TransferKind;

/// The second forms of transfer calls put their arguments into one structure.
Value arguments_of(const Call& call) {
  for (const char* const name : {"pCopyBufferInfo", "pCopyImageInfo", "pCopyBufferToImageInfo",
                                 "pCopyImageToBufferInfo", "pBlitImageInfo", "pResolveImageInfo"}) {
    if (const Value info = call[name]) return info;
  }
  return {};
}

Value field(const Call& call, std::string_view name) {
  const Value info = arguments_of(call);
  return info ? info[name] : call[name];
}

ImagePart part(Handle image, Value layers) {
  return {image, layers["mipLevel"].u32(), 1, layers["baseArrayLayer"].u32(),
          layers["layerCount"].u32(1)};
}

ImagePart range_part(Handle image, Value range) {
  return {image, range["baseMipLevel"].u32(), range["levelCount"].u32(1),
          range["baseArrayLayer"].u32(), range["layerCount"].u32(1)};
}

std::uint64_t pixels_of(Value extent) {
  return extent["width"].number_or(0) * std::max<std::uint64_t>(1, extent["height"].number_or(1)) *
         std::max<std::uint64_t>(1, extent["depth"].number_or(1));
}

Payload copy_buffer(const Call& call) {
  auto out = std::make_unique<TransferCommand>();
  out->from_buffer = field(call, "srcBuffer").number_or(0);
  out->to_buffer = field(call, "dstBuffer").number_or(0);
  if (out->to_buffer == 0) out->to_buffer = field(call, "destBuffer").number_or(0);
  for (const Value region : field(call, "pRegions").elements()) {
    out->copies.push_back({region["srcOffset"].number_or(0), region["dstOffset"].number_or(0),
                           region["size"].number_or(0)});
  }
  return out;
}

template <TransferKind kKind, bool kFromImage, bool kToImage>
Payload move(const Call& call) {
  auto out = std::make_unique<TransferCommand>();
  out->kind = kKind;
  const auto handle = [&](const char* name, const char* other) {
    const Value value = field(call, name);
    return (value ? value : field(call, other)).number_or(0);
  };
  if (!kFromImage) out->from_buffer = handle("srcBuffer", "srcBuffer");
  if (!kToImage) out->to_buffer = handle("dstBuffer", "destBuffer");
  const Handle from = kFromImage ? handle("srcImage", "srcImage") : 0;
  const Handle to = kToImage ? handle("dstImage", "destImage") : 0;
  for (const Value region : field(call, "pRegions").elements()) {
    const Value buffer_side = region["imageSubresource"];
    if (kFromImage && !out->from) {
      out->from = part(from, buffer_side ? buffer_side : region["srcSubresource"]);
    }
    if (kToImage && !out->to) {
      out->to = part(to, buffer_side ? buffer_side : region["dstSubresource"]);
    }
    const Value extent = region["imageExtent"] ? region["imageExtent"] : region["extent"];
    out->pixels += pixels_of(extent);
  }
  if (kFromImage && !out->from) out->from = ImagePart{from};
  if (kToImage && !out->to) out->to = ImagePart{to};
  return out;
}

Payload clear_image(const Call& call) {
  auto out = std::make_unique<TransferCommand>();
  out->kind = TransferKind::clear;
  const Handle image = call["image"].number_or(0);
  for (const Value range : call["pRanges"].elements()) {
    if (!out->to) out->to = range_part(image, range);
  }
  if (!out->to) out->to = ImagePart{image};
  return out;
}

Payload fill_buffer(const Call& call) {
  auto out = std::make_unique<TransferCommand>();
  out->kind = TransferKind::fill;
  out->to_buffer = (call["dstBuffer"] ? call["dstBuffer"] : call["destBuffer"]).number_or(0);
  const Value offset = call["dstOffset"] ? call["dstOffset"] : call["destOffset"];
  const Value size = call["size"] ? call["size"] : call["fillSize"];
  out->copies.push_back({0, offset.number_or(0), size.number_or(0)});
  return out;
}

Payload update_buffer(const Call& call) {
  auto out = std::make_unique<TransferCommand>();
  out->kind = TransferKind::upload;
  out->to_buffer = (call["dstBuffer"] ? call["dstBuffer"] : call["destBuffer"]).number_or(0);
  const Value offset = call["dstOffset"] ? call["dstOffset"] : call["destOffset"];
  out->copies.push_back({0, offset.number_or(0), call["dataSize"].number_or(0)});
  if (call["pData"].kind() == Kind::blob) out->data = std::string(call["pData"].text());
  return out;
}

void take_image_barrier(BarrierCommand& out, Value barrier) {
  out.images.push_back(range_part(barrier["image"].number_or(0), barrier["subresourceRange"]));
  if (enumerated(barrier["oldLayout"], UINT64_MAX) == layout::undefined) {
    out.discarded.push_back(out.images.back().image);
  }
}

void take_access(BarrierCommand& out, Value barrier) {
  out.src_access |= flags(barrier["srcAccessMask"]).value_or(0);
  out.dst_access |= flags(barrier["dstAccessMask"]).value_or(0);
}

/// vkCmdPipelineBarrier and vkCmdWaitEvents: one pair of stage masks.
Payload barrier(const Call& call) {
  auto out = std::make_unique<BarrierCommand>();
  out->src_stages = flags(call["srcStageMask"]).value_or(0);
  const Value to = call["dstStageMask"] ? call["dstStageMask"] : call["destStageMask"];
  out->dst_stages = flags(to).value_or(0);
  out->by_region = (flags(call["dependencyFlags"]).value_or(0) & kDependencyByRegion) != 0;
  for (const char* const list : {"pMemoryBarriers", "pBufferMemoryBarriers"}) {
    for (const Value entry : call[list].elements()) {
      out->memory = true;
      take_access(*out, entry);
    }
  }
  for (const Value entry : call["pImageMemoryBarriers"].elements()) {
    take_access(*out, entry);
    take_image_barrier(*out, entry);
  }
  return out;
}

/// vkCmdPipelineBarrier2: masks with each barrier.
Payload barrier2(const Call& call) {
  auto out = std::make_unique<BarrierCommand>();
  const Value info = call["pDependencyInfo"] ? call["pDependencyInfo"] : call["pDependencyInfos"];
  out->by_region = (flags(info["dependencyFlags"]).value_or(0) & kDependencyByRegion) != 0;
  const auto take = [&](Value entry) {
    out->src_stages |= flags(entry["srcStageMask"]).value_or(0);
    out->dst_stages |= flags(entry["dstStageMask"]).value_or(0);
    take_access(*out, entry);
  };
  for (const char* const list : {"pMemoryBarriers", "pBufferMemoryBarriers"}) {
    for (const Value entry : info[list].elements()) {
      out->memory = true;
      take(entry);
    }
  }
  for (const Value entry : info["pImageMemoryBarriers"].elements()) {
    take(entry);
    take_image_barrier(*out, entry);
  }
  return out;
}

constexpr CommandCall kTransfers[] = {
    {"vkCmdCopyBuffer", copy_buffer},
    {"vkCmdCopyBuffer2", copy_buffer},
    {"vkCmdCopyImage", move<TransferKind::copy, true, true>},
    {"vkCmdCopyImage2", move<TransferKind::copy, true, true>},
    {"vkCmdBlitImage", move<TransferKind::blit, true, true>},
    {"vkCmdBlitImage2", move<TransferKind::blit, true, true>},
    {"vkCmdResolveImage", move<TransferKind::resolve, true, true>},
    {"vkCmdResolveImage2", move<TransferKind::resolve, true, true>},
    {"vkCmdCopyBufferToImage", move<TransferKind::upload, false, true>},
    {"vkCmdCopyBufferToImage2", move<TransferKind::upload, false, true>},
    {"vkCmdCopyImageToBuffer", move<TransferKind::readback, true, false>},
    {"vkCmdCopyImageToBuffer2", move<TransferKind::readback, true, false>},
    {"vkCmdClearColorImage", clear_image},
    {"vkCmdClearDepthStencilImage", clear_image},
    {"vkCmdFillBuffer", fill_buffer},
    {"vkCmdUpdateBuffer", update_buffer},
};

constexpr CommandCall kBarriers[] = {
    {"vkCmdPipelineBarrier", barrier},
    {"vkCmdPipelineBarrier2", barrier2},
    {"vkCmdWaitEvents", barrier},
    {"vkCmdWaitEvents2", barrier2},
};

}  // namespace

std::span<const CommandCall> transfer_commands() {
  return kTransfers;
}

std::span<const CommandCall> barrier_commands() {
  return kBarriers;
}

}  // namespace tilebound::apicap::vulkan
