#include <fmt/format.h>

#include "apicap/renderdoc/front_end.h"
#include "apicap/vulkan/interpreter.h"
#include "apicap/vulkan/names.h"

/// RenderDoc's own chunks of a capture of Vulkan: what memory and descriptor sets held at its
/// begin.
namespace tilebound::apicap::renderdoc {

namespace {

constexpr std::string_view kMappedWrite = "Internal::Coherent Mapped Memory Write";
constexpr std::string_view kFlush = "vkFlushMappedMemoryRanges";
constexpr std::string_view kUnmap = "vkUnmapMemory";

/// The slots of a descriptor set are written in the order of its layout's bindings.
void take_descriptors(vulkan::Objects& objects, vulkan::Handle handle, Value slots) {
  vulkan::DescriptorSetObject* const set = vulkan::find(objects.sets, handle);
  if (set == nullptr) return;
  const auto* const layout = vulkan::find(objects.set_layouts, set->layout);
  if (layout == nullptr) {
    set->unknown = true;
    return;
  }
  const Value::Range range = slots.elements();
  Value::Iterator slot = range.begin();
  for (const auto& [number, binding] : layout->bindings) {
    for (std::uint32_t i = 0; i < binding.count && slot != range.end(); ++i) {
      const Value value = *slot;
      ++slot;
      const std::uint64_t type = vulkan::enumerated(value["type"], binding.type);
      const vulkan::Handle resource = value["resource"].number_or(0);
      if (resource != 0) set->bindings[number][i] = {type, resource};
    }
  }
}

void take_contents(vulkan::Objects& objects, const Call& chunk) {
  const vulkan::Handle handle = chunk["id"].number_or(0);
  const std::string_view type = chunk["type"].text();
  if (type == "eResDescriptorSet") return take_descriptors(objects, handle, chunk["Bindings"]);
  if (type != "eResDeviceMemory") return;
  vulkan::MemoryObject* const memory = vulkan::find(objects.memories, handle);
  const Value contents = chunk["Contents"];
  if (memory == nullptr || contents.kind() != Kind::blob) return;
  Write write;
  write.size = contents.number_or(0);
  write.blob = contents.text();
  memory->contents.write(write);
}

void take_mapped_write(vulkan::Objects& objects, const Call& chunk) {
  const Value range = chunk["MemRange"];
  const Value data = chunk["MapData"];
  const Value memory_of = range ? range["memory"] : chunk["memory"];
  vulkan::MemoryObject* const memory = vulkan::find(objects.memories, memory_of.number_or(0));
  if (memory == nullptr || data.kind() != Kind::blob) return;
  Write write;
  write.offset = (range ? range["offset"] : chunk["MapOffset"]).number_or(0);
  write.size = data.number_or(0);
  write.blob = data.text();
  memory->contents.write(write);
}

class VulkanFrontEnd : public FrontEnd {
 public:
  explicit VulkanFrontEnd(const ReadOptions& options) : interpreter_(options) {}

  bool wants(std::string_view name) const override {
    return name == kInitialContents || name == kMappedWrite || name == kFlush || name == kUnmap ||
           interpreter_.wants(name);
  }

  void chunk(const Call& chunk) override {
    if (chunk.name == kBeginOfCapture) {
      interpreter_.forget_work();
    } else if (chunk.name == kInitialContents) {
      take_contents(interpreter_.objects(), chunk);
    } else if (chunk.name == kMappedWrite || chunk.name == kFlush || chunk.name == kUnmap) {
      take_mapped_write(interpreter_.objects(), chunk);
    } else {
      interpreter_.call(chunk);
    }
  }

  model::ApiFrame finish(const std::string& source, const std::string& damage) override {
    return interpreter_.finish(source, damage);
  }

 private:
  vulkan::Interpreter interpreter_;
};

}  // namespace

std::unique_ptr<FrontEnd> vulkan_front_end(const ReadOptions& options) {
  return std::make_unique<VulkanFrontEnd>(options);
}

}  // namespace tilebound::apicap::renderdoc
