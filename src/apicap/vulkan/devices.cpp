#include <fmt/format.h>

#include "apicap/vulkan/calls.h"
#include "apicap/vulkan/names.h"

/// Instance, physical devices, device memory, debug names and swapchains.
namespace tilebound::apicap::vulkan {

namespace {

// Hostile counts must not become memory.
constexpr std::uint32_t kMostMemoryTypes = 32;  // VK_MAX_MEMORY_TYPES
constexpr std::uint64_t kMostSwapchainImages = 64;

std::string version_text(std::uint64_t version) {
  return fmt::format("{}.{}.{}", (version >> 22) & 0x7F, (version >> 12) & 0x3FF, version & 0xFFF);
}

void create_instance(Objects& objects, const Call& call) {
  const Value info = call["pCreateInfo"]["pApplicationInfo"];
  const Value init = call["InitParams"];  // RenderDoc's form
  objects.application = info ? info["pApplicationName"].text() : init["AppName"].text();
}

void describe(PhysicalDevice& device, Value properties) {
  if (!properties) return;
  device.name = properties["deviceName"].text();
  if (const auto version = properties["apiVersion"].number()) {
    device.facts["api_version"] = version_text(*version);
  }
  for (const auto& [field, key] :
       {std::pair{"driverVersion", "driver_version"}, std::pair{"vendorID", "vendor_id"},
        std::pair{"deviceID", "device_id"}}) {
    if (const auto number = properties[field].number()) {
      device.facts[key] = field == std::string_view("driverVersion")
                              ? fmt::format("{}", *number)
                              : fmt::format("{:#06x}", *number);
    }
  }
}

void take_memory_types(PhysicalDevice& device, Value properties) {
  if (!properties) return;
  const std::uint32_t count =
      std::min(properties["memoryTypeCount"].u32(kMostMemoryTypes), kMostMemoryTypes);
  device.memory_types.clear();
  for (const Value type : properties["memoryTypes"].elements()) {
    if (device.memory_types.size() >= count) break;
    device.memory_types.push_back(
        static_cast<std::uint32_t>(flags(type["propertyFlags"]).value_or(0)));
  }
}

void physical_device_properties(Objects& objects, const Call& call) {
  const Value properties = call["pProperties"];
  const Value nested = properties["properties"];
  PhysicalDevice& device = objects.physical_devices[call["physicalDevice"].number_or(0)];
  describe(device, nested ? nested : properties);
  const Value driver =
      next_in_chain(properties, "VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES");
  if (driver) {
    device.facts["driver"] =
        fmt::format("{} {}", driver["driverName"].text(), driver["driverInfo"].text());
  }
}

void memory_properties(Objects& objects, const Call& call) {
  const Value properties = call["pMemoryProperties"];
  const Value nested = properties["memoryProperties"];
  take_memory_types(objects.physical_devices[call["physicalDevice"].number_or(0)],
                    nested ? nested : properties);
}

// RenderDoc writes a device's properties with its enumeration.
void enumerate_physical_devices(Objects& objects, const Call& call) {
  const Value handle = call["PhysicalDevice"];
  if (!call["physProps"]) return;
  PhysicalDevice& device = objects.physical_devices[handle.number_or(0)];
  describe(device, call["physProps"]);
  take_memory_types(device, call["memProps"]);
  const Value driver = call["driverProps"];
  if (driver) {
    device.facts["driver"] =
        fmt::format("{} {}", driver["driverName"].text(), driver["driverInfo"].text());
  }
}

void create_device(Objects& objects, const Call& call) {
  objects.physical_device = call["physicalDevice"].number_or(0);
}

void get_device_queue(Objects& objects, const Call& call) {
  const Handle queue = call["pQueue"].number_or(0);
  if (std::find(objects.queues.begin(), objects.queues.end(), queue) == objects.queues.end()) {
    objects.queues.push_back(queue);
  }
}

void allocate_memory(Objects& objects, const Call& call) {
  const Value type = call["pAllocateInfo"]["memoryTypeIndex"];
  MemoryObject memory;
  if (type) memory.type = type.u32();
  objects.memories[call["pMemory"].number_or(0)] = std::move(memory);
}

void free_memory(Objects& objects, const Call& call) {
  objects.memories.erase(call["memory"].number_or(0));
}

void set_name(Objects& objects, const Call& call) {
  const Value info = call["pNameInfo"];
  const Value handle = info ? info["objectHandle"] : call["Object"];
  const Value name = info ? info["pObjectName"] : call["ObjectName"];
  if (handle) objects.names[handle.number_or(0)] = name.text();
}

void set_marker_name(Objects& objects, const Call& call) {
  const Value info = call["pNameInfo"];
  if (!info) return set_name(objects, call);
  objects.names[info["object"].number_or(0)] = info["pObjectName"].text();
}

void create_swapchain(Objects& objects, const Call& call) {
  const Value info = call["pCreateInfo"];
  SwapchainObject swapchain;
  model::Image& facts = swapchain.facts;
  facts.format = format(info["imageFormat"]);
  facts.extent = {info["imageExtent"]["width"].u32(), info["imageExtent"]["height"].u32()};
  facts.layers = std::max(1u, info["imageArrayLayers"].u32(1));
  facts.swapchain = true;
  if (const auto usage = flags(info["imageUsage"]))
    facts.usage = static_cast<std::uint32_t>(*usage);
  facts.linear_tiling = false;
  swapchain.surface = info["surface"].number_or(0);
  if (const auto transform = flags(info["preTransform"])) {
    swapchain.pre_transform = static_cast<std::uint32_t>(*transform);
  }
  objects.swapchains[call["pSwapchain"].number_or(0)] = std::move(swapchain);
}

void get_swapchain_images(Objects& objects, const Call& call) {
  const Handle handle = call["swapchain"].number_or(0);
  SwapchainObject* swapchain = find(objects.swapchains, handle);
  if (swapchain == nullptr) swapchain = &(objects.swapchains[handle] = {});
  swapchain->facts.swapchain = true;
  // RenderDoc writes one image a call, others all of them.
  std::uint64_t index = call["SwapchainImageIndex"].number_or(0);
  const Value one = call["SwapchainImage"];
  for (const Value image : (one ? one : call["pSwapchainImages"]).elements()) {
    if (index >= kMostSwapchainImages) break;
    if (swapchain->images.size() <= index) swapchain->images.resize(index + 1);
    const Handle handle_of_image = image.number_or(0);
    swapchain->images[index++] = handle_of_image;
    ImageObject object{swapchain->facts, 0};
    object.facts.id = fmt::format("{}", handle_of_image);
    objects.images[handle_of_image] = std::move(object);
  }
}

void destroy_swapchain(Objects& objects, const Call& call) {
  const auto at = objects.swapchains.find(call["swapchain"].number_or(0));
  if (at == objects.swapchains.end()) return;
  for (const Handle image : at->second.images) objects.images.erase(image);
  objects.swapchains.erase(at);
}

void surface_capabilities(Objects& objects, const Call& call) {
  const Value capabilities = call["pSurfaceCapabilities"];
  const Value nested = capabilities["surfaceCapabilities"];
  const Value surface = call["surface"] ? call["surface"] : call["pSurfaceInfo"]["surface"];
  if (const auto transform = flags((nested ? nested : capabilities)["currentTransform"])) {
    objects.surface_transforms[surface.number_or(0)] = static_cast<std::uint32_t>(*transform);
  }
}

constexpr ObjectCall kCalls[] = {
    {"vkCreateInstance", create_instance},
    {"vkGetPhysicalDeviceProperties", physical_device_properties},
    {"vkGetPhysicalDeviceProperties2", physical_device_properties},
    {"vkGetPhysicalDeviceMemoryProperties", memory_properties},
    {"vkGetPhysicalDeviceMemoryProperties2", memory_properties},
    {"vkEnumeratePhysicalDevices", enumerate_physical_devices},
    {"vkCreateDevice", create_device},
    {"vkGetDeviceQueue", get_device_queue},
    {"vkGetDeviceQueue2", get_device_queue},
    {"vkAllocateMemory", allocate_memory},
    {"vkFreeMemory", free_memory},
    {"vkSetDebugUtilsObjectName", set_name},
    {"vkDebugMarkerSetObjectName", set_marker_name},
    {"vkCreateSwapchain", create_swapchain},
    {"vkGetSwapchainImages", get_swapchain_images},
    {"vkDestroySwapchain", destroy_swapchain},
    {"vkGetPhysicalDeviceSurfaceCapabilities", surface_capabilities},
    {"vkGetPhysicalDeviceSurfaceCapabilities2", surface_capabilities},
};

}  // namespace

std::span<const ObjectCall> device_calls() {
  return kCalls;
}

}  // namespace tilebound::apicap::vulkan
