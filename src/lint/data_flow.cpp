#include "lint/data_flow.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace tilebound::lint {

using model::ApiFrame;
using model::Area;
using model::Attachment;
using model::Image;
using model::ImageRange;
using model::ImageUse;
using model::LoadOp;
using model::Pass;
using model::StoreOp;
using model::UseKind;

namespace {

using Effect = DataFlow::Effect;
using Event = DataFlow::Event;

constexpr std::uint32_t kAtLoad = 0;
constexpr std::uint32_t kWithin = 1;
constexpr std::uint32_t kAtStore = 2;

bool overlap(std::uint32_t a, std::uint32_t a_count, std::uint32_t b, std::uint32_t b_count) {
  return a < std::uint64_t{b} + b_count && b < std::uint64_t{a} + a_count;
}

bool contains(std::uint32_t outer, std::uint32_t outer_count, std::uint32_t inner,
              std::uint32_t inner_count) {
  return outer <= inner && std::uint64_t{inner} + inner_count <= std::uint64_t{outer} + outer_count;
}

bool meets(const ImageRange& a, const ImageRange& b) {
  return overlap(a.mip, a.mips, b.mip, b.mips) && overlap(a.layer, a.layers, b.layer, b.layers);
}

bool contains(const ImageRange& outer, const ImageRange& inner) {
  return contains(outer.mip, outer.mips, inner.mip, inner.mips) &&
         contains(outer.layer, outer.layers, inner.layer, inner.layers);
}

bool concerns(const Event& event, const ImageRange& range, Aspect aspect) {
  return (event.every_aspect || event.aspect == aspect) && meets(event.range, range);
}

/// Nothing of (range, area) is left after the event.
bool replaces(const Event& event, const ImageRange& range, const Area& area) {
  return contains(event.range, range) && (!event.pass || covers(event.area, area));
}

std::optional<Effect> effect_of(LoadOp load) {
  switch (load) {
    case LoadOp::load:
      return Effect::load;
    case LoadOp::clear:
    case LoadOp::dont_care:
      return Effect::overwrite;
    case LoadOp::none:
      return std::nullopt;
    case LoadOp::unknown:
      break;
  }
  return Effect::unknown;
}

std::optional<Effect> effect_of(StoreOp store) {
  switch (store) {
    case StoreOp::store:
      return Effect::write;
    case StoreOp::dont_care:
      return Effect::drop;
    case StoreOp::none:
      return std::nullopt;
    case StoreOp::unknown:
      break;
  }
  return Effect::unknown;
}

bool attaches(const Pass& pass, std::size_t image) {
  return std::any_of(pass.attachments.begin(), pass.attachments.end(),
                     [&](const Attachment& a) { return a.range && a.range->image == image; });
}

/// Passes in the order in which they came, each once.
class PassList {
 public:
  explicit PassList(std::vector<std::size_t>& list) : list_(list) {}
  void append(std::size_t pass) {
    if (seen_.insert(pass).second) list_.push_back(pass);
  }

