#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "lint/first_clears.h"
#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

using model::LoadOp;

void check(const Context& context, std::vector<model::Finding>& findings) {
  std::map<std::size_t, std::uint64_t> clears;  // by pass
  for (const FirstClear& clear : first_clears(context)) {
    const model::Attachment& of = context.frame.passes[clear.pass].attachments[clear.attachment];
    const auto loads = [&](LoadOp op) {
      return std::any_of(clear.aspects.begin(), clear.aspects.end(),
                         [&](Aspect aspect) { return load_of(of, aspect) == op; });
    };
    if (loads(LoadOp::load)) continue;  // kClearedAfterLoad
    if (loads(LoadOp::clear) || loads(LoadOp::dont_care)) ++clears[clear.pass];
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
