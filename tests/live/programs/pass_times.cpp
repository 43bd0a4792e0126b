// A Vulkan layer for tests: when each render pass ran, and what it did, by the driver's own
// timestamps and pipeline statistics. On a software driver that is software timing. Waits for the
// queue at each present, so frames do not overlap.
//
// Appends a line a pass to $PASS_TIMES: frame, begin ns, end ns, width, height, primitives,
// fragments. Knows one device and one queue, and passes of primary command buffers that are
// submitted once.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <vector>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

namespace {

constexpr std::uint32_t kSlots = 4096;  // passes between two presents, and some in flight
constexpr VkQueryPipelineStatisticFlags kCounted =
    VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT |
    VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT;

struct Slot {
  std::uint32_t index;
  VkExtent2D size;
};

/// The next layer's functions, and what is being recorded.
struct Layer {
  PFN_vkGetInstanceProcAddr instance_address = nullptr;
  PFN_vkGetDeviceProcAddr device_address = nullptr;
  VkInstance instance = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  PFN_vkCmdBeginRenderPass begin_pass = nullptr;
  PFN_vkCmdEndRenderPass end_pass = nullptr;
  PFN_vkCmdResetQueryPool reset = nullptr;
  PFN_vkCmdWriteTimestamp stamp = nullptr;
  PFN_vkCmdBeginQuery begin_query = nullptr;
  PFN_vkCmdEndQuery end_query = nullptr;
  PFN_vkGetQueryPoolResults results = nullptr;
  PFN_vkQueueWaitIdle wait = nullptr;
  PFN_vkQueuePresentKHR present = nullptr;
  VkQueryPool times = VK_NULL_HANDLE;
  VkQueryPool counts = VK_NULL_HANDLE;
  std::uint32_t next = 0;
  std::uint64_t frame = 0;
  std::vector<Slot> recorded;
  std::mutex lock;
};
Layer layer;

template <typename Function>
void load(Function& function, const char* name) {
  function = reinterpret_cast<Function>(layer.device_address(layer.device, name));
}

/// The structure in which the loader hands over the next layer.
template <typename Link>
Link* link_of(const void* chain, VkStructureType type) {
  for (auto* at = static_cast<Link*>(const_cast<void*>(chain)); at != nullptr;
       at = static_cast<Link*>(const_cast<void*>(at->pNext))) {
    if (at->sType == type && at->function == VK_LAYER_LINK_INFO) return at;
  }
  return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                               const VkAllocationCallbacks* memory,
                                               VkInstance* instance) {
  auto* link = link_of<VkLayerInstanceCreateInfo>(info->pNext,
                                                  VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  layer.instance_address = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create =
      reinterpret_cast<PFN_vkCreateInstance>(layer.instance_address(nullptr, "vkCreateInstance"));
  const VkResult result = create(info, memory, instance);
  layer.instance = *instance;
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice gpu, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* memory,
                                             VkDevice* device) {
  auto* link =
      link_of<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  layer.device_address = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create = reinterpret_cast<PFN_vkCreateDevice>(
      layer.instance_address(layer.instance, "vkCreateDevice"));
  VkPhysicalDeviceFeatures features =
      info->pEnabledFeatures != nullptr ? *info->pEnabledFeatures : VkPhysicalDeviceFeatures{};
  features.pipelineStatisticsQuery = VK_TRUE;
  VkDeviceCreateInfo counted = *info;
  if (info->pEnabledFeatures != nullptr) counted.pEnabledFeatures = &features;
  const VkResult result = create(gpu, &counted, memory, device);
  if (result != VK_SUCCESS) return result;
  layer.device = *device;
  load(layer.begin_pass, "vkCmdBeginRenderPass");
  load(layer.end_pass, "vkCmdEndRenderPass");
  load(layer.reset, "vkCmdResetQueryPool");
  load(layer.stamp, "vkCmdWriteTimestamp");
  load(layer.begin_query, "vkCmdBeginQuery");
  load(layer.end_query, "vkCmdEndQuery");
  load(layer.results, "vkGetQueryPoolResults");
  load(layer.wait, "vkQueueWaitIdle");
  load(layer.present, "vkQueuePresentKHR");
  PFN_vkCreateQueryPool create_pool = nullptr;
  load(create_pool, "vkCreateQueryPool");
  VkQueryPoolCreateInfo pool{
      VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, nullptr, 0, VK_QUERY_TYPE_TIMESTAMP, 2 * kSlots, 0};
  create_pool(*device, &pool, nullptr, &layer.times);
  pool.queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS;
  pool.queryCount = kSlots;
  pool.pipelineStatistics = kCounted;
  create_pool(*device, &pool, nullptr, &layer.counts);
  return result;
}

VKAPI_ATTR void VKAPI_CALL begin_pass(VkCommandBuffer commands, const VkRenderPassBeginInfo* info,
                                      VkSubpassContents contents) {
  std::uint32_t slot = 0;
  {
    const std::lock_guard guard(layer.lock);
    slot = layer.next++ % kSlots;
    layer.recorded.push_back({slot, info->renderArea.extent});
  }
  layer.reset(commands, layer.times, 2 * slot, 2);
  layer.reset(commands, layer.counts, slot, 1);
  layer.stamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, layer.times, 2 * slot);
  layer.begin_query(commands, layer.counts, slot, 0);
  layer.begin_pass(commands, info, contents);
}

VKAPI_ATTR void VKAPI_CALL end_pass(VkCommandBuffer commands) {
  layer.end_pass(commands);
  const std::lock_guard guard(layer.lock);
  const std::uint32_t slot = layer.recorded.back().index;
  layer.end_query(commands, layer.counts, slot);
  layer.stamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, layer.times, 2 * slot + 1);
}

