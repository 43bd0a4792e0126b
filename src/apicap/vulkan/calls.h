#pragma once

#include <span>
#include <string_view>

#include "apicap/call.h"
#include "apicap/vulkan/commands.h"
#include "apicap/vulkan/objects.h"

/// What Vulkan's calls mean for objects and command buffers, a table a topic.
namespace tilebound::apicap::vulkan {

struct ObjectCall {
  std::string_view name;
  void (*handle)(Objects& objects, const Call& call);
};

std::span<const ObjectCall> device_calls();      // instance, devices, memory, names, swapchains
std::span<const ObjectCall> resource_calls();    // images, buffers, views
std::span<const ObjectCall> pass_calls();        // render passes, framebuffers
std::span<const ObjectCall> pipeline_calls();    // shader modules, pipelines
std::span<const ObjectCall> descriptor_calls();  // layouts, sets, updates
std::span<const ObjectCall> command_buffer_calls();

struct CommandCall {
  std::string_view name;
  Payload (*record)(const Call& call);
};

std::span<const CommandCall> state_commands();
std::span<const CommandCall> pass_commands();  // passes, clears in them, labels
std::span<const CommandCall> work_commands();  // draws, dispatches
std::span<const CommandCall> transfer_commands();
std::span<const CommandCall> barrier_commands();

/// Descriptors of VkWriteDescriptorSet records into `set`.
void write_descriptors(DescriptorSetObject& set, Value writes);

std::optional<model::Area> area_of(Value rect);  // VkRect2D or VkViewport
model::LoadOp load_op(Value value);
model::StoreOp store_op(Value value);
/// "vkCmdDraw" of "vkCmdDrawKHR": an extension's calls that became core mean the same.
std::string_view without_vendor(std::string_view name);

}  // namespace tilebound::apicap::vulkan
