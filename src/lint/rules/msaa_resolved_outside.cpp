#include "lint/outside_reads.h"
#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (const auto& [at, words] : read_outside_passes(context)) {
    const model::Image& image = context.frame.images[at];
    const model::FormatFacts* facts = model::facts_of(image.format);
    std::string all;
    for (const std::string& word : words) all += (all.empty() ? "" : " and ") + word;
    model::Finding found = finding(kMsaaResolvedOutside, context.image_name(at),
                                   {"multisampled, and " + all + " outside the pass"});
    if (facts != nullptr) {
      // The store of all samples and reading them back.
      const std::uint64_t bytes = std::uint64_t{2} * image.extent.width * image.extent.height *
                                  image.layers * image.samples * facts->bits() / 8;
      found.evidence.push_back(context.bytes_text(bytes));
      found.saving = context.saving(bytes);
    }
    findings.push_back(std::move(found));
  }
}

}  // namespace

const Rule kMsaaResolvedOutside = {
    .id = "msaa_resolved_outside",
    .title = "A multisampled image is resolved, copied or sampled outside its pass",
    .severity = model::Severity::error,
    .applies = "tile-based GPUs",
    .why =
        "All samples go to memory and come back before one is kept. In the pass the tile resolves "
        "them for nothing.",
    .fix =
        "Resolve in the pass: pResolveAttachments, or "
        "VK_EXT_multisampled_render_to_single_sampled; in OpenGL ES "
        "GL_EXT_multisampled_render_to_texture.",
    .source =
        "Arm guide on multisampling: about 3.9 GB/s against 0.5 GB/s at 1080p, 4x, 60 frames a "
        "second",
    .related = {"BestPractices-Arm-vkCmdResolveImage-resolving-image"},
    .check = check,
};

}  // namespace tilebound::lint
