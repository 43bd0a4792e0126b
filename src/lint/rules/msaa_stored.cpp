#include <fmt/format.h>

#include "lint/outside_reads.h"
#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  const auto outside = read_outside_passes(context);
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const model::Pass& pass = context.frame.passes[p];
    for (std::size_t a = 0; a < pass.attachments.size(); ++a) {
      const model::Attachment& attachment = pass.attachments[a];
      if (attachment.samples <= 1) continue;
      // kMsaaResolvedOutside counts the store as well.
      if (attachment.range && outside.contains(attachment.range->image)) continue;
      std::vector<Aspect> aspects;
      for (const Aspect aspect : kAspects) {
        if (!has_aspect(attachment, aspect)) continue;
        if (store_of(attachment, aspect) == model::StoreOp::store) aspects.push_back(aspect);
      }
      if (aspects.empty()) continue;
      const bool depth = attachment.role == model::AttachmentRole::depth_stencil;
      const bool dead = !context.flow.dead_stores(p, a).empty();
      // Depth that nobody reads is another rule's, and so is all of OpenGL ES's.
      if (dead && (depth || context.frame.api == model::Api::gles)) continue;
      const std::optional<std::uint64_t> bytes = store_bytes(pass, attachment, aspects);
      model::Finding found = finding(
          kMsaaStored, context.attachment_name(p, a),
          {fmt::format("{} samples a pixel are stored{}", attachment.samples,
                       attachment.resolve_target ? " although the pass resolves them" : "")});
      if (bytes) found.evidence.push_back(context.bytes_text(*bytes));
      found.saving = context.saving(bytes);
      findings.push_back(std::move(found));
    }
  }
}

}  // namespace

const Rule kMsaaStored = {
    .id = "msaa_stored",
    .title = "A multisampled attachment is stored",
    .severity = model::Severity::error,
    .applies = "tile-based GPUs",
    .why =
        "Every sample goes to memory: four times the bytes at 4x. Resolved in the pass, only one "
        "sample does.",
    .fix =
        "Resolve in the pass (pResolveAttachments) and set storeOp of the multisampled attachment "
        "to DONT_CARE; in OpenGL ES attach with GL_EXT_multisampled_render_to_texture.",
    .source = "Arm guide on multisampling; tile memory arithmetic",
    .check = check,
};

}  // namespace tilebound::lint
