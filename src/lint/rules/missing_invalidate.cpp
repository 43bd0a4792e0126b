#include "lint/dead_store.h"
#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  if (context.frame.api != model::Api::gles) return;
  for (const DeadStore& dead : dead_stores(context)) {
    findings.push_back(dead_store_finding(context, kMissingInvalidate, dead));
  }
}

}  // namespace

const Rule kMissingInvalidate = {
    .id = "missing_invalidate",
    .title = "A framebuffer is left without invalidating what nobody reads",
    .severity = model::Severity::error,
    .applies = "OpenGL ES on tile-based GPUs",
    .why = "Without glInvalidateFramebuffer the driver must write every attachment to memory.",
    .fix = "Call glInvalidateFramebuffer with the attachment before the next framebuffer is bound.",
    .source = "OpenGL ES 3.0, glInvalidateFramebuffer; tile memory arithmetic",
    .check = check,
};

}  // namespace tilebound::lint
