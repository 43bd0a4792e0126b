#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

constexpr std::uint32_t kRotations = 0x2 | 0x4 | 0x8;  // 90, 180 and 270 degrees

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (const model::Present& present : context.frame.presents) {
    if (!present.surface_transform || !present.pre_transform) continue;
    if ((*present.surface_transform & kRotations) == 0) continue;
    if (*present.surface_transform == *present.pre_transform) continue;
    std::vector<std::string> evidence = {"the surface is rotated, the swapchain is not"};
    std::optional<std::uint64_t> bytes;
    if (present.image && *present.image < context.frame.images.size()) {
      const model::Image& image = context.frame.images[*present.image];
      if (const model::FormatFacts* facts = model::facts_of(image.format)) {
        // Read and written once more.
        bytes = std::uint64_t{2} * image.extent.width * image.extent.height * facts->bits() / 8;
        evidence.push_back(context.bytes_text(*bytes) + " where a pass rotates it");
      }
    }
    model::Finding found = finding(kNotPreRotated, "swapchain", std::move(evidence));
    found.saving = context.saving(bytes);
    findings.push_back(std::move(found));
    return;  // the same for every present
  }
}

}  // namespace

const Rule kNotPreRotated = {
    .id = "not_pre_rotated",
    .title = "The swapchain is not rotated as the display is",
    .severity = model::Severity::warning,
    .applies = "Vulkan on Android",
    .why =
        "The compositor rotates each frame in a pass of its own, or the display reads it slowly.",
    .fix = "Set preTransform to the surface's currentTransform and rotate the projection.",
    .source = "Android documentation on Vulkan pre-rotation",
    .check = check,
};

}  // namespace tilebound::lint
