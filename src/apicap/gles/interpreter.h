#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "apicap/capture.h"
#include "apicap/gles/calls.h"
#include "apicap/gles/frame_builder.h"
#include "apicap/gles/objects.h"

/// Follows a program's OpenGL ES calls in their order and makes one frame of them.
namespace tilebound::apicap::gles {

class Interpreter {
 public:
  explicit Interpreter(const ReadOptions& options);

  /// Whether a call's arguments matter.
  bool wants(std::string_view call) const { return known(call) != nullptr; }

  void call(const Call& call);

  Objects& objects() { return objects_; }
  State& state() { return state_; }

  /// Calls so far only made objects; the frame begins with what those hold.
  void begin_frame();

  /// The frame. Throws base::InputError when the calls hold none; `damage` is what may be the
  /// reason.
  model::ApiFrame finish(const std::string& source, const std::string& damage);

 private:
  const GlCall* known(std::string_view call) const;

  const ReadOptions& options_;
  Objects objects_;
  State state_;
  std::unordered_map<std::string_view, const GlCall*> calls_;
  std::unique_ptr<FrameBuilder> frame_;
  bool begun_ = false;
};

}  // namespace tilebound::apicap::gles
