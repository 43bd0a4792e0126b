#include "lint/rules/rules.h"
#include "lint/unmoved.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (const UnmovedImage& unmoved : unmoved_images(context)) {
    if (unmoved.input_attachment) continue;  // kInputNotTransient
    findings.push_back(unmoved_finding(context, kCouldBeTransient, unmoved));
  }
}

}  // namespace

const Rule kCouldBeTransient = {
    .id = "could_be_transient",
    .title = "An attachment that never leaves the tile has memory",
    .severity = model::Severity::info,
    .applies = "Vulkan on tile-based GPUs with lazily allocated memory",
    .why =
        "An image that no pass loads or stores and nothing else uses needs no memory at all when "
        "it is transient and lazily allocated.",
    .fix =
        "Create it with VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT and bind lazily allocated memory "
        "where the device has it.",
    .source = "Vulkan specification, lazily allocated memory",
    .related = {"BestPractices-vkCreateFramebuffer-attachment-should-be-transient",
                "BestPractices-vkCreateImage-non-transient-ms-image"},
    .check = check,
};

}  // namespace tilebound::lint
