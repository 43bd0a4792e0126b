#include "lint/cleared_for_later.h"
#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (const ClearedForLater& cleared : cleared_for_later(context)) {
    const model::Pass& pass = context.frame.passes[cleared.pass];
    const std::optional<std::uint64_t> bytes =
        store_bytes(pass, pass.attachments[cleared.attachment],
                    {Aspect::color, Aspect::depth, Aspect::stencil});
    model::Finding found = finding(
        kClearOnlyPass, context.attachment_name(cleared.pass, cleared.attachment),
        {"cleared and stored without a draw, then loaded by " + context.pass_name(cleared.loader)});
    const std::optional<std::uint64_t> both =
        bytes ? std::optional(*bytes * 2) : std::nullopt;  // the store and the load
    if (both) found.evidence.push_back(context.bytes_text(*both));
    found.saving = context.saving(both);
    findings.push_back(std::move(found));
  }
}

}  // namespace

const Rule kClearOnlyPass = {
    .id = "clear_only_pass",
    .title = "A pass only clears",
    .severity = model::Severity::warning,
    .applies = "tile-based GPUs",
    .why = "The cleared colour goes to memory and comes back in the next pass.",
    .fix =
        "Clear by load op in the pass that draws; in OpenGL ES once its framebuffer is bound, not "
        "before.",
    .source = "tile memory arithmetic",
    .related = {"BestPractices-RenderPass-redundant-clear"},
    .check = check,
};

}  // namespace tilebound::lint
