#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "apicap/contents.h"
#include "model/api_frame.h"

/// Vulkan's objects as the interpreter remembers them: what a frame can ask of them, no more.
namespace tilebound::apicap::vulkan {

using Handle = std::uint64_t;  // the source's id; 0 is VK_NULL_HANDLE

struct ImageObject {
  model::Image facts;
  Handle memory = 0;
};

struct ViewObject {
  Handle image = 0;
  model::Format format;
  std::uint32_t mip = 0;
  std::uint32_t mips = 1;
  std::uint32_t layer = 0;
  std::uint32_t layers = 1;
};

struct MemoryObject {
  std::optional<std::uint32_t> type;
  Contents contents;
};

struct BufferObject {
  std::uint64_t size = 0;
  Handle memory = 0;
  std::uint64_t offset = 0;  // in the memory
};

struct AttachmentDescription {
  model::Format format;
  std::uint32_t samples = 1;
  model::LoadOp load = model::LoadOp::unknown;
  model::StoreOp store = model::StoreOp::unknown;
  model::LoadOp stencil_load = model::LoadOp::unknown;
  model::StoreOp stencil_store = model::StoreOp::unknown;
  std::uint64_t initial_layout = 0;
};

struct AttachmentReference {
  std::uint32_t attachment = 0;
  std::uint64_t layout = 0;
};

struct Subpass {
  std::vector<AttachmentReference> colors;
  std::vector<AttachmentReference> resolves;  // a colour each, or empty
  std::vector<AttachmentReference> inputs;
  std::optional<AttachmentReference> depth;
  std::optional<AttachmentReference> depth_resolve;
  std::optional<AttachmentReference> shading_rate;
  std::uint32_t view_mask = 0;
};

struct RenderPassObject {
  std::vector<AttachmentDescription> attachments;
  std::vector<Subpass> subpasses;
  std::vector<model::Dependency> dependencies;
};

struct FramebufferObject {
  std::vector<Handle> views;  // empty: imageless
  model::Extent extent;
  std::uint32_t layers = 1;
};

struct SwapchainObject {
  std::vector<Handle> images;
  model::Image facts;
  Handle surface = 0;
  std::optional<std::uint32_t> pre_transform;
};

struct ShaderModuleObject {
  std::string id;
  Handle handle = 0;
  std::string code;  // the blob's name; empty where the source lacks it
  std::uint64_t code_size = 0;
};

struct StageObject {
  std::shared_ptr<const ShaderModuleObject> module;
  model::Stage stage = model::Stage::vertex;
  std::string entry;
};

/// State that a pipeline leaves to the command buffer.
struct DynamicStates {
  bool vertex_input = false;
  bool vertex_stride = false;
  bool viewport = false;
  bool scissor = false;
  bool depth_test = false;
  bool depth_write = false;
  bool topology = false;
  bool blend_enable = false;
  bool write_mask = false;
};

struct PipelineObject {
  model::Pipeline facts;  // without `shaders`, which are of a frame
  std::vector<StageObject> stages;
  DynamicStates dynamic;
  std::optional<model::Area> viewport;
  std::optional<model::Area> scissor;
};

struct SetBinding {
  std::uint64_t type = 0;
  std::uint32_t count = 0;
  std::uint64_t stages = 0;  // VkShaderStageFlags
};

struct SetLayoutObject {
  std::map<std::uint32_t, SetBinding> bindings;
};

struct Descriptor {
  std::uint64_t type = 0;
  Handle resource = 0;  // an image view, a buffer or a buffer view
};

/// Descriptors by binding and element. `unknown`: the source lost what was written.
struct DescriptorSetObject {
  Handle layout = 0;
  std::map<std::uint32_t, std::map<std::uint32_t, Descriptor>> bindings;
  bool unknown = false;
};

struct TemplateEntry {
  std::uint32_t binding = 0;
  std::uint32_t element = 0;
  std::uint32_t count = 0;
  std::uint64_t type = 0;
};

struct PhysicalDevice {
  std::string name;
  std::map<std::string, std::string> facts;
  std::vector<std::uint32_t> memory_types;  // VkMemoryPropertyFlags; empty: unknown
};

struct CommandList;  // commands.h

/// Every live object by its handle.
struct Objects {
  std::unordered_map<Handle, ImageObject> images;
  std::unordered_map<Handle, ViewObject> views;
  std::unordered_map<Handle, MemoryObject> memories;
  std::unordered_map<Handle, BufferObject> buffers;
  std::unordered_map<Handle, Handle> buffer_views;  // to their buffer
  std::unordered_map<Handle, RenderPassObject> render_passes;
  std::unordered_map<Handle, FramebufferObject> framebuffers;
  std::unordered_map<Handle, SwapchainObject> swapchains;
  std::unordered_map<Handle, std::shared_ptr<const ShaderModuleObject>> modules;
  std::unordered_map<Handle, PipelineObject> pipelines;
  std::unordered_map<Handle, SetLayoutObject> set_layouts;
  std::unordered_map<Handle, std::vector<Handle>> pipeline_layouts;  // to set layouts
  std::unordered_map<Handle, DescriptorSetObject> sets;
  std::unordered_map<Handle, std::vector<Handle>> set_pools;  // to their sets
  std::unordered_map<Handle, std::vector<TemplateEntry>> templates;
  std::unordered_map<Handle, std::shared_ptr<CommandList>> command_buffers;
  std::unordered_map<Handle, std::vector<Handle>> command_pools;  // to their command buffers
  std::unordered_map<Handle, PhysicalDevice> physical_devices;
  std::unordered_map<Handle, std::uint32_t> surface_transforms;
  std::unordered_map<Handle, std::string> names;  // debug names
  std::vector<Handle> queues;                     // in order of first appearance
  Handle physical_device = 0;                     // that the device was made on
  std::string application;
};

template <typename T>
T* find(std::unordered_map<Handle, T>& table, Handle handle) {
  const auto at = table.find(handle);
  return at == table.end() ? nullptr : &at->second;
}

template <typename T>
const T* find(const std::unordered_map<Handle, T>& table, Handle handle) {
  const auto at = table.find(handle);
  return at == table.end() ? nullptr : &at->second;
}

}  // namespace tilebound::apicap::vulkan
