#include "lint/rules/rules.h"
#include "lint/unmoved.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (const UnmovedImage& unmoved : unmoved_images(context)) {
    if (!unmoved.input_attachment) continue;
    findings.push_back(unmoved_finding(context, kInputNotTransient, unmoved));
  }
}

}  // namespace

const Rule kInputNotTransient = {
    .id = "input_not_transient",
    .title = "An input attachment that never leaves the tile has memory",
    .severity = model::Severity::warning,
    .applies = "Vulkan on tile-based GPUs with lazily allocated memory",
    .why =
        "Subpasses that hand pixels on in the tile need no memory behind them; an image that is "
        "not transient also tells some drivers not to merge.",
    .fix =
        "Create it with VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT and bind lazily allocated memory "
        "where the device has it.",
    .source = "Vulkan specification, lazily allocated memory; checklist on tile memory spills",
    .related = {"BestPractices-vkCreateFramebuffer-attachment-should-be-transient"},
    .check = check,
};

}  // namespace tilebound::lint