VKAPI_ATTR VkResult VKAPI_CALL present(VkQueue queue, const VkPresentInfoKHR* info) {
  layer.wait(queue);
  const std::lock_guard guard(layer.lock);
  std::ofstream out(std::getenv("PASS_TIMES"), std::ios::app);
  for (const Slot& slot : layer.recorded) {
    std::array<std::uint64_t, 2> times{};
    std::array<std::uint64_t, 2> counts{};
    const auto read = [&](VkQueryPool pool, std::uint32_t first, std::uint32_t count, auto& values,
                          VkDeviceSize stride) {
      return layer.results(layer.device, pool, first, count, sizeof values, values.data(), stride,
                           VK_QUERY_RESULT_64_BIT);
    };
    if (read(layer.times, 2 * slot.index, 2, times, sizeof times[0]) != VK_SUCCESS) continue;
    if (read(layer.counts, slot.index, 1, counts, sizeof counts) != VK_SUCCESS) continue;
    out << layer.frame << ' ' << times[0] << ' ' << times[1] << ' ' << slot.size.width << ' '
        << slot.size.height << ' ' << counts[0] << ' ' << counts[1] << '\n';
  }
  layer.recorded.clear();
  ++layer.frame;
  return layer.present(queue, info);
}

PFN_vkVoidFunction ours(const char* name) {
  struct Entry {
    const char* name;
    PFN_vkVoidFunction function;
  };
  const Entry entries[] = {
      {"vkCreateInstance", reinterpret_cast<PFN_vkVoidFunction>(create_instance)},
      {"vkCreateDevice", reinterpret_cast<PFN_vkVoidFunction>(create_device)},
      {"vkCmdBeginRenderPass", reinterpret_cast<PFN_vkVoidFunction>(begin_pass)},
      {"vkCmdEndRenderPass", reinterpret_cast<PFN_vkVoidFunction>(end_pass)},
      {"vkQueuePresentKHR", reinterpret_cast<PFN_vkVoidFunction>(present)},
  };
  for (const Entry& entry : entries) {
    if (std::strcmp(entry.name, name) == 0) return entry.function;
  }
  return nullptr;
}

}  // namespace

extern "C" VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetDeviceProcAddr(VkDevice device,
                                                                        const char* name) {
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(vkGetDeviceProcAddr);
  const PFN_vkVoidFunction own = ours(name);
  return own != nullptr ? own : layer.device_address(device, name);
}

extern "C" VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance,
                                                                          const char* name) {
  if (std::strcmp(name, "vkGetInstanceProcAddr") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(vkGetInstanceProcAddr);
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(vkGetDeviceProcAddr);
  const PFN_vkVoidFunction own = ours(name);
  return own != nullptr ? own : layer.instance_address(instance, name);
}
