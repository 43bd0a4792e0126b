#include <algorithm>

#include "apicap/gles/frame_builder.h"
#include "apicap/limits.h"

/// Copies between images, and what they end: a pass whose attachments are read or written
/// otherwise.
namespace tilebound::apicap::gles {

namespace {

std::uint64_t pixels_of(const model::Area& area) {
  return std::uint64_t{area.width} * area.height;
}

}  // namespace

bool FrameBuilder::is_attached(Handle handle) const {
  if (!pass_ || handle == 0) return false;
  const auto at = images_.find(handle);
  const model::Pass& pass = frame_.passes[pass_->index];
  return at != images_.end() && std::any_of(pass.attachments.begin(), pass.attachments.end(),
                                            [&](const model::Attachment& a) {
                                              return a.range && a.range->image == at->second;
                                            });
}

void FrameBuilder::read_framebuffer(Handle handle, const Aspects& aspects) {
  if (pass_ && pass_->framebuffer == handle) end_pass();
  if (!ended_ || ended_->framebuffer != handle) return;
  for (const std::size_t i : attachments(frame_.passes[ended_->index], aspects))
    ended_->read.insert(i);
}

void FrameBuilder::read_image(Handle handle) {
  if (is_attached(handle)) end_pass();
  const auto at = images_.find(handle);
  if (!ended_ || at == images_.end()) return;
  const model::Pass& pass = frame_.passes[ended_->index];
  for (std::size_t i = 0; i < pass.attachments.size(); ++i) {
    const std::size_t kept = pass.attachments[i].resolve_target.value_or(i);
    const auto& range = pass.attachments[kept].range;
    if (range && range->image == at->second) ended_->read.insert(i);
  }
}

void FrameBuilder::add_transfer(model::TransferKind kind, const std::optional<ImagePart>& from,
                                const std::optional<ImagePart>& to, const Amount& amount) {
  model::Transfer out;
  out.event = event_;
  out.call = call_;
  out.label = label();
  out.kind = kind;
  // A driver copies to and from other images without an end to the pass.
  if (!pass_) out.pass = open_run(model::PassKind::transfer);
  if (from) out.from = range_of(*from);
  if (to) out.to = range_of(*to);
  if (out.from) use(model::UseKind::transfer_read, *out.from, out.pass);
  if (out.to) use(model::UseKind::transfer_write, *out.to, out.pass);
  if (to) set_defined(to->image, to->mip, to->layer, true);
  const auto& side = out.to ? out.to : out.from;
  const model::FormatFacts* const format =
      side ? model::facts_of(frame_.images[side->image].format) : nullptr;
  out.bytes = amount.bytes;
  if (format != nullptr && amount.pixels) out.bytes = *amount.pixels * format->bits() / 8;
  if (frame_.transfers.size() >= kMostDraws) return note_too_many(frame_);
  frame_.transfers.push_back(std::move(out));
}

void FrameBuilder::blit(Handle from, Handle to, const Aspects& aspects, const model::Area& source,
                        const model::Area& target) {
  const FramebufferObject* const read = framebuffer(from);
  const FramebufferObject* const drawn = framebuffer(to);
  if (pass_ && pass_->framebuffer == to) end_pass();
  if (read == nullptr || drawn == nullptr) return;
  Aspects read_aspects = aspects;
  read_aspects.colors.clear();
  if (!aspects.colors.empty() && read->read_buffer) read_aspects.colors.insert(*read->read_buffer);
  read_framebuffer(from, read_aspects);
  const bool whole = pixels_of(source) == pixels_of(target);
  const auto add = [&](const AttachmentPoint& a, const AttachmentPoint& b) {
    const ImageObject* const image_a = find(objects_.images, a.image);
    const ImageObject* const image_b = find(objects_.images, b.image);
    if (image_a == nullptr || image_b == nullptr) return;
    const bool resolves = whole && image_a->facts.samples > 1 && image_b->facts.samples <= 1;
    add_transfer(resolves ? model::TransferKind::resolve : model::TransferKind::blit,
                 ImagePart{a.image, a.mip, a.layer}, ImagePart{b.image, b.mip, b.layer},
                 {pixels_of(target), std::nullopt});
  };
  if (!read_aspects.colors.empty()) {
    const auto color = read->colors.find(*read->read_buffer);
    for (const auto& number : drawn->draw_buffers) {
      const auto into = number ? drawn->colors.find(*number) : drawn->colors.end();
      if (color != read->colors.end() && into != drawn->colors.end())
        add(color->second, into->second);
    }
  }
  if (aspects.depth) add(read->depth, drawn->depth);
  if (aspects.stencil && !(aspects.depth && read->stencil.image == read->depth.image))
    add(read->stencil, drawn->stencil);
}

void FrameBuilder::copy_out(const std::optional<ImagePart>& to, std::uint64_t pixels) {
  const FramebufferObject* const read = framebuffer(state_.read_framebuffer);
  if (read == nullptr) return;
  Aspects aspects;
  AttachmentPoint point = read->depth;  // where there is no colour
  if (read->read_buffer && read->colors.count(*read->read_buffer) > 0) {
    aspects.colors.insert(*read->read_buffer);
    point = read->colors.at(*read->read_buffer);
  } else {
    aspects.depth = true;
  }
  read_framebuffer(state_.read_framebuffer, aspects);
  if (to && is_attached(to->image)) end_pass();
  add_transfer(to ? model::TransferKind::copy : model::TransferKind::readback,
               ImagePart{point.image, point.mip, point.layer}, to, {pixels, std::nullopt});
}

void FrameBuilder::copy(const ImagePart& from, const ImagePart& to, std::uint64_t pixels) {
  read_image(from.image);
  if (is_attached(to.image)) end_pass();
  add_transfer(model::TransferKind::copy, from, to, {pixels, std::nullopt});
}

void FrameBuilder::upload(const ImagePart& to, std::uint64_t bytes) {
  if (is_attached(to.image)) end_pass();
  add_transfer(model::TransferKind::upload, std::nullopt, to, {std::nullopt, bytes});
}

void FrameBuilder::generate_mips(Handle handle) {
  read_image(handle);
  const ImageObject* const object = find(objects_.images, handle);
  if (object == nullptr) return;
  add_transfer(model::TransferKind::generate_mips, ImagePart{handle, 0, 0}, ImagePart{handle, 1, 0},
               {});
  for (std::uint32_t layer = 0; layer < std::min(object->facts.layers, 6U); ++layer) {
    for (std::uint32_t mip = 1; mip < object->facts.mips; ++mip)
      set_defined(handle, mip, layer, true);
  }
}

}  // namespace tilebound::apicap::gles
