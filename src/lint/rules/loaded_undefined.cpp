#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const model::Pass& pass = context.frame.passes[p];
    for (std::size_t a = 0; a < pass.attachments.size(); ++a) {
      const model::Attachment& attachment = pass.attachments[a];
      std::vector<Aspect> aspects;
      std::optional<std::size_t> dropper;
      for (const Aspect aspect : kAspects) {
        if (!has_aspect(attachment, aspect)) continue;
        if (load_of(attachment, aspect) != model::LoadOp::load) continue;
        const Load load = context.flow.load(p, a, aspect);
        if (load.origin != Origin::nothing) continue;
        aspects.push_back(aspect);
        if (load.pass) dropper = load.pass;
      }
      if (aspects.empty()) continue;
      const std::optional<std::uint64_t> bytes = load_bytes(pass, attachment, aspects);
      if (bytes == 0) continue;
      model::Finding found =
          finding(kLoadedUndefined, context.attachment_name(p, a),
                  {dropper ? context.pass_name(*dropper) + " drops its content with DONT_CARE"
                           : "its initial layout is UNDEFINED, which drops its content"});
      if (bytes) found.evidence.push_back(context.bytes_text(*bytes));
      found.saving = context.saving(bytes);
      findings.push_back(std::move(found));
    }
  }
}

}  // namespace

const Rule kLoadedUndefined = {
    .id = "loaded_undefined",
    .title = "An attachment is loaded although its content is undefined",
    .severity = model::Severity::error,
    .applies = "tile-based GPUs",
    .why =
        "The load reads memory that holds nothing of use; what is drawn over it may look "
        "different on every GPU.",
    .fix = "Set loadOp to CLEAR or DONT_CARE, or store the content that is meant to be there.",
    .source = "Vulkan specification, image layouts and load operations",
    .related = {"BestPractices-vkCmdBeginRenderPass-StoreOpDontCareThenLoadOpLoad"},
    .check = check,
};

}  // namespace tilebound::lint
