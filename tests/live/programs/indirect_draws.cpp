// Draws as a renderer does whose culling runs on the GPU and empties the records of what is not
// seen: one multi-draw of many records, most without an instance, and a vertex shader that knows
// its object by gl_BaseInstance. Needs no window.
//
// Usage: indirect_draws [FRAMES]; RenderDoc, where loaded, captures the last frame.
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>
#include <vulkan/vulkan_raii.hpp>

#include "base_instance_spirv.h"
#include "colour_spirv.h"
#include "renderdoc_api.h"

namespace {

constexpr std::uint32_t kRecords = 4096;
constexpr std::uint32_t kSeenEvery = 8;
constexpr vk::Extent2D kSize{512, 256};
constexpr vk::Format kColourFormat = vk::Format::eR8G8B8A8Unorm;
constexpr vk::Format kDepthFormat = vk::Format::eD32Sfloat;
constexpr vk::ImageSubresourceRange kColourRange{vk::ImageAspectFlagBits::eColor, 0, 1, 0, 1};
constexpr vk::ImageSubresourceRange kDepthRange{vk::ImageAspectFlagBits::eDepth, 0, 1, 0, 1};

vk::raii::Instance make_instance(const vk::raii::Context& context) {
  const vk::ApplicationInfo application{"indirect_draws", 1, nullptr, 0, VK_API_VERSION_1_3};
  const char* labels = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  return {context, vk::InstanceCreateInfo{{}, &application, {}, labels}};
}

/// A device of one queue that does everything; family 0 does on the drivers that this runs on.
vk::raii::Device make_device(const vk::raii::PhysicalDevice& gpu) {
  const float priority = 1;
  const vk::DeviceQueueCreateInfo queue{{}, 0, 1, &priority};
  vk::PhysicalDeviceVulkan13Features rendering;
  rendering.dynamicRendering = VK_TRUE;
  rendering.synchronization2 = VK_TRUE;
  vk::PhysicalDeviceVulkan11Features parameters;
  parameters.shaderDrawParameters = VK_TRUE;
  parameters.pNext = &rendering;
  vk::PhysicalDeviceFeatures indirect;
  indirect.multiDrawIndirect = VK_TRUE;
  indirect.drawIndirectFirstInstance = VK_TRUE;
  return {gpu, vk::DeviceCreateInfo{{}, queue, {}, {}, &indirect, &parameters}};
}

/// Everything that a frame uses. Memory outlives what is bound to it.
class Scene {
 public:
  explicit Scene(const vk::raii::PhysicalDevice& gpu)
      : memory_(gpu.getMemoryProperties()),
        device_(make_device(gpu)),
        queue_(device_, 0, 0),
        records_memory_(nullptr),
        records_(make_buffer(kRecords * sizeof(vk::DrawIndirectCommand),
                             vk::BufferUsageFlagBits::eIndirectBuffer, records_memory_)),
        picture_memory_(nullptr),
        picture_(make_buffer(vk::DeviceSize{4} * kSize.width * kSize.height,
                             vk::BufferUsageFlagBits::eTransferDst, picture_memory_)),
        colour_memory_(nullptr),
        colour_(make_image(
            kColourFormat,
            vk::ImageUsageFlagBits::eColorAttachment | vk::ImageUsageFlagBits::eTransferSrc,
            colour_memory_)),
        colour_view_(make_view(colour_, kColourFormat, kColourRange)),
        depth_memory_(nullptr),
        depth_(make_image(kDepthFormat, vk::ImageUsageFlagBits::eDepthStencilAttachment,
                          depth_memory_)),
        depth_view_(make_view(depth_, kDepthFormat, kDepthRange)),
        layout_(device_, vk::PipelineLayoutCreateInfo{}),
        pipeline_(make_pipeline()),
        pool_(device_, vk::CommandPoolCreateInfo{{}, 0}),
        commands_(std::move(
            vk::raii::CommandBuffers(device_, {*pool_, vk::CommandBufferLevel::ePrimary, 1})
                .front())) {
    fill_records();
    record();
  }

  void draw() const {
    const vk::SubmitInfo submit{{}, {}, *commands_};
    queue_.submit(submit);
    queue_.waitIdle();
  }

 private:
  std::uint32_t memory_type(std::uint32_t allowed, vk::MemoryPropertyFlags wanted) const {
    for (std::uint32_t i = 0; i < memory_.memoryTypeCount; ++i) {
      const bool fits = (memory_.memoryTypes[i].propertyFlags & wanted) == wanted;
      if (fits && ((allowed >> i) & 1U) != 0) return i;
    }
    throw std::runtime_error("no memory of the wanted type");
  }

