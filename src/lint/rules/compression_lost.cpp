#include <algorithm>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

constexpr std::uint32_t kStorage = 0x8;

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t i = 0; i < context.frame.images.size(); ++i) {
    const model::Image& image = context.frame.images[i];
    const std::vector<DataFlow::Event>& events = context.flow.events(i);
    const bool moved = std::any_of(events.begin(), events.end(), [](const auto& event) {
      return event.attachment &&
             (event.effect == DataFlow::Effect::write || event.effect == DataFlow::Effect::load);
    });
    if (!moved) continue;
    const bool as_storage = std::any_of(
        context.frame.uses.begin(), context.frame.uses.end(), [&](const model::ImageUse& use) {
          return use.kind == model::UseKind::storage && use.range.image == i;
        });
    std::vector<std::string> evidence;
    if (image.linear_tiling == true) evidence.emplace_back("linear tiling");
    if ((image.usage.value_or(0) & kStorage) != 0 && !as_storage) {
      evidence.emplace_back("storage usage, and no shader of the frame uses it as a storage image");
    }
    if (evidence.empty()) continue;
    findings.push_back(finding(kCompressionLost, context.image_name(i), std::move(evidence)));
  }
}

}  // namespace

const Rule kCompressionLost = {
    .id = "compression_lost",
    .title = "An attachment is created in a way that loses framebuffer compression",
    .severity = model::Severity::warning,
    .applies = "Vulkan on GPUs with framebuffer compression",
    .why =
        "Linear tiling and storage usage turn framebuffer compression (AFBC, UBWC, PVRIC) off on "
        "most GPUs, so every load, store and texture read moves all bytes.",
    .fix = "Leave out usage that the frame does not need, and use optimal tiling.",
    .source = "Arm best practices on AFBC; Vulkan validation layers on storage render targets",
    .related = {"BestPractices-vkImage-DontUseStorageRenderTargets"},
    .check = check,
};

}  // namespace tilebound::lint
