#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "apicap/capture.h"
#include "apicap/vulkan/calls.h"
#include "apicap/vulkan/frame_builder.h"

/// Follows a program's Vulkan calls in their order and makes one frame of them.
namespace tilebound::apicap::vulkan {

class Interpreter {
 public:
  explicit Interpreter(const ReadOptions& options);

  /// Whether a call's arguments matter.
  bool wants(std::string_view call) const;

  /// Throws base::InputError for what cannot be a program's calls, such as a command buffer that
  /// executes itself.
  void call(const Call& call);

  /// Calls so far only prepare objects: what was submitted belongs to no frame.
  void forget_work();

  Objects& objects() { return objects_; }

  /// The frame asked for. Throws base::InputError when the calls hold no such frame; `damage` is
  /// what may be the reason.
  model::ApiFrame finish(const std::string& source, const std::string& damage);

 private:
  void record(const CommandCall* known, std::string_view name, const Call& call);
  void submit(const Call& call);
  void present(const Call& call);
  void end_frame();

  const ReadOptions& options_;
  Objects objects_;
  std::unordered_map<std::string_view, const ObjectCall*> object_calls_;
  std::unordered_map<std::string_view, const CommandCall*> command_calls_;
  std::unordered_set<std::string> names_;  // of commands, which recorded ones point to
  std::unique_ptr<FrameBuilder> current_;
  std::optional<model::ApiFrame> kept_;
  std::uint64_t frames_ = 0;   // ended by a present
  std::size_t recorded_ = 0;   // commands since the last frame ended
  std::uint64_t unknown_ = 0;  // commands of no known meaning
};

}  // namespace tilebound::apicap::vulkan