  vk::raii::Buffer make_buffer(vk::DeviceSize size, vk::BufferUsageFlags usage,
                               vk::raii::DeviceMemory& memory) const {
    vk::raii::Buffer buffer(device_, vk::BufferCreateInfo{{}, size, usage});
    const vk::MemoryRequirements needs = buffer.getMemoryRequirements();
    const auto type =
        memory_type(needs.memoryTypeBits, vk::MemoryPropertyFlagBits::eHostVisible |
                                              vk::MemoryPropertyFlagBits::eHostCoherent);
    memory = vk::raii::DeviceMemory(device_, vk::MemoryAllocateInfo{needs.size, type});
    buffer.bindMemory(*memory, 0);
    return buffer;
  }

  vk::raii::Image make_image(vk::Format format, vk::ImageUsageFlags usage,
                             vk::raii::DeviceMemory& memory) const {
    vk::ImageCreateInfo info{{}, vk::ImageType::e2D, format, {kSize.width, kSize.height, 1}, 1, 1};
    info.usage = usage;
    vk::raii::Image image(device_, info);
    const vk::MemoryRequirements needs = image.getMemoryRequirements();
    const auto type = memory_type(needs.memoryTypeBits, vk::MemoryPropertyFlagBits::eDeviceLocal);
    memory = vk::raii::DeviceMemory(device_, vk::MemoryAllocateInfo{needs.size, type});
    image.bindMemory(*memory, 0);
    return image;
  }

  vk::raii::ImageView make_view(const vk::raii::Image& image, vk::Format format,
                                const vk::ImageSubresourceRange& range) const {
    return {device_,
            vk::ImageViewCreateInfo{{}, *image, vk::ImageViewType::e2D, format, {}, range}};
  }

  vk::raii::Pipeline make_pipeline() const {
    const vk::raii::ShaderModule vertex(
        device_, vk::ShaderModuleCreateInfo{{}, sizeof(base_instance_spirv), base_instance_spirv});
    const vk::raii::ShaderModule fragment(
        device_, vk::ShaderModuleCreateInfo{{}, sizeof(colour_spirv), colour_spirv});
    const std::vector<vk::PipelineShaderStageCreateInfo> stages = {
        {{}, vk::ShaderStageFlagBits::eVertex, *vertex, "main"},
        {{}, vk::ShaderStageFlagBits::eFragment, *fragment, "main"}};
    const vk::PipelineVertexInputStateCreateInfo no_input;
    const vk::PipelineInputAssemblyStateCreateInfo triangles{{},
                                                             vk::PrimitiveTopology::eTriangleList};
    const vk::Viewport viewport{0, 0, float{kSize.width}, float{kSize.height}, 0, 1};
    const vk::Rect2D scissor{{}, kSize};
    const vk::PipelineViewportStateCreateInfo whole{{}, viewport, scissor};
    vk::PipelineRasterizationStateCreateInfo raster;
    raster.lineWidth = 1;
    const vk::PipelineMultisampleStateCreateInfo single;
    const vk::PipelineDepthStencilStateCreateInfo test{
        {}, VK_TRUE, VK_TRUE, vk::CompareOp::eLessOrEqual};
    vk::PipelineColorBlendAttachmentState opaque;
    opaque.colorWriteMask = vk::ColorComponentFlags(0xf);
    const vk::PipelineColorBlendStateCreateInfo blend{{}, VK_FALSE, {}, opaque};
    const vk::PipelineRenderingCreateInfo targets{0, kColourFormat, kDepthFormat};
    vk::GraphicsPipelineCreateInfo info{{},      stages,  &no_input, &triangles, nullptr, &whole,
                                        &raster, &single, &test,     &blend,     nullptr, *layout_};
    info.pNext = &targets;
    return {device_, nullptr, info};
  }

  void fill_records() const {
    std::vector<vk::DrawIndirectCommand> records;
    for (std::uint32_t i = 0; i < kRecords; ++i) {
      records.emplace_back(3, i % kSeenEvery == 0 ? 1 : 0, 0, i);
    }
    const std::size_t size = records.size() * sizeof(records.front());
    std::memcpy(records_memory_.mapMemory(0, size), records.data(), size);
    records_memory_.unmapMemory();
  }

