#include <algorithm>
#include <bit>
#include <utility>

#include "apicap/vulkan/frame_builder.h"
#include "apicap/vulkan/names.h"

/// Render passes of both kinds, and what they load and store.
namespace tilebound::apicap::vulkan {

namespace {

constexpr std::size_t kLeftOut = static_cast<std::size_t>(-1);
/// More than any GPU allows; hostile counts must not become memory.
constexpr std::size_t kMostAttachments = 64;

bool read_only_depth(std::uint64_t layout) {
  return layout == layout::depth_stencil_read_only || layout == layout::depth_read_only ||
         layout == layout::depth_read_only_stencil_attachment || layout == layout::read_only;
}

/// Ops of aspects that the format lacks mean nothing.
void drop_missing_aspects(model::Attachment& a) {
  const model::FormatFacts* const facts = model::facts_of(a.format);
  if (facts == nullptr) return;
  if (facts->stencil_bits == 0) {
    a.stencil_load = model::LoadOp::none;
    a.stencil_store = model::StoreOp::none;
  }
  if (facts->color_bits == 0 && facts->depth_bits == 0) {
    a.load = model::LoadOp::none;
    a.store = model::StoreOp::none;
  }
}

std::uint32_t views_of(std::uint32_t mask) {
  return mask == 0 ? 1 : static_cast<std::uint32_t>(std::popcount(mask));
}

}  // namespace

void FrameBuilder::fill_attachment(model::Attachment& out, const AttachmentDescription& description,
                                   Handle view) {
  const ViewObject* found = nullptr;
  out.range = range_of(view, &found);
  out.format = description.format;
  if (out.format.vk == 0 && found != nullptr) out.format = found->format;
  out.samples = description.samples;
  out.load = description.load;
  out.store = description.store;
  out.stencil_load = description.stencil_load;
  out.stencil_store = description.stencil_store;
  out.undefined_before = description.initial_layout == layout::undefined;
  drop_missing_aspects(out);
}

void FrameBuilder::begin(const BeginPass& begin) {
  if (pass_) end_pass();
  const RenderPassObject* const object = find(objects_.render_passes, begin.render_pass);
  const FramebufferObject* const framebuffer = find(objects_.framebuffers, begin.framebuffer);
  model::Pass& pass = new_pass(model::PassKind::render);
  pass.area = begin.area;
  OpenPass open;
  open.index = frame_.passes.size() - 1;
  open.object = object;
  if (const auto* name = find(objects_.names, begin.render_pass)) pass.name = *name;
  if (pass.name.empty()) {
    if (const auto* name = find(objects_.names, begin.framebuffer)) pass.name = *name;
  }
  pass.framebuffer = {begin.area.width, begin.area.height};
  if (framebuffer != nullptr) {
    pass.framebuffer = framebuffer->extent;
    pass.layers = framebuffer->layers;
  }
  if (object == nullptr) {
    frame_.note("unknown_render_pass", model::Severity::warning,
                "a pass of a render pass object that the capture does not create");
    pass_ = open;
    return;
  }
  const std::vector<Handle> none;
  const std::vector<Handle>& views = !begin.views.empty()     ? begin.views
                                     : framebuffer != nullptr ? framebuffer->views
                                                              : none;
  pass.dependencies = object->dependencies;
  pass.subpasses = static_cast<std::uint32_t>(std::max<std::size_t>(1, object->subpasses.size()));
  if (!object->subpasses.empty()) pass.views = views_of(object->subpasses.front().view_mask);

  const std::size_t count = std::min(object->attachments.size(), kMostAttachments);
  open.attachment.assign(count, kLeftOut);
  std::vector<bool> writable_depth(count, false);
  const auto touch = [&](const AttachmentReference& ref, model::AttachmentRole role,
                         std::uint32_t slot) -> model::Attachment* {
    if (ref.attachment >= count) return nullptr;
    std::size_t& at = open.attachment[ref.attachment];
    if (at == kLeftOut) {
      at = pass.attachments.size();
      model::Attachment attachment;
      attachment.role = role;
      attachment.slot = slot;
      const Handle view = ref.attachment < views.size() ? views[ref.attachment] : 0;
      fill_attachment(attachment, object->attachments[ref.attachment], view);
      pass.attachments.push_back(attachment);
    }
    // What is read in one subpass and drawn to in another is what it is drawn as.
    model::Attachment& attachment = pass.attachments[at];
    if (attachment.role == model::AttachmentRole::input && role != model::AttachmentRole::input) {
      attachment.role = role;
      attachment.slot = slot;
    }
    return &attachment;
  };
  for (std::uint32_t s = 0; s < object->subpasses.size(); ++s) {
    const Subpass& subpass = object->subpasses[s];
    for (std::uint32_t slot = 0; slot < subpass.colors.size(); ++slot) {
      if (auto* a = touch(subpass.colors[slot], model::AttachmentRole::color, slot)) {
        a->written_in.push_back(s);
      }
    }
    if (subpass.depth) {
      if (auto* a = touch(*subpass.depth, model::AttachmentRole::depth_stencil, 0)) {
        if (!read_only_depth(subpass.depth->layout)) {
          a->written_in.push_back(s);
          writable_depth[subpass.depth->attachment] = true;
        }
      }
    }
    for (std::uint32_t slot = 0; slot < subpass.inputs.size(); ++slot) {
      if (auto* a = touch(subpass.inputs[slot], model::AttachmentRole::input, slot)) {
        a->read_in.push_back(s);
      }
    }
    if (subpass.shading_rate) {
      touch(*subpass.shading_rate, model::AttachmentRole::shading_rate, 0);
    }
    const auto resolve = [&](const AttachmentReference& from, const AttachmentReference& to,
                             model::AttachmentRole role, std::uint32_t slot) {
      auto* target = touch(to, role, slot);
      if (target == nullptr || from.attachment >= count) return;
      target->is_resolve_target = true;
      target->written_in.push_back(s);
      pass.attachments[open.attachment[from.attachment]].resolve_target =
          open.attachment[to.attachment];
    };
    for (std::uint32_t slot = 0; slot < subpass.resolves.size() && slot < subpass.colors.size();
         ++slot) {
      resolve(subpass.colors[slot], subpass.resolves[slot], model::AttachmentRole::color, slot);
    }
    if (subpass.depth && subpass.depth_resolve) {
      resolve(*subpass.depth, *subpass.depth_resolve, model::AttachmentRole::depth_stencil, 0);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (open.attachment[i] == kLeftOut) continue;
    model::Attachment& a = pass.attachments[open.attachment[i]];
    a.read_only = a.role == model::AttachmentRole::depth_stencil && !a.is_resolve_target &&
                  !writable_depth[i];
  }
  pass_ = open;
  use_loads(pass);
}

void FrameBuilder::begin(const BeginRendering& begin) {
  if (pass_) end_pass();
  const bool suspending = (begin.flags & kSuspending) != 0;
  if ((begin.flags & kResuming) != 0 && suspended_) {
    pass_ = std::exchange(suspended_, std::nullopt);
    pass_->suspending = suspending;
    model::Pass& pass = frame_.passes[pass_->index];
    // What the last instance stores is what the pass stores.
    for (const RenderingAttachment& value : begin.attachments) {
      for (model::Attachment& a : pass.attachments) {
        if (a.is_resolve_target || a.role != value.role || a.slot != value.slot) continue;
        a.store = value.store;
        a.stencil_store = value.stencil_store;
        drop_missing_aspects(a);
      }
    }
    return;
  }
  model::Pass& pass = new_pass(model::PassKind::render);
  pass.dynamic = true;
  pass.area = begin.area;
  pass.framebuffer = {begin.area.width, begin.area.height};
  pass.layers = begin.layers;
  pass.views = views_of(begin.view_mask);
  OpenPass open;
  open.index = frame_.passes.size() - 1;
  open.suspending = suspending;
  for (const RenderingAttachment& value : begin.attachments) {
    if (pass.attachments.size() >= kMostAttachments) break;
    const ViewObject* view = find(objects_.views, value.view);
    const ImageObject* image = view != nullptr ? find(objects_.images, view->image) : nullptr;
    AttachmentDescription description;
    if (view != nullptr) description.format = view->format;
    if (image != nullptr) {
      description.samples = image->facts.samples;
      pass.framebuffer = {std::max(1U, image->facts.extent.width >> view->mip),
                          std::max(1U, image->facts.extent.height >> view->mip)};
    }
    description.load = value.load;
    description.store = value.store;
    description.stencil_load = value.stencil_load;
    description.stencil_store = value.stencil_store;
    description.initial_layout = value.layout;
    model::Attachment attachment;
    attachment.role = value.role;
    attachment.slot = value.slot;
    fill_attachment(attachment, description, value.view);
    attachment.read_only =
        value.role == model::AttachmentRole::depth_stencil && read_only_depth(value.layout);
    if (!attachment.read_only) attachment.written_in.push_back(0);
    pass.attachments.push_back(attachment);
    if (value.resolve_view == 0) continue;
    const ViewObject* target = find(objects_.views, value.resolve_view);
    AttachmentDescription stored;
    stored.format = target != nullptr ? target->format : description.format;
    stored.load = model::LoadOp::dont_care;
    stored.store = model::StoreOp::store;
    stored.stencil_load = model::LoadOp::dont_care;
    stored.stencil_store = model::StoreOp::store;
    model::Attachment resolve;
    resolve.role = value.role;
    resolve.slot = value.slot;
    fill_attachment(resolve, stored, value.resolve_view);
    resolve.is_resolve_target = true;
    resolve.undefined_before = true;
    resolve.written_in.push_back(0);
    pass.attachments.back().resolve_target = pass.attachments.size();
    pass.attachments.push_back(resolve);
  }
  pass_ = open;
  use_loads(pass);
}

void FrameBuilder::use_loads(const model::Pass& pass) {
  for (const model::Attachment& a : pass.attachments) {
    if (!a.range) continue;
    if (a.load == model::LoadOp::load || a.stencil_load == model::LoadOp::load) {
      use(model::UseKind::attachment_load, *a.range);
    }
    if (!a.read_in.empty()) use(model::UseKind::input_attachment, *a.range);
  }
}

void FrameBuilder::end_pass() {
  const OpenPass open = *std::exchange(pass_, std::nullopt);
  model::Pass& pass = frame_.passes[open.index];
  pass.last_event = event_;
  if (open.suspending) {
    suspended_ = open;
    return;
  }
  for (const model::Attachment& a : pass.attachments) {
    if (!a.range || a.role == model::AttachmentRole::shading_rate) continue;
    const bool stores = a.store == model::StoreOp::store || a.store == model::StoreOp::unknown ||
                        a.stencil_store == model::StoreOp::store;
    if (!stores || a.written_in.empty()) continue;
    frame_.uses.push_back({event_, model::UseKind::attachment_write, *a.range, open.index});
  }
}

}  // namespace tilebound::apicap::vulkan
