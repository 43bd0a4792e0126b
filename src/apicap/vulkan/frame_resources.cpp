#include <algorithm>
#include <fmt/format.h>

#include "apicap/indirect.h"
#include "apicap/limits.h"
#include "apicap/spirv/spirv.h"
#include "apicap/vulkan/frame_builder.h"
#include "apicap/vulkan/names.h"

/// What commands read and write: images, descriptor sets, buffers and pipelines.
namespace tilebound::apicap::vulkan {

namespace {

constexpr std::uint64_t kMostCode = std::uint64_t{64} << 20;

}  // namespace

std::optional<std::size_t> FrameBuilder::image(Handle handle) {
  if (const auto at = images_.find(handle); at != images_.end()) return at->second;
  const ImageObject* const object = find(objects_.images, handle);
  if (object == nullptr) return std::nullopt;
  model::Image facts = object->facts;
  if (const auto* name = find(objects_.names, handle)) facts.name = *name;
  const MemoryObject* memory = find(objects_.memories, object->memory);
  const PhysicalDevice* device = find(objects_.physical_devices, objects_.physical_device);
  if (device == nullptr && objects_.physical_devices.size() == 1) {
    device = &objects_.physical_devices.begin()->second;
  }
  if (memory != nullptr && memory->type && device != nullptr &&
      *memory->type < device->memory_types.size()) {
    facts.lazily_allocated = (device->memory_types[*memory->type] & kMemoryLazilyAllocated) != 0;
  }
  frame_.images.push_back(std::move(facts));
  return images_[handle] = frame_.images.size() - 1;
}

std::optional<model::ImageRange> FrameBuilder::range_of(const ImagePart& part) {
  const auto index = image(part.image);
  if (!index) return std::nullopt;
  const model::Image& facts = frame_.images[*index];
  const auto rest = [](std::uint32_t count, std::uint32_t first, std::uint32_t all) {
    if (count != kRemaining) return count;
    return first < all ? all - first : 1U;
  };
  return model::ImageRange{*index, part.mip, rest(part.mips, part.mip, facts.mips), part.layer,
                           rest(part.layers, part.layer, facts.layers)};
}

std::optional<model::ImageRange> FrameBuilder::range_of(Handle view, const ViewObject** found) {
  const ViewObject* const object = find(objects_.views, view);
  if (found != nullptr) *found = object;
  if (object == nullptr) return std::nullopt;
  return range_of(
      ImagePart{object->image, object->mip, object->mips, object->layer, object->layers});
}

std::size_t FrameBuilder::shader(const StageObject& stage) {
  const Handle handle = stage.module ? stage.module->handle : 0;
  const auto key =
      std::make_pair(handle, fmt::format("{} {}", static_cast<int>(stage.stage), stage.entry));
  if (const auto at = shaders_.find(key); at != shaders_.end()) return at->second;
  model::Shader shader;
  shader.id = fmt::format("{}", handle);
  shader.stage = stage.stage;
  shader.entry = stage.entry;
  if (const auto* name = find(objects_.names, handle)) shader.name = *name;
  if (stage.module && !stage.module->code.empty() && blobs_ &&
      stage.module->code_size <= kMostCode) {
    const auto code = blobs_(stage.module->code, 0, stage.module->code_size);
    const auto words = code ? spirv::words_of(*code) : std::nullopt;
    if (words) spirv::analyse(*words, shader);
  }
  frame_.shaders.push_back(std::move(shader));
  return shaders_[key] = frame_.shaders.size() - 1;
}

std::optional<std::size_t> FrameBuilder::pipeline(Handle handle) {
  if (const auto at = pipelines_.find(handle); at != pipelines_.end()) return at->second;
  const PipelineObject* const object = find(objects_.pipelines, handle);
  if (object == nullptr) return std::nullopt;
  model::Pipeline facts = object->facts;
  if (const auto* name = find(objects_.names, handle)) facts.name = *name;
  for (const StageObject& stage : object->stages) facts.shaders.push_back(shader(stage));
  // State that the pipeline leaves open is unknown here.
  if (object->dynamic.depth_test) facts.depth_test.reset();
  if (object->dynamic.depth_write) facts.depth_write.reset();
  frame_.pipelines.push_back(std::move(facts));
  return pipelines_[handle] = frame_.pipelines.size() - 1;
}

void FrameBuilder::use_sets(State& state, bool compute) {
  const std::size_t point = compute ? 1 : 0;
  // A dispatch writes each time; images need to be seen once in each pass that draws with the sets.
  if (pass_ && state.sets_seen[point] == pass_->index && !compute) return;
  if (pass_) state.sets_seen[point] = pass_->index;
  for (const auto& [slot, handle] : state.sets[point]) {
    if (const auto* set = find(objects_.sets, handle)) {
      use_set(*set, compute);
    } else if (handle != 0) {
      note_unknown_set();
    }
  }
  for (const auto& [slot, set] : state.pushed[point]) use_set(set, compute);
}

void FrameBuilder::note_unknown_set() {
  frame_.uses_complete = false;
  frame_.note("unknown_descriptors", model::Severity::warning,
              "bound descriptor sets whose content the capture does not hold: images may have "
              "readers that are not seen, so none is said to be never read");
}

void FrameBuilder::use_set(const DescriptorSetObject& set, bool compute) {
  // A set that nobody wrote, of a layout that has bindings, was written where the capture looked
  // away.
  const auto* const layout = find(objects_.set_layouts, set.layout);
  const bool unwritten =
      set.bindings.empty() && set.layout != 0 && (layout == nullptr || !layout->bindings.empty());
  if (set.unknown || unwritten) note_unknown_set();
  for (const auto& [binding, elements] : set.bindings) {
    for (const auto& [element, descriptor] : elements) {
      switch (descriptor.type) {
        case descriptor::combined_image_sampler:
        case descriptor::sampled_image:
          if (const auto range = range_of(descriptor.resource, nullptr)) {
            use(model::UseKind::sampled, *range);
          }
          break;
        case descriptor::storage_image:
          if (const auto range = range_of(descriptor.resource, nullptr)) {
            use(model::UseKind::storage, *range);
          }
          break;
        case descriptor::storage_buffer:
        case descriptor::storage_buffer_dynamic:
          // Whether the shader writes it is not known here; what it may write is not known either.
          if (compute) write_buffer(descriptor.resource, 0, UINT64_MAX, std::nullopt);
          break;
        default:
          break;
      }
    }
  }
}

void FrameBuilder::write_buffer(Handle handle, std::uint64_t offset, std::uint64_t size,
                                const std::optional<std::string>& blob) {
  const BufferObject* const buffer = find(objects_.buffers, handle);
  if (buffer == nullptr) return;
  MemoryObject* const memory = find(objects_.memories, buffer->memory);
  if (memory == nullptr || offset >= buffer->size) return;
  Write write;
  write.offset = buffer->offset + offset;
  write.size = std::min(size, buffer->size - offset);
  write.blob = blob.value_or("");
  write.gpu = true;
  write.frame = number_;
  memory->contents.write(write);
}

void FrameBuilder::draw_indirect(const DrawIndirectCommand& command, model::Draw& out) {
  out.indexed = command.indexed;
  out.draw_count = command.draws;
  out.count_buffer = command.count_buffer != 0;
  out.indirect = model::IndirectSource::not_captured;
  if (command.mesh || command.bytes_of_feedback) return;
  const auto read = [&](Handle handle, std::uint64_t offset, std::uint64_t size) {
    const BufferObject* const buffer = find(objects_.buffers, handle);
    const MemoryObject* const memory =
        buffer != nullptr ? find(objects_.memories, buffer->memory) : nullptr;
    if (memory == nullptr) return Contents::Read{};
    return memory->contents.read(buffer->offset + offset, size, number_, blobs_);
  };
  std::uint32_t draws = command.draws;
  if (command.count_buffer != 0) {
    const Contents::Read count = read(command.count_buffer, command.count_offset, 4);
    if (count.gpu_written) out.indirect = model::IndirectSource::gpu_written;
    if (!count.bytes) return;
    draws = std::min(draws, word(*count.bytes, 0));
  }
  read_records(out, draws, command.stride, [&](std::uint64_t offset, std::uint64_t size) {
    return read(command.buffer, command.offset + offset, size);
  });
}

void FrameBuilder::transfer(const Command& command) {
  const TransferCommand& payload = *std::get<std::unique_ptr<TransferCommand>>(command.payload);
  model::Transfer out;
  out.event = event_;
  out.call = *command.name;
  out.label = label();
  out.kind = payload.kind;
  if (!pass_) out.pass = open_run(model::PassKind::transfer);
  if (payload.from) out.from = range_of(*payload.from);
  if (payload.to) out.to = range_of(*payload.to);
  if (out.from) use(model::UseKind::transfer_read, *out.from);
  if (out.to) use(model::UseKind::transfer_write, *out.to);
  std::uint64_t bytes = 0;
  for (const BufferCopy& copy : payload.copies) bytes += copy.size;
  if (!payload.copies.empty()) out.bytes = bytes;
  const auto& side = out.to ? out.to : out.from;
  if (payload.pixels > 0 && side) {
    const model::FormatFacts* const facts = model::facts_of(frame_.images[side->image].format);
    if (facts != nullptr) out.bytes = payload.pixels * facts->bits() / 8;
  }
  const BufferObject* const from = find(objects_.buffers, payload.from_buffer);
  const BufferObject* const to = find(objects_.buffers, payload.to_buffer);
  for (const BufferCopy& copy : payload.copies) {
    MemoryObject* const target = to != nullptr ? find(objects_.memories, to->memory) : nullptr;
    const MemoryObject* const source =
        from != nullptr ? find(objects_.memories, from->memory) : nullptr;
    if (target != nullptr && source != nullptr) {
      const Contents held = source->contents;  // source and target may be one
      target->contents.copy(held, from->offset + copy.from, copy.size, to->offset + copy.to,
                            number_);
    } else if (to != nullptr) {
      write_buffer(payload.to_buffer, copy.to, copy.size, payload.data);
    }
  }
  if (frame_.transfers.size() >= kMostDraws) return note_too_many(frame_);
  frame_.transfers.push_back(std::move(out));
}

}  // namespace tilebound::apicap::vulkan
