#include <algorithm>

#include "apicap/gles/frame_builder.h"
#include "apicap/indirect.h"
#include "apicap/limits.h"

/// Draws, clears and dispatches.
namespace tilebound::apicap::gles {

namespace {

constexpr std::uint64_t kThisFrame = 1;
constexpr std::uint32_t kStencilBits = 0xff;

/// Every channel that a colour format has.
std::uint32_t channels(model::Format format) {
  const model::FormatFacts* const facts = model::facts_of(format);
  return facts == nullptr ? 15U : (1U << std::min(4U, facts->components)) - 1;
}

bool covers(const model::Area& area, const model::Extent& extent) {
  return area.x <= 0 && area.y <= 0 && area.x + std::int64_t{area.width} >= extent.width &&
         area.y + std::int64_t{area.height} >= extent.height;
}

}  // namespace

std::uint32_t FrameBuilder::color_mask(std::uint32_t number) {
  const FramebufferObject* const bound = framebuffer(state_.draw_framebuffer);
  if (bound == nullptr) return 0;
  for (std::size_t output = 0; output < std::min(bound->draw_buffers.size(), kMostOutputs);
       ++output) {
    if (bound->draw_buffers[output] == number) return state_.color_mask[output];
  }
  return 0;
}

void FrameBuilder::draw(const DrawCall& call) {
  const model::Pass& pass = open_pass();
  const std::size_t index = pass_->index;
  for (std::size_t i = 0; i < pass.attachments.size(); ++i) {
    const model::Attachment& a = pass.attachments[i];
    Touches& touches = pass_->touched[i];
    const bool color = a.role == model::AttachmentRole::color;
    const auto touch = [](Touch& aspect, bool written) {
      aspect.used = true;
      aspect.drawn = true;
      if (written) {
        aspect.written = true;
        aspect.invalidated = false;
      }
    };
    if (color && color_mask(a.slot) != 0) touch(touches.main, true);
    if (!color && state_.depth_test) touch(touches.main, state_.depth_write);
    if (!color && state_.stencil_test) touch(touches.stencil, state_.stencil_mask != 0);
  }
  use_textures(index);
  model::Draw out;
  out.event = event_;
  out.call = call_;
  out.label = label();
  out.pass = index;
  out.indexed = call.indexed;
  out.vertices = call.vertices;
  out.instances = call.instances;
  out.first_instance = call.first_instance;
  out.viewport = state_.viewport;
  if (state_.scissor_test) out.scissor = state_.scissor;
  if (call.indexed) out.index_bits = call.index_bits;
  if (call.offset) {
    out.draw_count = call.draws;
    out.indirect = model::IndirectSource::not_captured;
    if (const BufferObject* const buffer = find(objects_.buffers, state_.draw_indirect_buffer)) {
      read_records(out, call.draws, call.stride, [&](std::uint64_t offset, std::uint64_t size) {
        return buffer->contents.read(*call.offset + offset, size, kThisFrame, blobs_);
      });
    }
  } else if (call.draws != 1) {
    out.draw_count = call.draws;
  }
  write_buffers();
  if (frame_.draws.size() >= kMostDraws) return note_too_many(frame_);
  out.pipeline = pipeline(false);
  for (const model::VertexBinding& binding : frame_.pipelines[*out.pipeline].bindings) {
    out.vertex_strides.push_back(binding.stride);
  }
  frame_.draws.push_back(std::move(out));
}

void FrameBuilder::dispatch(const std::optional<std::uint64_t>& offset,
                            const std::array<std::uint32_t, 3>& groups) {
  if (uses_attachment()) end_pass();
  ended_.reset();
  model::Dispatch out;
  out.event = event_;
  out.call = call_;
  out.label = label();
  out.pass = open_run(model::PassKind::compute);
  if (!offset) {
    for (std::size_t i = 0; i < groups.size(); ++i) out.groups[i] = groups[i];
  } else if (const BufferObject* const buffer =
                 find(objects_.buffers, state_.dispatch_indirect_buffer)) {
    const auto read = buffer->contents.read(*offset, 3 * sizeof(std::uint32_t), kThisFrame, blobs_);
    for (std::size_t i = 0; i < groups.size() && read.bytes; ++i)
      out.groups[i] = word(*read.bytes, 4 * i);
  }
  use_textures(*out.pass);
  write_buffers();
  if (frame_.dispatches.size() >= kMostDraws) return note_too_many(frame_);
  out.pipeline = pipeline(true);
  frame_.dispatches.push_back(std::move(out));
}

void FrameBuilder::clear(const Aspects& aspects) {
  model::Pass& pass = open_pass();
  model::ClearInPass late;
  late.event = event_;
  late.pass = pass_->index;
  late.stencil_only = true;
  late.first_in_subpass = true;
  if (state_.scissor_test) late.area = state_.scissor;
  const bool whole = !state_.scissor_test || covers(state_.scissor, pass.framebuffer);
  for (const std::size_t i : attachments(pass, aspects)) {
    model::Attachment& a = pass.attachments[i];
    Touches& touches = pass_->touched[i];
    bool in_pass = false;
    const auto touch = [&](Touch& touched, model::LoadOp& load, bool all_bits) {
      if (touched.drawn) late.first_in_subpass = false;
      if (!touched.drawn && whole && all_bits) {
        load = model::LoadOp::clear;
      } else {
        in_pass = true;
        if (!all_bits) late.masked = true;
      }
      touched.used = touched.written = true;
      touched.invalidated = false;
    };
    if (a.role == model::AttachmentRole::color) {
      const std::uint32_t mask = color_mask(a.slot);
      const std::uint32_t all = channels(a.format);
      if (mask != 0) touch(touches.main, a.load, (mask & all) == all);
      late.stencil_only = false;
    } else {
      if (aspects.depth && state_.depth_write && a.load != model::LoadOp::none) {
        touch(touches.main, a.load, true);
        if (in_pass) late.stencil_only = false;
      }
      if (aspects.stencil && state_.stencil_mask != 0 && a.stencil_load != model::LoadOp::none) {
        touch(touches.stencil, a.stencil_load,
              (state_.stencil_mask & kStencilBits) == kStencilBits);
      }
    }
    if (in_pass) late.attachments.push_back(i);
  }
  if (late.attachments.empty()) return;
  if (frame_.clears.size() >= kMostDraws) return note_too_many(frame_);
  frame_.clears.push_back(std::move(late));
}

}  // namespace tilebound::apicap::gles
