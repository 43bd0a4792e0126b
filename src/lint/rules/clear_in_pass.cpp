#include <fmt/format.h>
#include <map>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

using model::ClearInPass;
using model::LoadOp;

bool has_load(const model::Attachment& attachment, LoadOp op, bool stencil_only) {
  for (const Aspect aspect : kAspects) {
    if (stencil_only && aspect != Aspect::stencil) continue;
    if (has_aspect(attachment, aspect) && load_of(attachment, aspect) == op) return true;
  }
  return false;
}

void check(const Context& context, std::vector<model::Finding>& findings) {
  std::map<std::size_t, std::uint64_t> clears;  // by pass
  for (const ClearInPass& clear : context.frame.clears) {
    if (!clear.first_in_subpass || clear.subpass != 0) continue;
    if (clear.pass >= context.frame.passes.size()) continue;
    const model::Pass& pass = context.frame.passes[clear.pass];
    if (clear.area && !covers(*clear.area, pass.area)) continue;
    for (const std::size_t a : clear.attachments) {
      if (a >= pass.attachments.size()) continue;
      const model::Attachment& of = pass.attachments[a];
      if (has_load(of, LoadOp::load, clear.stencil_only)) continue;  // kClearedAfterLoad
      if (has_load(of, LoadOp::clear, clear.stencil_only) ||
          has_load(of, LoadOp::dont_care, clear.stencil_only)) {
        ++clears[clear.pass];
      }
    }
  }
  for (const auto& [pass, count] : clears) {
    findings.push_back(finding(
        kClearInPass, context.pass_name(pass),
        {fmt::format("{} of its attachments {} cleared as a whole by a command before the first "
                     "draw",
                     count, count == 1 ? "is" : "are")}));
  }
}

}  // namespace

const Rule kClearInPass = {
    .id = "clear_in_pass",
    .title = "A pass begins with a clear command instead of a load op",
    .severity = model::Severity::warning,
    .applies = "tile-based GPUs",
    .why = "A clear by load op costs nothing; a clear command shades every pixel.",
    .fix = "Set loadOp to VK_ATTACHMENT_LOAD_OP_CLEAR and leave the command out.",
    .source = "Vulkan specification, vkCmdClearAttachments and load operations",
    .related = {"BestPractices-DrawState-ClearCmdBeforeDraw"},
    .check = check,
};

}  // namespace tilebound::lint
