#include "apicap/vulkan/calls.h"
#include "apicap/vulkan/names.h"

/// Draws, dispatches, and the command buffers that hold them.
namespace tilebound::apicap::vulkan {

namespace {

Payload draw(const Call& call) {
  return DrawCommand{false, call["vertexCount"].number_or(0), call["instanceCount"].number_or(0),
                     call["firstInstance"].u32(), 1};
}

Payload draw_indexed(const Call& call) {
  return DrawCommand{true, call["indexCount"].number_or(0), call["instanceCount"].number_or(0),
                     call["firstInstance"].u32(), 1};
}

Payload draw_multi(const Call& call) {
  const bool indexed = static_cast<bool>(call["pIndexInfo"]);
  std::uint64_t vertices = 0;
  std::uint32_t draws = 0;
  for (const Value info : call[indexed ? "pIndexInfo" : "pVertexInfo"].elements()) {
    vertices += info[indexed ? "indexCount" : "vertexCount"].number_or(0);
    ++draws;
  }
  return DrawCommand{indexed, vertices, call["instanceCount"].number_or(0),
                     call["firstInstance"].u32(), draws};
}

Payload draw_mesh(const Call& /*call*/) {
  return DrawCommand{false, std::nullopt, std::nullopt, 0, 1};
}

template <bool kIndexed, bool kMesh>
Payload draw_indirect(const Call& call) {
  DrawIndirectCommand out;
  out.indexed = kIndexed;
  out.mesh = kMesh;
  out.buffer = call["buffer"].number_or(0);
  out.offset = call["offset"].number_or(0);
  const Value most = call["maxDrawCount"];
  const Value count = call["drawCount"] ? call["drawCount"] : call["count"];
  out.draws = (most ? most : count).u32();
  out.stride = call["stride"].u32();
  out.count_buffer = call["countBuffer"].number_or(0);
  out.count_offset =
      (call["countBufferOffset"] ? call["countBufferOffset"] : call["countOffset"]).number_or(0);
  return out;
}

Payload draw_byte_count(const Call& /*call*/) {
  DrawIndirectCommand out;
  out.bytes_of_feedback = true;
  out.draws = 1;
  return out;
}

Payload dispatch(const Call& call) {
  const auto groups = [&](const char* field, const char* other) {
    const Value value = call[field];
    return (value ? value : call[other]).u32(1);
  };
  DispatchCommand out;
  out.groups[0] = groups("groupCountX", "x");
  out.groups[1] = groups("groupCountY", "y");
  out.groups[2] = groups("groupCountZ", "z");
  return out;
}

Payload dispatch_indirect(const Call& call) {
  DispatchCommand out;
  out.buffer = call["buffer"].number_or(0);
  out.offset = call["offset"].number_or(0);
  return out;
}

Payload execute_commands(const Call& call) {
  ExecuteCommands out;
  for (const Value buffer : call["pCommandBuffers"].elements()) {
    out.buffers.push_back(buffer.number_or(0));
  }
  return out;
}

constexpr CommandCall kCommands[] = {
    {"vkCmdDraw", draw},
    {"vkCmdDrawIndexed", draw_indexed},
    {"vkCmdDrawMulti", draw_multi},
    {"vkCmdDrawMultiIndexed", draw_multi},
    {"vkCmdDrawMeshTasks", draw_mesh},
    {"vkCmdDrawIndirect", draw_indirect<false, false>},
    {"vkCmdDrawIndexedIndirect", draw_indirect<true, false>},
    {"vkCmdDrawIndirectCount", draw_indirect<false, false>},
    {"vkCmdDrawIndexedIndirectCount", draw_indirect<true, false>},
    {"vkCmdDrawMeshTasksIndirect", draw_indirect<false, true>},
    {"vkCmdDrawMeshTasksIndirectCount", draw_indirect<false, true>},
    {"vkCmdDrawIndirectByteCount", draw_byte_count},
    {"vkCmdDispatch", dispatch},
    {"vkCmdDispatchBase", dispatch},
    {"vkCmdDispatchIndirect", dispatch_indirect},
    {"vkCmdExecuteCommands", execute_commands},
};

void allocate(Objects& objects, const Call& call) {
  const Value info = call["pAllocateInfo"];
  std::vector<Handle>& pool = objects.command_pools[info["commandPool"].number_or(0)];
  // RenderDoc writes one buffer a call.
  const Value one = call["CommandBuffer"];
  for (const Value buffer : (one ? one : call["pCommandBuffers"]).elements()) {
    objects.command_buffers[buffer.number_or(0)] = std::make_shared<CommandList>();
    pool.push_back(buffer.number_or(0));
  }
}

void begin(Objects& objects, const Call& call) {
  objects.command_buffers[call["commandBuffer"].number_or(0)] = std::make_shared<CommandList>();
}

void reset_pool(Objects& objects, const Call& call) {
  const auto* pool = find(objects.command_pools, call["commandPool"].number_or(0));
  if (pool == nullptr) return;
  for (const Handle buffer : *pool) {
    objects.command_buffers[buffer] = std::make_shared<CommandList>();
  }
}

void destroy_pool(Objects& objects, const Call& call) {
  const Handle handle = call["commandPool"].number_or(0);
  if (const auto* pool = find(objects.command_pools, handle)) {
    for (const Handle buffer : *pool) objects.command_buffers.erase(buffer);
  }
  objects.command_pools.erase(handle);
}

void free_buffers(Objects& objects, const Call& call) {
  for (const Value buffer : call["pCommandBuffers"].elements()) {
    objects.command_buffers.erase(buffer.number_or(0));
  }
}

constexpr ObjectCall kCalls[] = {
    {"vkAllocateCommandBuffers", allocate}, {"vkBeginCommandBuffer", begin},
    {"vkResetCommandBuffer", begin},        {"vkResetCommandPool", reset_pool},
    {"vkDestroyCommandPool", destroy_pool}, {"vkFreeCommandBuffers", free_buffers},
};

}  // namespace

std::span<const CommandCall> work_commands() {
  return kCommands;
}

std::span<const ObjectCall> command_buffer_calls() {
  return kCalls;
}

}  // namespace tilebound::apicap::vulkan