  void record() const {
    commands_.begin({});
    commands_.beginDebugUtilsLabelEXT(vk::DebugUtilsLabelEXT{"Scene"});
    to_attachments();
    draw_records();
    commands_.endDebugUtilsLabelEXT();
    read_back();
    commands_.end();
  }

  void to_attachments() const {
    using Stage = vk::PipelineStageFlagBits2;
    using Access = vk::AccessFlagBits2;
    const std::vector<vk::ImageMemoryBarrier2> barriers = {
        {Stage::eTransfer, Access::eNone, Stage::eColorAttachmentOutput,
         Access::eColorAttachmentWrite, vk::ImageLayout::eUndefined,
         vk::ImageLayout::eColorAttachmentOptimal, 0, 0, *colour_, kColourRange},
        {Stage::eLateFragmentTests, Access::eDepthStencilAttachmentWrite,
         Stage::eEarlyFragmentTests, Access::eDepthStencilAttachmentWrite,
         vk::ImageLayout::eUndefined, vk::ImageLayout::eDepthAttachmentOptimal, 0, 0, *depth_,
         kDepthRange}};
    commands_.pipelineBarrier2(vk::DependencyInfo{{}, {}, {}, barriers});
  }

  void draw_records() const {
    vk::RenderingAttachmentInfo colour;
    colour.imageView = *colour_view_;
    colour.imageLayout = vk::ImageLayout::eColorAttachmentOptimal;
    colour.loadOp = vk::AttachmentLoadOp::eClear;
    colour.storeOp = vk::AttachmentStoreOp::eStore;
    vk::RenderingAttachmentInfo depth = colour;
    depth.imageView = *depth_view_;
    depth.imageLayout = vk::ImageLayout::eDepthAttachmentOptimal;
    depth.clearValue = vk::ClearDepthStencilValue{1, 0};
    commands_.beginRendering(vk::RenderingInfo{{}, {{}, kSize}, 1, 0, colour, &depth});
    commands_.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipeline_);
    commands_.drawIndirect(*records_, 0, kRecords, sizeof(vk::DrawIndirectCommand));
    commands_.endRendering();
  }

  void read_back() const {
    const vk::ImageMemoryBarrier2 drawn{vk::PipelineStageFlagBits2::eColorAttachmentOutput,
                                        vk::AccessFlagBits2::eColorAttachmentWrite,
                                        vk::PipelineStageFlagBits2::eTransfer,
                                        vk::AccessFlagBits2::eTransferRead,
                                        vk::ImageLayout::eColorAttachmentOptimal,
                                        vk::ImageLayout::eTransferSrcOptimal,
                                        0,
                                        0,
                                        *colour_,
                                        kColourRange};
    commands_.pipelineBarrier2(vk::DependencyInfo{{}, {}, {}, drawn});
    const vk::BufferImageCopy all{
        0, 0, 0, {vk::ImageAspectFlagBits::eColor, 0, 0, 1}, {}, {kSize.width, kSize.height, 1}};
    commands_.copyImageToBuffer(*colour_, vk::ImageLayout::eTransferSrcOptimal, *picture_, all);
  }

  vk::PhysicalDeviceMemoryProperties memory_;
  vk::raii::Device device_;
  vk::raii::Queue queue_;
  vk::raii::DeviceMemory records_memory_;
  vk::raii::Buffer records_;
  vk::raii::DeviceMemory picture_memory_;
  vk::raii::Buffer picture_;
  vk::raii::DeviceMemory colour_memory_;
  vk::raii::Image colour_;
  vk::raii::ImageView colour_view_;
  vk::raii::DeviceMemory depth_memory_;
  vk::raii::Image depth_;
  vk::raii::ImageView depth_view_;
  vk::raii::PipelineLayout layout_;
  vk::raii::Pipeline pipeline_;
  vk::raii::CommandPool pool_;
  vk::raii::CommandBuffer commands_;
};

void run(int frames) {
  const vk::raii::Context context;
  const vk::raii::Instance instance = make_instance(context);
  const Scene scene(vk::raii::PhysicalDevices(instance).front());
  const RenderDoc renderdoc = RenderDoc::loaded();
  for (int left = frames; left > 0; --left) {
    const bool captured = renderdoc && left == 1;
    if (captured) renderdoc.begin();
    scene.draw();
    if (captured) renderdoc.end();
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    run(count > 1 ? std::stoi(arguments[1]) : 1);
  } catch (const std::exception& error) {
    std::cerr << "indirect_draws: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
