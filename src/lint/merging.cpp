#include "lint/merging.h"

#include <algorithm>

namespace tilebound::lint {

namespace {

using model::Attachment;
using model::LoadOp;
using model::Pass;
using model::PassKind;

bool touches(const Context& context, std::size_t pass, std::size_t image) {
  const std::vector<std::size_t> users = context.flow.users(image);
  if (std::find(users.begin(), users.end(), pass) != users.end()) return true;
  const Pass& of = context.frame.passes[pass];
  const std::vector<DataFlow::Event>& events = context.flow.events(image);
  return std::any_of(events.begin(), events.end(), [&](const DataFlow::Event& event) {
    return event.event >= of.first_event && event.event <= of.last_event;
  });
}

const Attachment* same_image(const Pass& pass, const Attachment& attachment) {
  for (const Attachment& other : pass.attachments) {
    if (!other.range || !attachment.range) continue;
    if (other.range->image == attachment.range->image &&
        other.range->mip == attachment.range->mip &&
        other.range->layer == attachment.range->layer) {
      return &other;
    }
  }
  return nullptr;
}

/// The second pass samples, or reads in another way, something that the first writes.
bool reads_first(const Context& context, const Pass& first, std::size_t second) {
  for (const Attachment& attachment : first.attachments) {
    if (!attachment.range || attachment.range->image >= context.frame.images.size()) continue;
    for (const DataFlow::Event& event : context.flow.events(attachment.range->image)) {
      if (event.pass == second && event.effect == DataFlow::Effect::read) return true;
    }
  }
  return false;
}

bool fits(const Context& context, const Pass& first, const Pass& second) {
  Pass both = first;
  for (const Attachment& attachment : second.attachments) {
    if (same_image(first, attachment) == nullptr) both.attachments.push_back(attachment);
  }
  const std::optional<TileHardware>& hardware = context.target.hardware;
  const TileNeed need = tile_need(both, hardware);
  if (!need.tile_bits) return false;
  return *need.tile_bits <= (hardware ? hardware->bits_limit.value_or(kHighBits) : kLowBits);
}

bool same_place(const Pass& a, const Pass& b) {
  return a.area == b.area && a.framebuffer == b.framebuffer && a.layers == b.layers &&
         a.views == b.views && a.queue == b.queue;
}

bool loads_and_nothing_else(const Attachment& attachment) {
  for (const Aspect aspect : kAspects) {
    if (has_aspect(attachment, aspect) && load_of(attachment, aspect) != LoadOp::load) return false;
  }
  return true;
}

/// What the first pass stores for the second alone, and the second loads.
void add_bytes(const Context& context, Continuation& out, std::size_t attachment) {
  const Pass& first = context.frame.passes[out.first];
  const Attachment& stored = first.attachments[attachment];
  const std::vector<Aspect> all(std::begin(kAspects), std::end(kAspects));
  const std::optional<std::uint64_t> bytes = store_bytes(first, stored, all);
  bool alone = true;
  for (const Aspect aspect : kAspects) {
    if (!has_aspect(stored, aspect)) continue;
    const Store store = context.flow.store(out.first, attachment, aspect);
    alone = alone && store.only_loaded && store.readers.size() == 1;
  }
  out.bytes =
      out.bytes && bytes ? std::optional(*out.bytes + *bytes * (alone ? 2 : 1)) : std::nullopt;
}

std::optional<Continuation> continuation(const Context& context, std::size_t first,
                                         std::size_t second) {
  const Pass& a = context.frame.passes[first];
  const Pass& b = context.frame.passes[second];
  if (!same_place(a, b) || reads_first(context, a, second)) return std::nullopt;
  Continuation out;
  out.first = first;
  out.second = second;
  out.bytes = 0;
  for (std::size_t n = 0; n < b.attachments.size(); ++n) {
    const Attachment& attachment = b.attachments[n];
    const Attachment* before = same_image(a, attachment);
    if (before == nullptr) continue;
    if (attachment.samples != before->samples || before->is_resolve_target) return std::nullopt;
    if (!loads_and_nothing_else(attachment)) return std::nullopt;
    for (const Aspect aspect : kAspects) {
      if (!has_aspect(attachment, aspect)) continue;
      const Load load = context.flow.load(second, n, aspect);
      if (load.origin != Origin::pass || load.pass != first) return std::nullopt;
    }
    ++out.shared;
    add_bytes(context, out, static_cast<std::size_t>(before - a.attachments.data()));
  }
  if (out.shared == 0 || out.bytes == 0 || !fits(context, a, b)) return std::nullopt;
  for (std::size_t p = first + 1; p < second; ++p) {
    for (const Pass* pass : {&a, &b}) {
      for (const Attachment& attachment : pass->attachments) {
        if (!attachment.range || attachment.range->image >= context.frame.images.size()) continue;
        if (touches(context, p, attachment.range->image)) return std::nullopt;
      }
    }
    out.between.push_back(p);
  }
  return out;
}

}  // namespace

std::vector<Continuation> continuations(const Context& context) {
  std::vector<Continuation> out;
  std::optional<std::size_t> last;
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    if (context.frame.passes[p].kind != PassKind::render) continue;
    if (last) {
      std::optional<Continuation> found = continuation(context, *last, p);
      if (found) out.push_back(std::move(*found));
    }
    last = p;
  }
  return out;
}

}  // namespace tilebound::lint
