#include "apicap/vulkan/interpreter.h"

#include <fmt/format.h>

#include "apicap/limits.h"
#include "apicap/vulkan/names.h"
#include "base/error.h"

namespace tilebound::apicap::vulkan {

namespace {

/// GFXReconstruct gives handles of its own, counted down from the largest number, to what it adds
/// to restore a trimmed program's state.
constexpr Handle kFirstRestoring = 0xffffffffffffff00;

bool opens_or_ends(const Payload& payload) {
  return std::holds_alternative<BeginPass>(payload) || std::holds_alternative<EndPass>(payload) ||
         std::holds_alternative<NextSubpass>(payload) ||
         std::holds_alternative<std::unique_ptr<BeginRendering>>(payload) ||
         std::holds_alternative<EndRendering>(payload) ||
         std::holds_alternative<ExecuteCommands>(payload);
}

}  // namespace

std::string_view without_vendor(std::string_view name) {
  for (const std::string_view suffix : {"KHR", "EXT", "AMD", "NV", "ARM", "QCOM"}) {
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  }
  return name;
}

Interpreter::Interpreter(const ReadOptions& options) : options_(options) {
  for (const auto table : {device_calls(), resource_calls(), pass_calls(), pipeline_calls(),
                           descriptor_calls(), command_buffer_calls()}) {
    for (const ObjectCall& call : table) object_calls_[call.name] = &call;
  }
  for (const auto table : {state_commands(), pass_commands(), work_commands(), transfer_commands(),
                           barrier_commands()}) {
    for (const CommandCall& call : table) command_calls_[call.name] = &call;
  }
  current_ = std::make_unique<FrameBuilder>(objects_, options_.blobs, 1);
}

bool Interpreter::wants(std::string_view call) const {
  const std::string_view name = without_vendor(call);
  return name.starts_with("vkCmd") || object_calls_.count(name) > 0 || name.starts_with("vkQueue");
}

void Interpreter::call(const Call& call) {
  const std::string_view name = without_vendor(call.name);
  if (name.starts_with("vkCmd")) {
    const auto known = command_calls_.find(name);
    return record(known == command_calls_.end() ? nullptr : known->second, call.name, call);
  }
  if (name == "vkQueueSubmit" || name == "vkQueueSubmit2") return submit(call);
  if (name == "vkQueuePresent") return present(call);
  // A call that failed made nothing.
  if (call.result.starts_with("VK_ERROR")) return;
  const auto known = object_calls_.find(name);
  if (known != object_calls_.end()) known->second->handle(objects_, call);
}

void Interpreter::record(const CommandCall* known, std::string_view name, const Call& call) {
  const Handle handle = call["commandBuffer"].number_or(0);
  std::shared_ptr<CommandList>& list = objects_.command_buffers[handle];
  if (!list) list = std::make_shared<CommandList>();
  if (known == nullptr) ++unknown_;
  const std::string& kept = *names_.emplace(name).first;
  Payload payload = known != nullptr ? known->record(call) : OtherCommand{};
  // Without the begins and ends of passes nothing could be followed.
  if (recorded_ >= (opens_or_ends(payload) ? 2 * kMostCommands : kMostCommands)) {
    ++list->dropped[&kept];
    return;
  }
  ++recorded_;
  list->commands.push_back({&kept, std::move(payload)});
}

void Interpreter::submit(const Call& call) {
  const Handle queue = call["queue"].number_or(0);
  if (queue >= kFirstRestoring) return;
  for (const Value info : call["pSubmits"].elements()) {
    std::vector<Handle> buffers;
    for (const Value buffer : info["pCommandBuffers"].elements()) {
      buffers.push_back(buffer.number_or(0));
    }
    for (const Value one : info["pCommandBufferInfos"].elements()) {
      buffers.push_back(one["commandBuffer"].number_or(0));
    }
    current_->submit(queue, buffers);
  }
  current_->count(call.name);
}

void Interpreter::present(const Call& call) {
  const Value info = call["pPresentInfo"];
  const Value indices = info["pImageIndices"];
  const Value::Range range = indices.elements();
  Value::Iterator index = range.begin();
  for (const Value swapchain : info["pSwapchains"].elements()) {
    const std::size_t image = index != range.end() ? (*index).u32() : 0;
    if (index != range.end()) ++index;
    if (const auto* object = find(objects_.swapchains, swapchain.number_or(0))) {
      current_->present(*object, image);
    }
  }
  current_->count(call.name);
  end_frame();
}

void Interpreter::end_frame() {
  const std::uint64_t number = current_->number();
  const bool work = current_->has_work();
  if (options_.frame ? number == *options_.frame : work) kept_ = current_->take();
  ++frames_;
  recorded_ = 0;
  current_ = std::make_unique<FrameBuilder>(objects_, options_.blobs, number + 1);
}

void Interpreter::forget_work() {
  current_ = std::make_unique<FrameBuilder>(objects_, options_.blobs, current_->number());
}

model::ApiFrame Interpreter::finish(const std::string& source, const std::string& damage) {
  // Work after the last present is a frame of its own only where there is no complete one.
  const bool rest = current_->has_work();
  if (options_.frame ? current_->number() == *options_.frame && rest : !kept_ && rest) {
    kept_ = current_->take();
    kept_->note("no_present", model::Severity::info,
                "the frame ends with the capture, not with a present");
  }
  const std::uint64_t all = frames_ + (rest && frames_ == 0 ? 1 : 0);
  if (!kept_) {
    const std::string why = damage.empty() ? "" : "; " + damage;
    throw base::InputError(
        options_.frame
            ? fmt::format("{}: no frame {}; the capture has {}{}", source, *options_.frame, all,
                          why)
            : fmt::format("{}: no frame with passes, draws or dispatches{}", source, why));
  }
  model::ApiFrame frame = std::move(*kept_);
  frame.source = source;
  frame.frames_in_source = std::max<std::uint64_t>(1, all);
  if (unknown_ > 0) {
    frame.note("unread_commands", model::Severity::info,
               "commands that say nothing of passes, draws or images are only counted", unknown_);
  }
  return frame;
}

}  // namespace tilebound::apicap::vulkan
