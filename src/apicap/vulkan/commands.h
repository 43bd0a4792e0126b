#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "apicap/vulkan/objects.h"
#include "model/api_frame.h"

/// Commands as they were recorded. Handles in them are looked up when the command buffer is
/// submitted.
namespace tilebound::apicap::vulkan {

struct BeginPass {
  Handle render_pass = 0;
  Handle framebuffer = 0;
  model::Area area;
  std::vector<Handle> views;  // of an imageless framebuffer
};
struct NextSubpass {};
struct EndPass {};

struct RenderingAttachment {
  model::AttachmentRole role = model::AttachmentRole::color;
  std::uint32_t slot = 0;
  Handle view = 0;
  Handle resolve_view = 0;  // 0: not resolved
  std::uint64_t layout = 0;
  model::LoadOp load = model::LoadOp::none;
  model::StoreOp store = model::StoreOp::none;
  model::LoadOp stencil_load = model::LoadOp::none;
  model::StoreOp stencil_store = model::StoreOp::none;
};
struct BeginRendering {
  std::uint64_t flags = 0;
  model::Area area;
  std::uint32_t layers = 1;
  std::uint32_t view_mask = 0;
  std::vector<RenderingAttachment> attachments;
};
struct EndRendering {};

struct BindPipeline {
  bool compute = false;
  Handle pipeline = 0;
};
struct BindSets {
  bool compute = false;
  Handle layout = 0;
  std::uint32_t first = 0;
  std::vector<Handle> sets;
};
struct PushSet {
  bool compute = false;
  Handle layout = 0;
  std::uint32_t set = 0;
  std::shared_ptr<const DescriptorSetObject> written;
};
struct BindIndexBuffer {
  std::optional<std::uint32_t> bits;
};
struct BindVertexBuffers {
  std::uint32_t first = 0;
  std::vector<std::uint32_t> strides;  // empty: not given
};
struct SetVertexInput {
  std::vector<model::VertexBinding> bindings;
  std::vector<model::VertexAttribute> attributes;
};
struct SetViewport {
  std::optional<model::Area> area;  // the first one
};
struct SetScissor {
  std::optional<model::Area> area;
};
enum class StateKind : std::uint8_t { depth_test, depth_write, topology };
struct SetState {
  StateKind kind = StateKind::depth_test;
  std::uint64_t value = 0;
};
struct SetColorState {
  bool masks = false;  // VkColorComponentFlags, else blend enables
  std::uint32_t first = 0;
  std::vector<std::uint32_t> values;
};

struct DrawCommand {
  bool indexed = false;
  std::optional<std::uint64_t> vertices;
  std::optional<std::uint64_t> instances;
  std::uint32_t first_instance = 0;
  std::uint32_t draws = 1;  // of vkCmdDrawMulti...
};
struct DrawIndirectCommand {
  bool indexed = false;
  bool mesh = false;
  bool bytes_of_feedback = false;  // vertex count from transform feedback
  Handle buffer = 0;
  std::uint64_t offset = 0;
  std::uint32_t draws = 0;
  std::uint32_t stride = 0;
  Handle count_buffer = 0;
  std::uint64_t count_offset = 0;
};
struct DispatchCommand {
  std::uint32_t groups[3] = {1, 1, 1};
  Handle buffer = 0;  // indirect
  std::uint64_t offset = 0;
};

struct ClearedAttachment {
  std::uint64_t aspects = 0;
  std::uint32_t color = 0;
};
struct ClearAttachments {
  std::vector<ClearedAttachment> attachments;
  std::optional<model::Area> area;
};

struct ImagePart {
  Handle image = 0;
  std::uint32_t mip = 0;
  std::uint32_t mips = 1;
  std::uint32_t layer = 0;
  std::uint32_t layers = 1;
};
struct BufferCopy {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t size = 0;
};
struct TransferCommand {
  model::TransferKind kind = model::TransferKind::copy;
  std::optional<ImagePart> from;
  std::optional<ImagePart> to;
  Handle from_buffer = 0;
  Handle to_buffer = 0;
  std::vector<BufferCopy> copies;   // of buffers; of a fill or update: its range
  std::uint64_t pixels = 0;         // of images
  std::optional<std::string> data;  // blob of an update
};

struct BarrierCommand {
  std::uint64_t src_stages = 0;
  std::uint64_t dst_stages = 0;
  std::uint64_t src_access = 0;
  std::uint64_t dst_access = 0;
  bool by_region = false;
  bool memory = false;
  std::vector<ImagePart> images;
  std::vector<Handle> discarded;  // images whose old layout is UNDEFINED
};

struct BeginLabel {
  std::string text;
};
struct EndLabel {};

struct ExecuteCommands {
  std::vector<Handle> buffers;
};

/// Counted, and otherwise of no interest.
struct OtherCommand {};

using Payload =
    std::variant<OtherCommand, BeginPass, NextSubpass, EndPass, std::unique_ptr<BeginRendering>,
                 EndRendering, BindPipeline, BindSets, PushSet, BindIndexBuffer, BindVertexBuffers,
                 std::unique_ptr<SetVertexInput>, SetViewport, SetScissor, SetState, SetColorState,
                 DrawCommand, DrawIndirectCommand, DispatchCommand, ClearAttachments,
                 std::unique_ptr<TransferCommand>, std::unique_ptr<BarrierCommand>, BeginLabel,
                 EndLabel, ExecuteCommands>;

struct Command {
  const std::string* name;  // of the call; lives as long as the interpreter
  Payload payload;
};

struct CommandList {
  std::deque<Command> commands;
  std::map<const std::string*, std::uint64_t> dropped;  // counts of commands that were too many
  bool executing = false;  // guards against command buffers that execute themselves
};

}  // namespace tilebound::apicap::vulkan
