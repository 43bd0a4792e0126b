#include <set>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

using model::ClearInPass;
using model::LoadOp;

void check(const Context& context, std::vector<model::Finding>& findings) {
  std::set<std::pair<std::size_t, std::size_t>> seen;
  for (const ClearInPass& clear : context.frame.clears) {
    if (!clear.first_in_subpass || clear.subpass != 0) continue;
    if (clear.pass >= context.frame.passes.size()) continue;
    const model::Pass& pass = context.frame.passes[clear.pass];
    if (clear.area && !covers(*clear.area, pass.area)) continue;
    for (const std::size_t a : clear.attachments) {
      if (a >= pass.attachments.size()) continue;
      const model::Attachment& attachment = pass.attachments[a];
      std::vector<Aspect> aspects;
      for (const Aspect aspect : kAspects) {
        if (clear.stencil_only && aspect != Aspect::stencil) continue;
        if (has_aspect(attachment, aspect) && load_of(attachment, aspect) == LoadOp::load) {
          aspects.push_back(aspect);
        }
      }
      if (aspects.empty() || !seen.emplace(clear.pass, a).second) continue;
      const std::optional<std::uint64_t> bytes = load_bytes(pass, attachment, aspects);
      if (bytes == 0) continue;
      model::Finding found = finding(kClearedAfterLoad, context.attachment_name(clear.pass, a),
                                     {"loaded, then cleared as a whole before the first draw"});
      if (bytes) found.evidence.push_back(context.bytes_text(*bytes));
      found.saving = context.saving(bytes);
      findings.push_back(std::move(found));
    }
  }
}

}  // namespace

const Rule kClearedAfterLoad = {
    .id = "cleared_after_load",
    .title = "An attachment is loaded and then cleared",
    .severity = model::Severity::error,
    .applies = "tile-based GPUs",
    .why =
        "The old content is read from memory into the tile to be thrown away; a clear by load op "
        "costs nothing.",
    .fix = "Set loadOp to VK_ATTACHMENT_LOAD_OP_CLEAR and leave the clear command out.",
    .source = "tile memory arithmetic; Vulkan specification, load operations",
    .related = {"BestPractices-vkCmdClearAttachments-clear-after-load"},
    .check = check,
};

}  // namespace tilebound::lint
