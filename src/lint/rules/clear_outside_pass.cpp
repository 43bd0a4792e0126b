#include <fmt/format.h>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

using Effect = DataFlow::Effect;

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t image = 0; image < context.frame.images.size(); ++image) {
    const std::vector<DataFlow::Event>& events = context.flow.events(image);
    for (std::size_t i = 0; i + 1 < events.size(); ++i) {
      if (events[i].effect != Effect::overwrite || events[i].attachment) continue;
      const DataFlow::Event& next = events[i + 1];
      if (next.effect != Effect::load || !next.pass || !next.attachment) continue;
      const model::Pass& pass = context.frame.passes[*next.pass];
      const model::Attachment& attachment = pass.attachments[*next.attachment];
      const std::optional<std::uint64_t> load =
          load_bytes(pass, attachment, {Aspect::color, Aspect::depth, Aspect::stencil});
      model::Finding found =
          finding(kClearOutsidePass, context.attachment_name(*next.pass, *next.attachment),
                  {fmt::format("cleared by a command before the pass (event {}), then loaded",
                               events[i].event)});
      const std::optional<std::uint64_t> both =
          load ? std::optional(*load * 2) : std::nullopt;  // the clear's write and the load
      if (both) found.evidence.push_back(context.bytes_text(*both));
      found.saving = context.saving(both);
      findings.push_back(std::move(found));
    }
  }
}

}  // namespace

const Rule kClearOutsidePass = {
    .id = "clear_outside_pass",
    .title = "An attachment is cleared by a command outside the pass that draws",
    .severity = model::Severity::error,
    .applies = "tile-based GPUs",
    .why =
        "vkCmdClearColorImage and its like write the image in memory, and the pass reads it back; "
        "a clear by load op costs nothing.",
    .fix = "Set loadOp to VK_ATTACHMENT_LOAD_OP_CLEAR and leave the command out.",
    .source = "Vulkan specification, clear commands and load operations",
    .related = {"BestPractices-RenderPass-inefficient-clear"},
    .check = check,
};

}  // namespace tilebound::lint
