#include <fmt/format.h>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

constexpr std::uint32_t kTransientUsage = 0x40;  // VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const model::Pass& pass = context.frame.passes[p];
    for (std::size_t a = 0; a < pass.attachments.size(); ++a) {
      const model::Attachment& attachment = pass.attachments[a];
      const model::Image* image = context.image_of(attachment);
      if (image == nullptr) continue;
      const bool transient = (image->usage.value_or(0) & kTransientUsage) != 0;
      if (!transient && image->lazily_allocated != true) continue;
      bool loads = false;
      bool stores = false;
      for (const Aspect aspect : kAspects) {
        if (!has_aspect(attachment, aspect)) continue;
        loads = loads || load_of(attachment, aspect) == model::LoadOp::load;
        stores = stores || store_of(attachment, aspect) == model::StoreOp::store;
      }
      if (!loads && !stores) continue;
      findings.push_back(
          finding(kTransientMoved, context.attachment_name(p, a),
                  {fmt::format("{}{}{}", loads ? "loaded" : "", loads && stores ? " and " : "",
                               stores ? "stored" : "")}));
    }
  }
}

}  // namespace

const Rule kTransientMoved = {
    .id = "transient_moved",
    .title = "A transient attachment is loaded or stored",
    .severity = model::Severity::error,
    .applies = "Vulkan",
    .why =
        "A load or store forces the driver to back the image with memory; what was to be saved is "
        "lost.",
    .fix = "Set loadOp and storeOp so that it stays in the tile, or drop the transient usage.",
    .source = "Vulkan specification, VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT",
    .related = {"BestPractices-vkCreateFramebuffer-attachment-should-not-be-transient"},
    .check = check,
};

}  // namespace tilebound::lint
