#include "lint/traffic.h"

#include <algorithm>

namespace tilebound::lint {

using model::Attachment;
using model::AttachmentRole;
using model::LoadOp;
using model::Pass;
using model::StoreOp;

namespace {

std::uint32_t bits_of(const model::FormatFacts& facts, Aspect aspect) {
  switch (aspect) {
    case Aspect::color:
      return facts.color_bits;
    case Aspect::depth:
      return facts.depth_bits;
    case Aspect::stencil:
      return facts.stencil_bits;
  }
  return 0;
}

/// Pixels that the pass's area covers, of every layer or view, times the samples.
std::uint64_t samples_covered(const Pass& pass, const Attachment& attachment) {
  const std::uint64_t deep = std::max({1U, pass.layers, pass.views});
  return std::uint64_t{pass.area.width} * pass.area.height * deep *
         std::max(1U, attachment.samples);
}

/// What moves when `moves` says which aspects do: true, false, or not known.
template <typename Moves>
std::optional<std::uint64_t> moved_bytes(const Pass& pass, const Attachment& attachment,
                                         const Moves& moves) {
  std::uint64_t bits = 0;
  bool known = true;
  for (const Aspect aspect : kAspects) {
    if (!has_aspect(attachment, aspect)) continue;
    const std::optional<bool> moved = moves(aspect);
    const model::FormatFacts* facts = model::facts_of(attachment.format);
    if (moved == false) continue;
    if (!moved || facts == nullptr) {
      known = false;
      continue;
    }
    const bool packed = facts->depth_bits == 24 && facts->stencil_bits == 8;
    bits = packed ? facts->bits() : bits + bits_of(*facts, aspect);
  }
  return known ? std::optional(samples_covered(pass, attachment) * bits / 8) : std::nullopt;
}

/// A sum with an unknown part is unknown.
void add(std::optional<std::uint64_t>& sum, std::optional<std::uint64_t> part) {
  sum = sum && part ? std::optional(*sum + *part) : std::nullopt;
}

}  // namespace

bool has_aspect(const Attachment& attachment, Aspect aspect) {
  const model::FormatFacts* facts = model::facts_of(attachment.format);
  if (facts != nullptr) return bits_of(*facts, aspect) > 0;
  const bool depth = attachment.role == AttachmentRole::depth_stencil;
  return aspect == (depth ? Aspect::depth : Aspect::color);
}

LoadOp load_of(const Attachment& attachment, Aspect aspect) {
  const model::FormatFacts* facts = model::facts_of(attachment.format);
  const bool stencil_alone = facts != nullptr && facts->depth_bits == 0 && facts->color_bits == 0;
  if (aspect != Aspect::stencil) return attachment.load;
  // Sources that have one op for stencil-only formats may put it in either place.
  if (stencil_alone && attachment.stencil_load == LoadOp::none) return attachment.load;
  return attachment.stencil_load;
}

StoreOp store_of(const Attachment& attachment, Aspect aspect) {
  const model::FormatFacts* facts = model::facts_of(attachment.format);
  const bool stencil_alone = facts != nullptr && facts->depth_bits == 0 && facts->color_bits == 0;
  if (aspect != Aspect::stencil) return attachment.store;
  if (stencil_alone && attachment.stencil_store == StoreOp::none) return attachment.store;
  return attachment.stencil_store;
}

Traffic traffic_of(const Pass& pass, const Attachment& attachment) {
  const auto loads = [&](Aspect aspect) -> std::optional<bool> {
    const LoadOp op = load_of(attachment, aspect);
    return op == LoadOp::unknown ? std::nullopt : std::optional(op == LoadOp::load);
  };
  const auto stores = [&](Aspect aspect) -> std::optional<bool> {
    const StoreOp op = store_of(attachment, aspect);
    return op == StoreOp::unknown ? std::nullopt : std::optional(op == StoreOp::store);
  };
  return {moved_bytes(pass, attachment, loads), moved_bytes(pass, attachment, stores)};
}

Traffic traffic_of(const Pass& pass) {
  if (pass.kind != model::PassKind::render) return {};
  Traffic out{0, 0};
  for (const Attachment& attachment : pass.attachments) {
    // One texel a block of pixels: too little to count.
    if (attachment.role == AttachmentRole::shading_rate) continue;
    const Traffic one = traffic_of(pass, attachment);
    add(out.read, one.read);
    add(out.written, one.written);
  }
  return out;
}

namespace {

/// Bytes of the aspects that move, without and with `left_out`; the difference.
template <typename Moves>
std::optional<std::uint64_t> difference(const Pass& pass, const Attachment& attachment,
                                        const std::vector<Aspect>& left_out, const Moves& moves) {
  const auto rest = [&](Aspect aspect) {
    const bool out = std::find(left_out.begin(), left_out.end(), aspect) != left_out.end();
    return std::optional(!out && moves(aspect));
  };
  const auto all = [&](Aspect aspect) { return std::optional(moves(aspect)); };
  const std::optional<std::uint64_t> before = moved_bytes(pass, attachment, all);
  const std::optional<std::uint64_t> after = moved_bytes(pass, attachment, rest);
  return before && after ? std::optional(*before - *after) : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> store_bytes(const Pass& pass, const Attachment& attachment,
                                         const std::vector<Aspect>& aspects) {
  return difference(pass, attachment, aspects,
                    [&](Aspect aspect) { return store_of(attachment, aspect) == StoreOp::store; });
}

std::optional<std::uint64_t> load_bytes(const Pass& pass, const Attachment& attachment,
                                        const std::vector<Aspect>& aspects) {
  return difference(pass, attachment, aspects,
                    [&](Aspect aspect) { return load_of(attachment, aspect) == LoadOp::load; });
}

bool covers(const model::Area& outer, const model::Area& inner) {
  const auto right = [](const model::Area& a) { return std::int64_t{a.x} + a.width; };
  const auto bottom = [](const model::Area& a) { return std::int64_t{a.y} + a.height; };
  return outer.x <= inner.x && outer.y <= inner.y && right(inner) <= right(outer) &&
         bottom(inner) <= bottom(outer);
}

}  // namespace tilebound::lint
