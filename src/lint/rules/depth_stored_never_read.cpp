#include <fmt/format.h>

#include "lint/dead_store.h"
#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  if (context.frame.api == model::Api::gles)
    return;  // kMissingInvalidate says it in OpenGL's terms
  // Depth is so rarely needed later that it is worth a look even where readers may be unseen.
  for (const bool unseen : {false, true}) {
    for (const DeadStore& dead : dead_stores(context, unseen)) {
      if (!dead.depth) continue;
      findings.push_back(dead_store_finding(context, kDepthStoredNeverRead, dead));
    }
  }
}

}  // namespace

const Rule kDepthStoredNeverRead = {
    .id = "depth_stored_never_read",
    .title = "Depth or stencil is stored and nobody reads it",
    .severity = model::Severity::error,
    .applies = "tile-based GPUs",
    .why =
        "Depth is only needed while the pass runs. STORE writes all of it from tile to memory in "
        "every frame, at every sample.",
    .fix = "Set storeOp and stencilStoreOp to VK_ATTACHMENT_STORE_OP_DONT_CARE.",
    .source = "tile memory arithmetic: width x height x samples x bytes for each stored attachment",
    .related = {"BestPractices-RenderPass-redundant-store"},
    .check = check,
};

}  // namespace tilebound::lint
