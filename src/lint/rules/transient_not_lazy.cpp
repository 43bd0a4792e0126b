#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

constexpr std::uint32_t kTransientUsage = 0x40;  // VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT

void check(const Context& context, std::vector<model::Finding>& findings) {
  if (context.frame.device_has_lazy_memory != true) return;
  for (std::size_t i = 0; i < context.frame.images.size(); ++i) {
    const model::Image& image = context.frame.images[i];
    if ((image.usage.value_or(0) & kTransientUsage) == 0) continue;
    if (image.lazily_allocated != false) continue;
    findings.push_back(finding(kTransientNotLazy, context.image_name(i),
                               {"transient usage, and its memory is allocated at once"}));
  }
}

}  // namespace

const Rule kTransientNotLazy = {
    .id = "transient_not_lazy",
    .title = "A transient image is bound to memory that is not lazily allocated",
    .severity = model::Severity::warning,
    .applies = "Vulkan on GPUs with lazily allocated memory",
    .why = "The usage alone saves nothing; only lazily allocated memory stays virtual.",
    .fix = "Bind memory of a type with VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT.",
    .source = "Vulkan specification, lazily allocated memory",
    .related = {"BestPractices-vkBindImageMemory-non-lazy-transient-image"},
    .check = check,
};

}  // namespace tilebound::lint
