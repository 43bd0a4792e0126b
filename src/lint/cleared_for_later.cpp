#include "lint/cleared_for_later.h"

#include <algorithm>
#include <optional>

namespace tilebound::lint {

namespace {

using model::LoadOp;
using model::StoreOp;

/// The only thing that happens to the attachment next is that a pass loads it.
std::optional<std::size_t> next_loader(const Context& context, std::size_t p, std::size_t a) {
  const model::Attachment& of = context.frame.passes[p].attachments[a];
  std::optional<std::size_t> loader;
  for (const Aspect aspect : kAspects) {
    if (!has_aspect(of, aspect) || store_of(of, aspect) != StoreOp::store) continue;
    if (load_of(of, aspect) != LoadOp::clear) return std::nullopt;
    const Store store = context.flow.store(p, a, aspect);
    if (store.fate != Fate::read || !store.only_loaded || store.readers.empty()) {
      return std::nullopt;
    }
    loader = store.readers.front();
  }
  return loader;
}

}  // namespace

std::vector<ClearedForLater> cleared_for_later(const Context& context) {
  std::vector<ClearedForLater> out;
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const model::Pass& pass = context.frame.passes[p];
    if (pass.kind != model::PassKind::render || context.passes[p].counts.draws > 0) continue;
    for (std::size_t a = 0; a < pass.attachments.size(); ++a) {
      const std::optional<std::size_t> loader = next_loader(context, p, a);
      if (!loader || context.frame.passes[*loader].area != pass.area) continue;
      out.push_back({p, a, *loader});
    }
  }
  return out;
}

bool is_cleared_for_later(const Context& context, const std::vector<ClearedForLater>& cleared,
                          std::size_t pass, std::size_t loader, const model::Image* image) {
  const auto first = std::partition_point(
      cleared.begin(), cleared.end(), [pass](const ClearedForLater& c) { return c.pass < pass; });
  const auto last = std::partition_point(
      first, cleared.end(), [pass](const ClearedForLater& c) { return c.pass == pass; });
  return std::any_of(first, last, [&](const ClearedForLater& c) {
    if (c.loader != loader) return false;
    const model::Attachment& attachment = context.frame.passes[pass].attachments[c.attachment];
    return image == nullptr || context.image_of(attachment) == image;
  });
}

}  // namespace tilebound::lint
