#include "apicap/gles/interpreter.h"

#include <fmt/format.h>

#include "base/error.h"

namespace tilebound::apicap::gles {

Interpreter::Interpreter(const ReadOptions& options)
    : options_(options), frame_(std::make_unique<FrameBuilder>(objects_, state_, options_.blobs)) {
  for (const auto table : {image_calls(), framebuffer_calls(), buffer_calls(), program_calls(),
                           vertex_calls(), state_calls(), work_calls()}) {
    for (const GlCall& call : table) calls_[call.name] = &call;
  }
}

const GlCall* Interpreter::known(std::string_view call) const {
  if (const auto at = calls_.find(call); at != calls_.end()) return at->second;
  for (const std::string_view suffix :
       {"EXT", "OES", "KHR", "OVR", "NV", "ANGLE", "IMG", "QCOM", "APPLE", "ARB"}) {
    if (!call.ends_with(suffix)) continue;
    const auto at = calls_.find(call.substr(0, call.size() - suffix.size()));
    return at == calls_.end() ? nullptr : at->second;
  }
  return nullptr;
}

void Interpreter::call(const Call& call) {
  const GlCall* const found = known(call.name);
  const bool is_call = call.name.starts_with("gl") || call.name.starts_with("egl");
  if (found == nullptr && !is_call) return;
  // What comes before the frame only makes objects.
  if (begun_ && !frame_->command(call.name)) return;
  if (found == nullptr) return;
  Context context{objects_, state_, *frame_};
  found->apply(context, call);
}

void Interpreter::begin_frame() {
  // What storage was given before may have been written before.
  for (auto& [handle, image] : objects_.images) {
    image.fresh = handle == kWindowColorImage || handle == kWindowDepthImage;
    image.undefined.clear();
  }
  frame_ = std::make_unique<FrameBuilder>(objects_, state_, options_.blobs);
  begun_ = true;
}

model::ApiFrame Interpreter::finish(const std::string& source, const std::string& damage) {
  if (!begun_ || !frame_->has_work()) {
    throw base::InputError(fmt::format("{}: no frame with passes, draws or dispatches{}{}", source,
                                       damage.empty() ? "" : "; ", damage));
  }
  const bool presented = frame_->presents() > 0;
  model::ApiFrame frame = frame_->take();
  frame.source = source;
  if (!presented) {
    frame.note("no_present", model::Severity::info,
               "the frame ends with the capture, not with a present");
  }
  return frame;
}

}  // namespace tilebound::apicap::gles
