#include "lint/outside_reads.h"

namespace tilebound::lint {

namespace {

bool multisampled(const Context& context, const std::optional<model::ImageRange>& range) {
  return range && range->image < context.frame.images.size() &&
         context.frame.images[range->image].samples > 1;
}

const char* verb(model::TransferKind kind) {
  switch (kind) {
    case model::TransferKind::resolve:
      return "resolved";
    case model::TransferKind::blit:
      return "blitted";
    default:
      return "copied";
  }
}

}  // namespace

std::map<std::size_t, std::set<std::string>> read_outside_passes(const Context& context) {
  std::map<std::size_t, std::set<std::string>> ways;
  std::set<std::uint64_t> told;
  for (const model::Transfer& transfer : context.frame.transfers) {
    if (!multisampled(context, transfer.from)) continue;
    ways[transfer.from->image].insert(verb(transfer.kind));
    told.insert(transfer.event);
  }
  for (const model::ImageUse& use : context.frame.uses) {
    if (!multisampled(context, use.range) || told.contains(use.event)) continue;
    if (use.kind == model::UseKind::sampled) ways[use.range.image].insert("sampled");
    if (use.kind == model::UseKind::transfer_read) ways[use.range.image].insert("copied");
  }
  return ways;
}

}  // namespace tilebound::lint
