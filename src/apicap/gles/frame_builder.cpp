#include "apicap/gles/frame_builder.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apicap/limits.h"

/// How passes begin and end, and what they load and store.
namespace tilebound::apicap::gles {

FrameBuilder::FrameBuilder(Objects& objects, State& state, const BlobReader& blobs)
    : objects_(objects), state_(state), blobs_(blobs) {
  frame_.api = model::Api::gles;
}

bool FrameBuilder::command(std::string_view call) {
  ++frame_.calls[std::string(call)];
  call_ = call;
  if (event_ >= kMostCommands || frame_.passes.size() >= kMostPasses) {
    note_too_many(frame_);
    return false;
  }
  ++event_;
  return true;
}

std::string FrameBuilder::label() const {
  return fmt::format("{}", fmt::join(labels_, "/"));
}

FramebufferObject* FrameBuilder::framebuffer(Handle handle) {
  return find(objects_.framebuffers, handle);
}

model::Pass& FrameBuilder::new_pass(model::PassKind kind) {
  run_.reset();
  model::Pass pass;
  pass.kind = kind;
  pass.label = label();
  pass.first_event = event_;
  pass.last_event = event_;
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

model::Pass& FrameBuilder::open_pass() {
  run_.reset();
  if (pass_ && pass_->framebuffer == state_.draw_framebuffer) {
    model::Pass& pass = frame_.passes[pass_->index];
    pass.last_event = event_;
    return pass;
  }
  end_pass();
  ended_.reset();
  model::Pass& pass = new_pass(model::PassKind::render);
  pass.dynamic = true;
  pass_ = OpenPass{frame_.passes.size() - 1, state_.draw_framebuffer, {}};
  if (const auto* name = find(objects_.names, state_.draw_framebuffer)) pass.name = *name;
  const FramebufferObject* const bound = framebuffer(state_.draw_framebuffer);
  if (bound == nullptr) {
    frame_.note("unknown_framebuffer", model::Severity::warning,
                "drawn into a framebuffer that the capture does not create");
    return pass;
  }
  std::set<std::uint32_t> outputs;  // no attachment can be two
  for (const auto& number : bound->draw_buffers) {
    if (!number || !outputs.insert(*number).second) continue;
    const auto color = bound->colors.find(*number);
    if (color == bound->colors.end()) continue;
    add_attachment(pass, color->second, model::AttachmentRole::color, *number);
  }
  const bool packed = bound->depth.image != 0 && bound->depth.image == bound->stencil.image;
  add_attachment(pass, bound->depth, model::AttachmentRole::depth_stencil, 0);
  if (!packed) add_attachment(pass, bound->stencil, model::AttachmentRole::depth_stencil, 0);
  pass.area = {0, 0, pass.framebuffer.width, pass.framebuffer.height};
  pass_->touched.resize(pass.attachments.size());
  return pass;
}

void FrameBuilder::add_attachment(model::Pass& pass, const AttachmentPoint& point,
                                  model::AttachmentRole role, std::uint32_t slot) {
  const auto range = range_of({point.image, point.mip, point.layer});
  if (!range) return;
  const model::Image& facts = frame_.images[range->image];
  const ImageObject& object = *find(objects_.images, point.image);
  const model::FormatFacts* const format = model::facts_of(facts.format);
  const bool has_stencil = format != nullptr && format->stencil_bits > 0;
  const bool only_stencil = has_stencil && format->depth_bits == 0;
  const bool lost = object.fresh || object.undefined.count({point.mip, point.layer}) > 0;
  const model::LoadOp load = lost ? model::LoadOp::dont_care : model::LoadOp::load;
  model::Attachment a;
  a.role = role;
  a.slot = slot;
  a.range = range;
  if (point.layered) a.range->layers = facts.layers - point.layer;
  a.format = facts.format;
  a.samples = facts.samples;
  a.undefined_before = lost;
  a.load = only_stencil ? model::LoadOp::none : load;
  a.stencil_load = has_stencil ? load : model::LoadOp::none;
  const model::Extent extent{std::max(1U, facts.extent.width >> point.mip),
                             std::max(1U, facts.extent.height >> point.mip)};
  if (pass.attachments.empty()) {
    pass.framebuffer = extent;
    pass.layers = point.layered ? facts.layers : 1;
    pass.views = point.views;
  } else {
    pass.framebuffer.width = std::min(pass.framebuffer.width, extent.width);
    pass.framebuffer.height = std::min(pass.framebuffer.height, extent.height);
  }
  const std::uint32_t tile_samples = std::max(point.tile_samples, object.tile_samples);
  if (tile_samples <= a.samples) return pass.attachments.push_back(std::move(a));
  // Multisampled in tile memory only: what memory holds is the resolved image, also when it is
  // loaded.
  model::Attachment resolved = a;
  resolved.is_resolve_target = true;
  a.range.reset();
  a.samples = tile_samples;
  a.undefined_before = true;
  if (a.load == model::LoadOp::load) a.load = model::LoadOp::dont_care;
  if (a.stencil_load == model::LoadOp::load) a.stencil_load = model::LoadOp::dont_care;
  a.resolve_target = pass.attachments.size() + 1;
  pass.attachments.push_back(std::move(a));
  pass.attachments.push_back(std::move(resolved));
}

std::vector<std::size_t> FrameBuilder::attachments(const model::Pass& pass,
                                                   const Aspects& aspects) const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < pass.attachments.size(); ++i) {
    const model::Attachment& a = pass.attachments[i];
    if (a.is_resolve_target) continue;
    const bool named = a.role == model::AttachmentRole::color ? aspects.colors.count(a.slot) > 0
                                                              : aspects.depth || aspects.stencil;
    if (named) out.push_back(i);
  }
  return out;
}