 private:
  std::vector<std::size_t>& list_;
  std::set<std::size_t> seen_;
};

bool writable(const Image& image) {
  constexpr std::uint32_t kWritten = 0x8 | 0x10 | 0x20;  // storage, colour, depth
  return !image.usage || (*image.usage & kWritten) != 0;
}

bool alike(const Image& a, const Image& b) {
  return a.format == b.format && a.extent == b.extent && a.samples == b.samples &&
         a.layers == b.layers && a.mips == b.mips;
}

void add_attachments(const ApiFrame& frame, std::vector<std::vector<Event>>& events) {
  for (std::size_t p = 0; p < frame.passes.size(); ++p) {
    const Pass& pass = frame.passes[p];
    for (std::size_t a = 0; a < pass.attachments.size(); ++a) {
      const Attachment& attachment = pass.attachments[a];
      if (!attachment.range || attachment.range->image >= events.size()) continue;
      if (attachment.role == model::AttachmentRole::shading_rate) continue;
      for (const Aspect aspect : kAspects) {
        if (!has_aspect(attachment, aspect)) continue;
        Event event{pass.first_event,  kAtLoad, Effect::load,
                    *attachment.range, aspect,  false,
                    pass.area,         p,       a};
        // Every view of a multiview pass is a layer, whether the range says so or not.
        event.range.layers = std::max({event.range.layers, pass.layers, pass.views});
        if (const std::optional<Effect> effect = effect_of(load_of(attachment, aspect))) {
          event.effect = *effect;
          events[attachment.range->image].push_back(event);
        }
        if (const std::optional<Effect> effect = effect_of(store_of(attachment, aspect))) {
          event.event = pass.last_event;
          event.phase = kAtStore;
          event.effect = *effect;
          events[attachment.range->image].push_back(event);
        }
      }
    }
  }
}

bool clears(const ApiFrame& frame, const ImageUse& use) {
  return std::any_of(
      frame.transfers.begin(), frame.transfers.end(), [&](const model::Transfer& transfer) {
        return transfer.event == use.event && transfer.kind == model::TransferKind::clear;
      });
}

void add_uses(const ApiFrame& frame, std::vector<std::vector<Event>>& events) {
  for (const ImageUse& use : frame.uses) {
    if (use.range.image >= events.size()) continue;
    const bool known_pass = use.pass && *use.pass < frame.passes.size();
    const bool own = known_pass && attaches(frame.passes[*use.pass], use.range.image);
    Event event;
    event.event = use.event;
    event.phase = kWithin;
    event.range = use.range;
    event.every_aspect = true;
    if (known_pass && frame.passes[*use.pass].kind == model::PassKind::render) {
      event.pass = use.pass;
      event.area = frame.passes[*use.pass].area;
    }
    std::vector<Event>& list = events[use.range.image];
    const auto add = [&](Effect effect) {
      event.effect = effect;
      list.push_back(event);
    };
    switch (use.kind) {
      case UseKind::attachment_load:
      case UseKind::input_attachment:
        if (!own) add(Effect::read);
        break;
      case UseKind::attachment_write:
        if (!own) add(Effect::write);
        break;
      case UseKind::sampled:
      case UseKind::transfer_read:
      case UseKind::host_read:
        add(Effect::read);
        break;
      case UseKind::storage:
        add(Effect::read);
        add(Effect::write);
        break;
      case UseKind::transfer_write:
        add(clears(frame, use) ? Effect::overwrite : Effect::write);
        break;
      case UseKind::present:
        add(Effect::present);
        break;
    }
  }
}

}  // namespace

DataFlow::DataFlow(const ApiFrame& frame) : frame_(frame), events_(frame.images.size()) {
  add_attachments(frame, events_);
  add_uses(frame, events_);
  for (std::vector<Event>& list : events_) {
    std::stable_sort(list.begin(), list.end(), [](const Event& a, const Event& b) {
      return std::tie(a.event, a.phase) < std::tie(b.event, b.phase);
    });
  }
}

bool DataFlow::may_alternate(std::size_t image) const {
  for (std::size_t other = 0; other < events_.size(); ++other) {
    if (other == image || events_[other].empty()) continue;
    if (!alike(frame_.images[image], frame_.images[other])) continue;
    if (!writable(frame_.images[other])) continue;
    const Effect first = events_[other].front().effect;
    const bool read_first = first == Effect::load || first == Effect::read;
    const bool written = std::any_of(
        events_[other].begin(), events_[other].end(),
        [](const Event& e) { return e.effect == Effect::write || e.effect == Effect::overwrite; });
    if (read_first && !written) return true;
  }
  return false;
}

bool DataFlow::may_have_unseen_readers(std::size_t image) const {
  if (frame_.uses_complete) return false;
  // VkImageUsageFlags: sampled, storage, input attachment.
  constexpr std::uint32_t kReadByShaders = 0x4 | 0x8 | 0x80;
  const auto usage = frame_.images[image].usage;
  return !usage || (*usage & kReadByShaders) != 0;
}

