#include <algorithm>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const model::Pass& pass = context.frame.passes[p];
    for (std::size_t a = 0; a < pass.attachments.size(); ++a) {
      const model::Attachment& attachment = pass.attachments[a];
      if (!attachment.range || attachment.read_in.empty()) continue;
      const bool sampled = std::any_of(
          context.frame.uses.begin(), context.frame.uses.end(), [&](const model::ImageUse& use) {
            return use.kind == model::UseKind::sampled && use.pass == p &&
                   use.range.image == attachment.range->image;
          });
      if (!sampled) continue;
      findings.push_back(finding(kInputAlsoSampled, context.attachment_name(p, a),
                                 {"an input attachment, and sampled by a draw of the same pass"}));
    }
  }
}

}  // namespace

const Rule kInputAlsoSampled = {
    .id = "input_also_sampled",
    .title = "An input attachment is also bound as a sampled image",
    .severity = model::Severity::warning,
    .applies = "Vulkan on tile-based GPUs",
    .why = "A texture read may reach any pixel, so the subpasses cannot share a tile.",
    .fix = "Read it with subpassLoad only; sample a copy where neighbours are needed.",
    .source = "checklist on tile memory spills",
    .check = check,
};

}  // namespace tilebound::lint