void FrameBuilder::end_pass(bool swapped) {
  if (!pass_) return;
  model::Pass& pass = frame_.passes[pass_->index];
  const bool window = pass_->framebuffer == 0;
  for (std::size_t i = 0; i < pass.attachments.size(); ++i) {
    model::Attachment& a = pass.attachments[i];
    if (a.is_resolve_target) continue;
    const bool ancillary = window && a.role == model::AttachmentRole::depth_stencil;
    settle(pass, a, pass_->touched[i], swapped && ancillary);
  }
  ended_ = EndedPass{pass_->index, pass_->framebuffer, {}};
  pass_.reset();
}

void FrameBuilder::settle(model::Pass& pass, model::Attachment& a, const Touches& touches,
                          bool given_up) {
  const auto store = [&](const Touch& touch) {
    if (!touch.written) return model::StoreOp::none;
    return touch.invalidated || given_up ? model::StoreOp::dont_care : model::StoreOp::store;
  };
  const bool has_main = a.load != model::LoadOp::none;
  const bool has_stencil = a.stencil_load != model::LoadOp::none;
  if (has_main) a.store = store(touches.main);
  a.stencil_store = has_stencil ? store(touches.stencil) : model::StoreOp::none;
  if (!has_main) a.store = model::StoreOp::none;
  if (!touches.main.used) a.load = model::LoadOp::none;
  if (!touches.stencil.used) a.stencil_load = model::LoadOp::none;
  const bool written = touches.main.written || touches.stencil.written;
  if (written) a.written_in = {0};
  a.read_only = a.role == model::AttachmentRole::depth_stencil && !written;
  if (a.resolve_target) {
    model::Attachment& target = pass.attachments[*a.resolve_target];
    target.store = a.store;
    target.stencil_store = a.stencil_store;
    target.written_in = a.written_in;
    if (a.load != model::LoadOp::dont_care)
      target.load = a.load == model::LoadOp::none ? a.load : model::LoadOp::dont_care;
    if (a.stencil_load != model::LoadOp::dont_care)
      target.stencil_load =
          a.stencil_load == model::LoadOp::none ? a.stencil_load : model::LoadOp::dont_care;
    if (a.store == model::StoreOp::store) a.store = model::StoreOp::dont_care;
    if (a.stencil_store == model::StoreOp::store) a.stencil_store = model::StoreOp::dont_care;
  }
  const model::Attachment& kept = a.resolve_target ? pass.attachments[*a.resolve_target] : a;
  if (kept.range && written) {
    const bool stored =
        kept.store == model::StoreOp::store || kept.stencil_store == model::StoreOp::store;
    set_defined(handles_[kept.range->image], kept.range->mip, kept.range->layer, stored);
  }
}

