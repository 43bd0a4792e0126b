#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "apicap/capture.h"
#include "apicap/vulkan/commands.h"
#include "apicap/vulkan/objects.h"
#include "model/api_frame.h"

/// One frame in the making: command buffers, in the order in which they are submitted, become
/// passes, draws and the data flow of images.
namespace tilebound::apicap::vulkan {

class FrameBuilder {
 public:
  /// Keeps references; `number` counts from 1 in the file.
  FrameBuilder(Objects& objects, const BlobReader& blobs, std::uint64_t number);

  void submit(Handle queue, const std::vector<Handle>& buffers);
  void present(const SwapchainObject& swapchain, std::size_t image);
  /// A call that is not a command.
  void count(const std::string& call) { ++frame_.calls[call]; }

  bool has_work() const {
    return !frame_.passes.empty() || !frame_.draws.empty() || !frame_.dispatches.empty();
  }
  std::uint64_t number() const { return number_; }
  model::ApiFrame take();

 private:
  /// What a command buffer has bound.
  struct State {
    Handle pipeline[2] = {0, 0};  // graphics, compute
    std::map<std::uint32_t, DescriptorSetObject> pushed[2];
    std::map<std::uint32_t, Handle> sets[2];
    std::optional<std::uint32_t> index_bits;
    std::map<std::uint32_t, std::uint32_t> strides;
    std::optional<model::Area> viewport;
    std::optional<model::Area> scissor;
    std::optional<std::size_t> sets_seen[2];  // pass whose uses hold their images already
  };
  /// The render pass that commands are inside of.
  struct OpenPass {
    std::size_t index = 0;
    const RenderPassObject* object = nullptr;  // empty: dynamic rendering
    std::vector<std::size_t> attachment;       // of the object's, in the model's; npos: left out
    std::uint32_t subpass = 0;
    bool drawn = false;  // in this subpass
    bool suspending = false;
  };

  void execute(CommandList& list, State& state);
  void run(const Command& command, State& state);
  void begin(const BeginPass& begin);
  void begin(const BeginRendering& begin);
  void end_pass();
  void draw(const Command& command, State& state);
  void draw_indirect(const DrawIndirectCommand& command, model::Draw& draw);
  void dispatch(const Command& command, State& state);
  void transfer(const Command& command);
  void barrier(const BarrierCommand& barrier);
  void clear(const ClearAttachments& clear);

  std::size_t open_run(model::PassKind kind);
  model::Pass& new_pass(model::PassKind kind);
  std::string label() const;
  std::optional<std::size_t> image(Handle handle);
  std::optional<model::ImageRange> range_of(Handle view, const ViewObject** found);
  std::optional<model::ImageRange> range_of(const ImagePart& part);
  std::optional<std::size_t> pipeline(Handle handle);
  std::size_t shader(const StageObject& stage);
  void use(model::UseKind kind, const model::ImageRange& range);
  void use_sets(State& state, bool compute);
  void use_set(const DescriptorSetObject& set, bool compute);
  void note_unknown_set();
  void write_buffer(Handle buffer, std::uint64_t offset, std::uint64_t size,
                    const std::optional<std::string>& blob);
  void fill_attachment(model::Attachment& out, const AttachmentDescription& description,
                       Handle view);
  void use_loads(const model::Pass& pass);

  Objects& objects_;
  const BlobReader& blobs_;
  std::uint64_t number_;
  model::ApiFrame frame_;
  std::uint64_t event_ = 0;
  std::uint32_t queue_ = 0;
  std::vector<std::string> labels_;
  std::optional<OpenPass> pass_;
  std::optional<OpenPass> suspended_;
  std::optional<std::size_t> run_;  // the open run of dispatches or transfers
  std::unordered_map<Handle, std::size_t> images_;
  std::unordered_map<Handle, std::size_t> pipelines_;
  std::map<std::pair<Handle, std::string>, std::size_t> shaders_;
  std::set<std::tuple<std::size_t, int, std::size_t, std::uint32_t, std::uint32_t>> used_;
  std::uint64_t executed_ = 0;
};

}  // namespace tilebound::apicap::vulkan
