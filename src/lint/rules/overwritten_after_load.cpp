#include <fmt/format.h>

#include "lint/full_screen.h"
#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const model::Pass& pass = context.frame.passes[p];
    for (std::size_t a = 0; a < pass.attachments.size(); ++a) {
      const model::Attachment& attachment = pass.attachments[a];
      if (attachment.role != model::AttachmentRole::color || attachment.is_resolve_target) continue;
      if (attachment.load != model::LoadOp::load) continue;
      const model::Draw* draw = full_screen_first_draw(context, p, attachment.slot);
      if (draw == nullptr) continue;
      const std::optional<std::uint64_t> bytes = load_bytes(pass, attachment, {Aspect::color});
      model::Finding found = finding(
          kOverwrittenAfterLoad, context.attachment_name(p, a),
          {fmt::format("loaded, then the first draw (event {}) writes every pixel of it without "
                       "blending",
                       draw->event)});
      if (bytes) found.evidence.push_back(context.bytes_text(*bytes));
      found.saving = context.saving(bytes);
      findings.push_back(std::move(found));
    }
  }
}

}  // namespace

const Rule kOverwrittenAfterLoad = {
    .id = "overwritten_after_load",
    .title = "An attachment is loaded and then drawn over as a whole",
    .severity = model::Severity::error,
    .applies = "tile-based GPUs",
    .why = "The old content is read from memory into the tile, and no pixel of it is left.",
    .fix =
        "Set loadOp to VK_ATTACHMENT_LOAD_OP_DONT_CARE; in OpenGL ES call glClear or "
        "glInvalidateFramebuffer first.",
    .source = "tile memory arithmetic; Vulkan specification, load operations",
    .related = {"BestPractices-vkCmdBeginRenderPass-attachment-needs-readback"},
    .check = check,
};

}  // namespace tilebound::lint