void FrameBuilder::invalidate(Handle handle, const Aspects& aspects) {
  if (pass_ && pass_->framebuffer == handle) {
    const model::Pass& pass = frame_.passes[pass_->index];
    for (const std::size_t i : attachments(pass, aspects)) {
      const bool color = pass.attachments[i].role == model::AttachmentRole::color;
      Touches& touches = pass_->touched[i];
      if (color || aspects.depth) touches.main.invalidated = true;
      if (!color && aspects.stencil) touches.stencil.invalidated = true;
    }
    return;
  }
  if (ended_ && ended_->framebuffer == handle) {
    model::Pass& pass = frame_.passes[ended_->index];
    for (const std::size_t i : attachments(pass, aspects)) {
      if (ended_->read.count(i) > 0) continue;
      const std::size_t kept = pass.attachments[i].resolve_target.value_or(i);
      model::Attachment& a = pass.attachments[kept];
      const bool color = a.role == model::AttachmentRole::color;
      if (a.store == model::StoreOp::store && (color || aspects.depth))
        a.store = model::StoreOp::dont_care;
      if (a.stencil_store == model::StoreOp::store && aspects.stencil)
        a.stencil_store = model::StoreOp::dont_care;
    }
  }
  const FramebufferObject* const given_up = framebuffer(handle);
  if (given_up == nullptr) return;
  const auto lose = [&](const AttachmentPoint& point) {
    set_defined(point.image, point.mip, point.layer, false);
  };
  for (const std::uint32_t number : aspects.colors) {
    const auto color = given_up->colors.find(number);
    if (color != given_up->colors.end()) lose(color->second);
  }
  // A packed image loses its content with both of its aspects only.
  const bool packed = given_up->depth.image == given_up->stencil.image;
  if (aspects.depth && (aspects.stencil || !packed)) lose(given_up->depth);
  if (aspects.stencil && !packed) lose(given_up->stencil);
}

void FrameBuilder::set_defined(Handle handle, std::uint32_t mip, std::uint32_t layer,
                               bool defined) {
  constexpr std::uint32_t kMostParts = 256;
  ImageObject* const object = find(objects_.images, handle);
  if (object == nullptr || (object->fresh && !defined)) return;
  if (object->fresh) {
    object->fresh = false;
    const std::uint32_t mips = std::min(object->facts.mips, kMostParts);
    const std::uint32_t layers = std::min(object->facts.layers, kMostParts / std::max(1U, mips));
    for (std::uint32_t m = 0; m < mips; ++m) {
      for (std::uint32_t l = 0; l < layers; ++l) object->undefined.insert({m, l});
    }
  }
  if (defined) {
    object->undefined.erase({mip, layer});
  } else {
    object->undefined.insert({mip, layer});
  }
}

void FrameBuilder::change(Handle handle) {
  if (pass_ && pass_->framebuffer == handle) end_pass();
  if (ended_ && ended_->framebuffer == handle) ended_.reset();
}

void FrameBuilder::flush() {
  end_pass();
  ended_.reset();
}

void FrameBuilder::swap() {
  end_pass(true);
  model::Present out;
  out.event = event_;
  out.image = image(kWindowColorImage);
  if (out.image) {
    frame_.uses.push_back(
        {event_, model::UseKind::present, model::ImageRange{*out.image, 0, 1, 0, 1}, std::nullopt});
  }
  frame_.presents.push_back(out);
  for (const Handle handle : {kWindowColorImage, kWindowDepthImage}) {
    if (ImageObject* const object = find(objects_.images, handle)) object->fresh = true;
  }
}

model::ApiFrame FrameBuilder::take() {
  end_pass();
  for (std::size_t p = 0; p < frame_.passes.size(); ++p) {
    const model::Pass& pass = frame_.passes[p];
    for (const model::Attachment& a : pass.attachments) {
      if (!a.range) continue;
      if (a.load == model::LoadOp::load || a.stencil_load == model::LoadOp::load) {
        frame_.uses.push_back({pass.first_event, model::UseKind::attachment_load, *a.range, p});
      }
      if (a.store == model::StoreOp::store || a.stencil_store == model::StoreOp::store) {
        frame_.uses.push_back({pass.last_event, model::UseKind::attachment_write, *a.range, p});
      }
    }
  }
  std::stable_sort(
      frame_.uses.begin(), frame_.uses.end(),
      [](const model::ImageUse& a, const model::ImageUse& b) { return a.event < b.event; });
  return std::move(frame_);
}

}  // namespace tilebound::apicap::gles
