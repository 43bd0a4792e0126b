#include <fmt/format.h>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  constexpr std::uint32_t kEfficient = 4;
  for (std::size_t p = 0; p < context.passes.size(); ++p) {
    const std::uint32_t samples = context.passes[p].need.samples;
    if (samples <= kEfficient) continue;
    findings.push_back(
        finding(kManySamples, context.pass_name(p), {fmt::format("{} samples a pixel", samples)}));
  }
}

}  // namespace

const Rule kManySamples = {
    .id = "many_samples",
    .title = "A pass has more samples than the GPU renders at full speed",
    .severity = model::Severity::warning,
    .applies = "Arm and PowerVR GPUs",
    .vendors = {"arm", "imagination"},
    .why =
        "Tile memory and rates are made for four samples; more of them shrink tiles and halve "
        "throughput.",
    .fix = "Use four samples.",
    .source = "Vulkan validation layers: four samples are the efficient most on Arm and PowerVR",
    .related = {"BestPractices-vkCreateImage-too-large-sample-count"},
    .check = check,
};

}  // namespace tilebound::lint
