#include "apicap/vulkan/frame_builder.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apicap/limits.h"
#include "apicap/vulkan/names.h"
#include "base/error.h"

namespace tilebound::apicap::vulkan {

namespace {

/// Command buffers that execute others many times over could make a small file endless.
constexpr std::uint64_t kMostExecuted = 50'000'000;
constexpr std::size_t kDeepestLabels = 256;
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

}  // namespace

FrameBuilder::FrameBuilder(Objects& objects, const BlobReader& blobs, std::uint64_t number)
    : objects_(objects), blobs_(blobs), number_(number) {}

void FrameBuilder::submit(Handle queue, const std::vector<Handle>& buffers) {
  const auto at = std::find(objects_.queues.begin(), objects_.queues.end(), queue);
  queue_ = static_cast<std::uint32_t>(at - objects_.queues.begin());
  if (at == objects_.queues.end()) objects_.queues.push_back(queue);
  ++frame_.submits;
  for (const Handle handle : buffers) {
    const auto list = objects_.command_buffers.find(handle);
    if (list == objects_.command_buffers.end()) {
      frame_.note("unknown_command_buffer", model::Severity::warning,
                  "a submitted command buffer that the capture does not record");
      continue;
    }
    State state;
    run_.reset();
    const std::shared_ptr<CommandList> kept = list->second;
    execute(*kept, state);
    if (pass_) end_pass();
  }
}

void FrameBuilder::execute(CommandList& list, State& state) {
  if (list.executing) {
    throw base::InputError("a command buffer executes itself");
  }
  list.executing = true;
  for (const Command& command : list.commands) {
    if (++executed_ > kMostExecuted) {
      throw base::InputError(fmt::format("more than {} commands in a frame", kMostExecuted));
    }
    ++event_;
    ++frame_.calls[*command.name];
    if (frame_.passes.size() >= kMostPasses) {
      note_too_many(frame_);
      continue;
    }
    run(command, state);
  }
  for (const auto& [name, count] : list.dropped) {
    frame_.calls[*name] += count;
    note_too_many(frame_, count);
  }
  list.executing = false;
}

void FrameBuilder::run(const Command& command, State& state) {
  const Payload& payload = command.payload;
  if (const auto* p = std::get_if<BeginPass>(&payload)) {
    begin(*p);
  } else if (const auto* rendering = std::get_if<std::unique_ptr<BeginRendering>>(&payload)) {
    begin(**rendering);
  } else if (std::holds_alternative<EndPass>(payload) ||
             std::holds_alternative<EndRendering>(payload)) {
    if (pass_) end_pass();
  } else if (std::holds_alternative<NextSubpass>(payload)) {
    if (pass_) {
      ++pass_->subpass;
      pass_->drawn = false;
    }
  } else if (const auto* bound = std::get_if<BindPipeline>(&payload)) {
    state.pipeline[bound->compute ? 1 : 0] = bound->pipeline;
    if (const auto* object = find(objects_.pipelines, bound->pipeline); object != nullptr) {
      if (!bound->compute && object->viewport && !object->dynamic.viewport) {
        state.viewport = object->viewport;
      }
      if (!bound->compute && object->scissor && !object->dynamic.scissor) {
        state.scissor = object->scissor;
      }
    }
    state.sets_seen[bound->compute ? 1 : 0].reset();
  } else if (const auto* sets = std::get_if<BindSets>(&payload)) {
    const std::size_t point = sets->compute ? 1 : 0;
    for (std::size_t i = 0; i < sets->sets.size(); ++i) {
      state.sets[point][sets->first + static_cast<std::uint32_t>(i)] = sets->sets[i];
    }
    state.sets_seen[point].reset();
  } else if (const auto* push = std::get_if<PushSet>(&payload)) {
    const std::size_t point = push->compute ? 1 : 0;
    state.pushed[point][push->set] = *push->written;
    state.sets_seen[point].reset();
  } else if (const auto* index = std::get_if<BindIndexBuffer>(&payload)) {
    state.index_bits = index->bits;
  } else if (const auto* buffers = std::get_if<BindVertexBuffers>(&payload)) {
    for (std::size_t i = 0; i < buffers->strides.size(); ++i) {
      state.strides[buffers->first + static_cast<std::uint32_t>(i)] = buffers->strides[i];
    }
  } else if (const auto* input = std::get_if<std::unique_ptr<SetVertexInput>>(&payload)) {
    for (const model::VertexBinding& binding : (*input)->bindings) {
      state.strides[binding.binding] = binding.stride;
    }
  } else if (const auto* viewport = std::get_if<SetViewport>(&payload)) {
    state.viewport = viewport->area;
  } else if (const auto* scissor = std::get_if<SetScissor>(&payload)) {
    state.scissor = scissor->area;
  } else if (std::holds_alternative<DrawCommand>(payload) ||
             std::holds_alternative<DrawIndirectCommand>(payload)) {
    draw(command, state);
  } else if (std::holds_alternative<DispatchCommand>(payload)) {
    dispatch(command, state);
  } else if (const auto* cleared = std::get_if<ClearAttachments>(&payload)) {
    clear(*cleared);
  } else if (std::holds_alternative<std::unique_ptr<TransferCommand>>(payload)) {
    transfer(command);
  } else if (const auto* waited = std::get_if<std::unique_ptr<BarrierCommand>>(&payload)) {
    barrier(**waited);
  } else if (const auto* opened = std::get_if<BeginLabel>(&payload)) {
    if (labels_.size() < kDeepestLabels) labels_.push_back(opened->text);
  } else if (std::holds_alternative<EndLabel>(payload)) {
    if (!labels_.empty()) labels_.pop_back();
  } else if (const auto* secondary = std::get_if<ExecuteCommands>(&payload)) {
    for (const Handle handle : secondary->buffers) {
      const auto list = objects_.command_buffers.find(handle);
      if (list == objects_.command_buffers.end()) continue;
      const std::shared_ptr<CommandList> kept = list->second;
      State own;
      execute(*kept, own);
    }
  }
}

std::string FrameBuilder::label() const {
  return fmt::format("{}", fmt::join(labels_, "/"));
}

model::Pass& FrameBuilder::new_pass(model::PassKind kind) {
  run_.reset();
  model::Pass pass;
  pass.kind = kind;
  pass.label = label();
  pass.first_event = event_;
  pass.last_event = event_;
  pass.queue = queue_;
  pass.submit = frame_.submits;
  frame_.passes.push_back(std::move(pass));
  return frame_.passes.back();
}

std::size_t FrameBuilder::open_run(model::PassKind kind) {
  if (!run_ || frame_.passes[*run_].kind != kind || frame_.passes[*run_].label != label()) {
    new_pass(kind);
    run_ = frame_.passes.size() - 1;
  }
  frame_.passes[*run_].last_event = event_;
  return *run_;
}

void FrameBuilder::draw(const Command& command, State& state) {
  model::Draw out;
  out.event = event_;
  out.call = *command.name;
  out.label = label();
  if (pass_) {
    out.pass = pass_->index;
    out.subpass = pass_->subpass;
    pass_->drawn = true;
  }
  out.pipeline = pipeline(state.pipeline[0]);
  out.viewport = state.viewport;
  out.scissor = state.scissor;
  if (const auto* direct = std::get_if<DrawCommand>(&command.payload)) {
    out.indexed = direct->indexed;
    out.vertices = direct->vertices;
    out.instances = direct->instances;
    out.first_instance = direct->first_instance;
    if (direct->draws != 1) out.draw_count = direct->draws;
  } else {
    draw_indirect(std::get<DrawIndirectCommand>(command.payload), out);
  }
  if (out.indexed) out.index_bits = state.index_bits;
  if (out.pipeline) {
    const model::Pipeline& facts = frame_.pipelines[*out.pipeline];
    for (const model::VertexBinding& binding : facts.bindings) {
      const auto dynamic = state.strides.find(binding.binding);
      out.vertex_strides.push_back(dynamic != state.strides.end() ? dynamic->second
                                                                  : binding.stride);
    }
  }
  use_sets(state, false);
  if (frame_.draws.size() >= kMostDraws) return note_too_many(frame_);
  frame_.draws.push_back(std::move(out));
}

void FrameBuilder::dispatch(const Command& command, State& state) {
  const auto& payload = std::get<DispatchCommand>(command.payload);
  model::Dispatch out;
  out.event = event_;
  out.call = *command.name;
  out.label = label();
  out.pass = open_run(model::PassKind::compute);
  out.pipeline = pipeline(state.pipeline[1]);
  if (payload.buffer == 0) {
    for (std::size_t i = 0; i < 3; ++i) out.groups[i] = payload.groups[i];
  }
  use_sets(state, true);
  if (frame_.dispatches.size() >= kMostDraws) return note_too_many(frame_);
  frame_.dispatches.push_back(std::move(out));
}

void FrameBuilder::clear(const ClearAttachments& clear) {
  if (!pass_) return;
  model::ClearInPass out;
  out.event = event_;
  out.pass = pass_->index;
  out.subpass = pass_->subpass;
  out.area = clear.area;
  out.first_in_subpass = !pass_->drawn;
  const model::Pass& pass = frame_.passes[pass_->index];
  bool stencil_only = !clear.attachments.empty();
  for (const ClearedAttachment& cleared : clear.attachments) {
    const bool color = (cleared.aspects & kAspectColor) != 0;
    if (cleared.aspects != kAspectStencil) stencil_only = false;
    for (std::size_t i = 0; i < pass.attachments.size(); ++i) {
      const model::Attachment& a = pass.attachments[i];
      if (a.is_resolve_target) continue;
      const bool written =
          std::find(a.written_in.begin(), a.written_in.end(), out.subpass) != a.written_in.end();
      const bool same = color ? a.role == model::AttachmentRole::color && a.slot == cleared.color
                              : a.role == model::AttachmentRole::depth_stencil;
      if (written && same) out.attachments.push_back(i);
    }
  }
  out.stencil_only = stencil_only;
  frame_.clears.push_back(std::move(out));
}

void FrameBuilder::barrier(const BarrierCommand& barrier) {
  model::Barrier out;
  out.event = event_;
  if (frame_.barriers.size() >= kMostDraws) return note_too_many(frame_);
  if (pass_) out.pass = pass_->index;
  out.src_stages = barrier.src_stages;
  out.dst_stages = barrier.dst_stages;
  out.src_access = barrier.src_access;
  out.dst_access = barrier.dst_access;
  out.by_region = barrier.by_region;
  out.memory = barrier.memory;
  for (const ImagePart& part : barrier.images) {
    if (const auto range = range_of(part)) out.images.push_back(*range);
  }
  frame_.barriers.push_back(std::move(out));
}

void FrameBuilder::present(const SwapchainObject& swapchain, std::size_t index) {
  ++event_;
  model::Present out;
  out.event = event_;
  if (index < swapchain.images.size()) out.image = image(swapchain.images[index]);
  out.pre_transform = swapchain.pre_transform;
  if (const auto* transform = find(objects_.surface_transforms, swapchain.surface)) {
    out.surface_transform = *transform;
  }
  if (out.image) {
    frame_.uses.push_back(
        {event_, model::UseKind::present, model::ImageRange{*out.image, 0, 1, 0, 1}, std::nullopt});
  }
  frame_.presents.push_back(out);
}

void FrameBuilder::use(model::UseKind kind, const model::ImageRange& range) {
  const std::optional<std::size_t> pass = pass_ ? std::optional(pass_->index) : run_;
  const auto key = std::make_tuple(pass.value_or(kNowhere), static_cast<int>(kind), range.image,
                                   range.mip, range.layer);
  if (pass && !used_.insert(key).second) return;
  frame_.uses.push_back({event_, kind, range, pass});
}

model::ApiFrame FrameBuilder::take() {
  if (pass_) end_pass();
  frame_.number = number_;
  frame_.application = objects_.application;
  const PhysicalDevice* device = find(objects_.physical_devices, objects_.physical_device);
  if (device == nullptr && objects_.physical_devices.size() == 1) {
    device = &objects_.physical_devices.begin()->second;
  }
  if (device != nullptr) {
    frame_.device = device->name;
    frame_.system = device->facts;
    if (!device->memory_types.empty()) {
      frame_.device_has_lazy_memory =
          std::any_of(device->memory_types.begin(), device->memory_types.end(),
                      [](std::uint32_t f) { return (f & kMemoryLazilyAllocated) != 0; });
    }
  }
  return std::move(frame_);
}

}  // namespace tilebound::apicap::vulkan
