#include <set>

#include "lint/first_clears.h"
#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  std::set<std::pair<std::size_t, std::size_t>> seen;
  for (const FirstClear& clear : first_clears(context)) {
    const model::Pass& pass = context.frame.passes[clear.pass];
    const model::Attachment& attachment = pass.attachments[clear.attachment];
    std::vector<Aspect> loaded;
    for (const Aspect aspect : clear.aspects) {
      if (load_of(attachment, aspect) == model::LoadOp::load) loaded.push_back(aspect);
    }
    if (loaded.empty() || !seen.emplace(clear.pass, clear.attachment).second) continue;
    const std::optional<std::uint64_t> bytes = load_bytes(pass, attachment, loaded);
    if (bytes == 0) continue;
    model::Finding found =
        finding(kClearedAfterLoad, context.attachment_name(clear.pass, clear.attachment),
                {"loaded, then cleared as a whole before the first draw"});
    if (bytes) found.evidence.push_back(context.bytes_text(*bytes));
    found.saving = context.saving(bytes);
    findings.push_back(std::move(found));
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
