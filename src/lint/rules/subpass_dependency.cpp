#include <algorithm>
#include <fmt/format.h>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

// Framebuffer space: fragment shader, early and late fragment tests, colour output.
constexpr std::uint64_t kLocalStages = 0x80 | 0x100 | 0x200 | 0x400;

std::string fault(const model::Dependency& dependency) {
  if (!dependency.by_region) return "without BY_REGION";
  const std::uint64_t stages = dependency.src_stages | dependency.dst_stages;
  if ((stages & 0x10000) != 0) return "with ALL_COMMANDS";
  if ((stages & 0x2000) != 0) return "with BOTTOM_OF_PIPE";
  if ((stages & 0x8000) != 0) return "with ALL_GRAPHICS";
  if ((stages & ~kLocalStages) != 0) return "with stages outside framebuffer space";
  return {};
}

/// What goes to memory and back when the subpasses run apart.
std::optional<std::uint64_t> round_trip(const model::Pass& pass, const model::Dependency& between) {
  const auto has = [](const std::vector<std::uint32_t>& list, std::uint32_t subpass) {
    return std::find(list.begin(), list.end(), subpass) != list.end();
  };
  std::optional<std::uint64_t> bytes = 0;
  for (model::Attachment attachment : pass.attachments) {
    if (!has(attachment.written_in, *between.from_subpass)) continue;
    if (!has(attachment.read_in, *between.to_subpass)) continue;
    attachment.store = model::StoreOp::store;
    attachment.stencil_store = model::StoreOp::store;
    const std::optional<std::uint64_t> one =
        store_bytes(pass, attachment, {Aspect::color, Aspect::depth, Aspect::stencil});
    bytes = bytes && one ? std::optional(*bytes + *one * 2) : std::nullopt;
  }
  return bytes;
}

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const model::Pass& pass = context.frame.passes[p];
    std::vector<std::string> evidence;
    std::optional<std::uint64_t> bytes = 0;
    for (const model::Dependency& dependency : pass.dependencies) {
      if (!dependency.from_subpass || !dependency.to_subpass) continue;
      if (dependency.from_subpass == dependency.to_subpass) continue;
      const std::string words = fault(dependency);
      if (words.empty()) continue;
      evidence.push_back(fmt::format("from subpass {} to {} {}", *dependency.from_subpass,
                                     *dependency.to_subpass, words));
      const std::optional<std::uint64_t> one = round_trip(pass, dependency);
      bytes = bytes && one ? std::optional(*bytes + *one) : std::nullopt;
    }
    if (evidence.empty()) continue;
    model::Finding found = finding(kSubpassDependency, context.pass_name(p), std::move(evidence));
    found.saving = context.saving(bytes);
    found.saving.bound += "; nothing where the driver merges them anyhow";
    findings.push_back(std::move(found));
  }
}

}  // namespace

const Rule kSubpassDependency = {
    .id = "subpass_dependency",
    .title = "A dependency keeps subpasses from being merged",
    .severity = model::Severity::warning,
    .applies = "Vulkan on tile-based GPUs",
    .why =
        "Drivers merge subpasses where each pixel waits only for itself: BY_REGION, and fragment "
        "stages on both sides.",
    .fix =
        "Set VK_DEPENDENCY_BY_REGION_BIT and name only fragment shader, fragment tests and colour "
        "output stages.",
    .source =
        "Vulkan specification, framebuffer-local dependencies; checklist on tile memory spills",
    .check = check,
};

}  // namespace tilebound::lint
