#include <algorithm>
#include <fmt/format.h>

#include "apicap/vulkan/calls.h"
#include "apicap/vulkan/names.h"

/// Images, buffers, their views and their memory.
namespace tilebound::apicap::vulkan {

namespace {

void create_image(Objects& objects, const Call& call) {
  const Value info = call["pCreateInfo"];
  const Handle handle = call["pImage"].number_or(0);
  ImageObject image;
  model::Image& facts = image.facts;
  facts.id = fmt::format("{}", handle);
  facts.format = format(info["format"]);
  facts.extent = {info["extent"]["width"].u32(), info["extent"]["height"].u32()};
  facts.layers = std::max({1u, info["arrayLayers"].u32(1), info["extent"]["depth"].u32(1)});
  facts.mips = std::max(1u, info["mipLevels"].u32(1));
  facts.samples = std::max(1u, static_cast<std::uint32_t>(enumerated(info["samples"], 1)));
  if (const auto usage = flags(info["usage"])) facts.usage = static_cast<std::uint32_t>(*usage);
  if (const auto bits = flags(info["flags"])) facts.flags = static_cast<std::uint32_t>(*bits);
  if (const Value tiling = info["tiling"]) facts.linear_tiling = enumerated(tiling, 0) == 1;
  objects.images[handle] = std::move(image);
}

void destroy_image(Objects& objects, const Call& call) {
  objects.images.erase(call["image"].number_or(0));
}

void bind_image(Objects& objects, const Call& call) {
  const auto bind = [&](Value image, Value memory) {
    if (ImageObject* object = find(objects.images, image.number_or(0))) {
      object->memory = memory.number_or(0);
    }
  };
  const Value infos = call["pBindInfos"];
  if (!infos) return bind(call["image"], call["memory"]);
  for (const Value info : infos.elements()) bind(info["image"], info["memory"]);
}

void create_image_view(Objects& objects, const Call& call) {
  const Value info = call["pCreateInfo"];
  const Value range = info["subresourceRange"];
  ViewObject view;
  view.image = info["image"].number_or(0);
  view.format = format(info["format"]);
  view.mip = range["baseMipLevel"].u32();
  view.mips = range["levelCount"].u32(1);
  view.layer = range["baseArrayLayer"].u32();
  view.layers = range["layerCount"].u32(1);
  objects.views[call["pView"].number_or(0)] = view;
}

void destroy_image_view(Objects& objects, const Call& call) {
  objects.views.erase(call["imageView"].number_or(0));
}

void create_buffer(Objects& objects, const Call& call) {
  BufferObject buffer;
  buffer.size = call["pCreateInfo"]["size"].number_or(0);
  objects.buffers[call["pBuffer"].number_or(0)] = buffer;
}

void destroy_buffer(Objects& objects, const Call& call) {
  objects.buffers.erase(call["buffer"].number_or(0));
}

void bind_buffer(Objects& objects, const Call& call) {
  const auto bind = [&](Value handle, Value memory, Value offset) {
    if (BufferObject* buffer = find(objects.buffers, handle.number_or(0))) {
      buffer->memory = memory.number_or(0);
      buffer->offset = offset.number_or(0);
    }
  };
  const Value infos = call["pBindInfos"];
  if (!infos) return bind(call["buffer"], call["memory"], call["memoryOffset"]);
  for (const Value info : infos.elements()) {
    bind(info["buffer"], info["memory"], info["memoryOffset"]);
  }
}

void create_buffer_view(Objects& objects, const Call& call) {
  objects.buffer_views[call["pView"].number_or(0)] = call["pCreateInfo"]["buffer"].number_or(0);
}

void destroy_buffer_view(Objects& objects, const Call& call) {
  objects.buffer_views.erase(call["bufferView"].number_or(0));
}

constexpr ObjectCall kCalls[] = {
    {"vkCreateImage", create_image},
    {"vkDestroyImage", destroy_image},
    {"vkBindImageMemory", bind_image},
    {"vkBindImageMemory2", bind_image},
    {"vkCreateImageView", create_image_view},
    {"vkDestroyImageView", destroy_image_view},
    {"vkCreateBuffer", create_buffer},
    {"vkDestroyBuffer", destroy_buffer},
    {"vkBindBufferMemory", bind_buffer},
    {"vkBindBufferMemory2", bind_buffer},
    {"vkCreateBufferView", create_buffer_view},
    {"vkDestroyBufferView", destroy_buffer_view},
};

}  // namespace

std::span<const ObjectCall> resource_calls() {
  return kCalls;
}

}  // namespace tilebound::apicap::vulkan