Store DataFlow::store(std::size_t pass, std::size_t attachment, Aspect aspect) const {
  Store out;
  const Attachment& stored = frame_.passes[pass].attachments[attachment];
  if (!stored.range || stored.range->image >= events_.size()) return out;
  const std::size_t image = stored.range->image;
  const std::vector<Event>& list = events_[image];
  const auto own = std::find_if(list.begin(), list.end(), [&](const Event& e) {
    return e.pass == pass && e.attachment == attachment && e.aspect == aspect &&
           e.phase == kAtStore && !e.every_aspect;
  });
  if (own == list.end() || own->effect != Effect::write) return out;
  const auto at = static_cast<std::size_t>(own - list.begin());
  const bool swapchain = frame_.images[image].swapchain;
  PassList readers(out.readers);
  for (std::size_t step = 1; step <= list.size(); ++step) {
    const std::size_t next = (at + step) % list.size();
    const bool wrapped = at + step >= list.size();
    // What is in a swapchain image at the end of the frame is shown.
    if (wrapped && swapchain && out.fate == Fate::unknown) out.fate = Fate::presented;
    if (wrapped && (swapchain || out.fate != Fate::unknown)) return out;
    const Event& event = list[next];
    if (!concerns(event, own->range, aspect)) continue;
    switch (event.effect) {
      case Effect::load:
      case Effect::read:
        if (event.effect == Effect::read) out.only_loaded = false;
        if (event.pass) readers.append(*event.pass);
        if (out.fate == Fate::unknown) out.fate = wrapped ? Fate::kept : Fate::read;
        break;
      case Effect::present:
        if (out.fate == Fate::unknown) out.fate = Fate::presented;
        break;
      case Effect::overwrite:
      case Effect::drop:
        if (!replaces(event, own->range, own->area)) break;
        if (out.fate != Fate::unknown) return out;
        if (wrapped && may_alternate(image)) return out;
        out.unseen_readers = may_have_unseen_readers(image);
        if (!out.unseen_readers) out.fate = Fate::never;
        out.overwritten = event.pass;
        return out;
      case Effect::write:
        break;
      case Effect::unknown:
        return out;
    }
  }
  return out;
}

Load DataFlow::load(std::size_t pass, std::size_t attachment, Aspect aspect) const {
  Load out;
  const Attachment& loaded = frame_.passes[pass].attachments[attachment];
  if (loaded.undefined_before) return {Origin::nothing, std::nullopt};
  if (!loaded.range || loaded.range->image >= events_.size()) return out;
  const std::vector<Event>& list = events_[loaded.range->image];
  const auto own = std::find_if(list.begin(), list.end(), [&](const Event& e) {
    return e.pass == pass && e.attachment == attachment && e.aspect == aspect &&
           e.phase == kAtLoad && !e.every_aspect;
  });
  if (own == list.end() || own->effect != Effect::load) return out;
  for (auto before = std::make_reverse_iterator(own); before != list.rend(); ++before) {
    if (!concerns(*before, own->range, aspect)) continue;
    switch (before->effect) {
      case Effect::write:
        return before->attachment ? Load{Origin::pass, before->pass}
                                  : Load{Origin::other_work, std::nullopt};
      case Effect::overwrite:
        if (!before->attachment) return {Origin::other_work, std::nullopt};
        break;
      case Effect::drop:
        // Dropped only where the other pass's area was.
        if (replaces(*before, own->range, own->area)) return {Origin::nothing, before->pass};
        return out;
      case Effect::unknown:
        return out;
      case Effect::load:
      case Effect::read:
      case Effect::present:
        break;
    }
  }
  const bool written_later = std::any_of(own, list.end(), [&](const Event& e) {
    return concerns(e, own->range, aspect) && e.effect == Effect::write;
  });
  out.origin = written_later ? Origin::last_frame : Origin::outside;
  return out;
}

std::vector<Aspect> DataFlow::dead_stores(std::size_t pass, std::size_t attachment,
                                          bool unseen) const {
  std::vector<Aspect> out;
  const Attachment& of = frame_.passes[pass].attachments[attachment];
  for (const Aspect aspect : kAspects) {
    if (!has_aspect(of, aspect) || store_of(of, aspect) != StoreOp::store) continue;
    const Store stored = store(pass, attachment, aspect);
    if (unseen ? stored.unseen_readers : stored.fate == Fate::never) out.push_back(aspect);
  }
  return out;
}

std::vector<std::size_t> DataFlow::users(std::size_t image) const {
  std::vector<std::size_t> out;
  PassList passes(out);
  for (const Event& event : events_[image]) {
    if (event.pass) passes.append(*event.pass);
  }
  return out;
}

}  // namespace tilebound::lint
