#include "lint/dead_store.h"
#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  if (context.frame.api == model::Api::gles) return;
  for (const DeadStore& dead : dead_stores(context)) {
    // A multisampled colour that is stored is kMsaaStored's, whoever reads it.
    if (dead.depth || dead.samples > 1) continue;
    findings.push_back(dead_store_finding(context, kStoredNeverRead, dead));
  }
}

}  // namespace

const Rule kStoredNeverRead = {
    .id = "stored_never_read",
    .title = "A colour attachment is stored and nobody reads it",
    .severity = model::Severity::error,
    .applies = "tile-based GPUs",
    .why = "What only the pass itself needs does not have to leave the tile.",
    .fix = "Set storeOp to VK_ATTACHMENT_STORE_OP_DONT_CARE, or leave the attachment out.",
    .source = "tile memory arithmetic: width x height x samples x bytes for each stored attachment",
    .related = {"BestPractices-RenderPass-redundant-store"},
    .check = check,
};

}  // namespace tilebound::lint
