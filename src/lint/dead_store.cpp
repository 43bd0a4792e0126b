#include "lint/dead_store.h"

#include <fmt/format.h>

namespace tilebound::lint {

std::vector<DeadStore> dead_stores(const Context& context, bool unseen) {
  std::vector<DeadStore> out;
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const model::Pass& pass = context.frame.passes[p];
    for (std::size_t a = 0; a < pass.attachments.size(); ++a) {
      const model::Attachment& attachment = pass.attachments[a];
      DeadStore dead;
      dead.aspects = context.flow.dead_stores(p, a, unseen);
      if (dead.aspects.empty() || !traffic_of(pass, attachment).written) continue;
      dead.unseen = unseen;
      dead.pass = p;
      dead.attachment = a;
      dead.depth = attachment.role == model::AttachmentRole::depth_stencil;
      dead.samples = attachment.samples;
      dead.bytes = store_bytes(pass, attachment, dead.aspects);
      dead.overwritten = context.flow.store(p, a, dead.aspects.front()).overwritten;
      // Stencil beside a depth that is read costs nothing more where both share 32 bits.
      if (dead.bytes == 0) continue;
      out.push_back(std::move(dead));
    }
  }
  return out;
}

model::Finding dead_store_finding(const Context& context, const Rule& rule, const DeadStore& dead) {
  std::vector<std::string> evidence;
  const bool wraps = dead.overwritten && *dead.overwritten <= dead.pass;
  if (dead.overwritten && !wraps) {
    evidence.push_back(fmt::format("{} replaces it before anybody reads it",
                                   context.pass_name(*dead.overwritten)));
  } else {
    evidence.push_back(fmt::format(
        "nobody reads it in the rest of the frame, and {} starts without it in the next",
        dead.overwritten ? context.pass_name(*dead.overwritten) : "its next user"));
  }
  if (dead.unseen) {
    evidence.emplace_back(
        "the capture does not show what its descriptor sets hold: it is needed if a shader samples "
        "it");
  }
  const std::size_t all = context.frame.passes[dead.pass].attachments.size();
  if (dead.aspects.size() == 1 && dead.depth && all > 0) {
    evidence.emplace_back(dead.aspects.front() == Aspect::stencil ? "of stencil" : "of depth");
  }
  if (dead.bytes) evidence.push_back(context.bytes_text(*dead.bytes));
  model::Finding found =
      finding(rule, context.attachment_name(dead.pass, dead.attachment), std::move(evidence));
  found.saving = context.saving(dead.bytes);
  if (dead.unseen) found.severity = model::Severity::info;
  return found;
}

}  // namespace tilebound::lint
