#include "apicap/renderdoc/renderdoc.h"

#include <fmt/format.h>

#include "apicap/renderdoc/chunk_reader.h"
#include "apicap/vulkan/interpreter.h"
#include "apicap/vulkan/names.h"
#include "base/error.h"

namespace tilebound::apicap::renderdoc {

namespace {

constexpr std::string_view kInitialContents = "Internal::Initial Contents";
constexpr std::string_view kBeginOfCapture = "Internal::Beginning of Capture";
constexpr std::string_view kMetadata = "Internal::Frame Metadata";
constexpr std::string_view kMappedWrite = "Internal::Coherent Mapped Memory Write";
constexpr std::string_view kFlush = "vkFlushMappedMemoryRanges";
constexpr std::string_view kUnmap = "vkUnmapMemory";
/// Not of a frame that was captured by hand.
constexpr std::uint32_t kNoFrameNumber = 0xffffffff;

Fit sniff(std::string_view head) {
  return looks_like_chunks(head) ? Fit::yes : Fit::no;
}

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
  vulkan::Write write;
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
  vulkan::Write write;
  write.offset = (range ? range["offset"] : chunk["MapOffset"]).number_or(0);
  write.size = data.number_or(0);
  write.blob = data.text();
  memory->contents.write(write);
}

bool is_internal(std::string_view name) {
  return name == kInitialContents || name == kMetadata || name == kMappedWrite || name == kFlush ||
         name == kUnmap;
}

model::ApiFrame read(base::ByteSource& source, const ReadOptions& options) {
  // A RenderDoc capture is one frame, whatever its number in the program.
  ReadOptions all = options;
  all.frame.reset();
  if (options.frame && *options.frame != 1) {
    throw base::InputError(
        fmt::format("{}: no frame {}; a RenderDoc capture has one", source.name(), *options.frame));
  }
  vulkan::Interpreter interpreter(all);
  std::optional<std::uint64_t> number;
  std::uint64_t chunks = 0;
  ChunkVisitor visitor;
  visitor.start = [&](const Document& document) {
    if (document.driver != "Vulkan") {
      throw base::InputError(
          fmt::format("{}: a capture of {}; Vulkan is read", source.name(), document.driver));
    }
  };
  visitor.wants = [&](std::string_view name) {
    return is_internal(name) || interpreter.wants(name);
  };
  visitor.visit = [&](Call& chunk) {
    ++chunks;
    try {
      if (chunk.name == kBeginOfCapture) {
        interpreter.forget_work();
      } else if (chunk.name == kInitialContents) {
        take_contents(interpreter.objects(), chunk);
      } else if (chunk.name == kMappedWrite || chunk.name == kFlush || chunk.name == kUnmap) {
        take_mapped_write(interpreter.objects(), chunk);
      } else if (chunk.name == kMetadata) {
        const std::uint32_t frame = chunk["frameNumber"].u32(kNoFrameNumber);
        if (frame != kNoFrameNumber) number = frame;
      } else {
        interpreter.call(chunk);
      }
    } catch (const base::InputError& e) {
      throw base::InputError(
          fmt::format("{}: chunk {} ({}): {}", source.name(), chunks, chunk.name, e.what()));
    }
    return true;
  };
  const Document document = read_chunks(source, visitor);
  model::ApiFrame frame =
      interpreter.finish(source.name(), document.truncated ? document.damage : "");
  frame.format = "renderdoc-xml";
  frame.number = number;
  if (document.truncated) {
    frame.note("truncated", model::Severity::warning,
               "the file ends early, what follows is lost: " + document.damage);
  }
  return frame;
}

}  // namespace

const Importer kImporter = {"renderdoc-xml", "RenderDoc XML", sniff, read};

}  // namespace tilebound::apicap::renderdoc
