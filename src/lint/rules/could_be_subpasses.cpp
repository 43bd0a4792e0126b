#include <fmt/format.h>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p + 1 < context.frame.passes.size(); ++p) {
    const model::Pass& first = context.frame.passes[p];
    const model::Pass& second = context.frame.passes[p + 1];
    if (first.kind != model::PassKind::render || second.kind != model::PassKind::render) continue;
    if (first.area != second.area || first.layers != second.layers) continue;
    std::uint32_t handed = 0;
    std::optional<std::uint64_t> bytes = 0;
    for (std::size_t a = 0; a < first.attachments.size(); ++a) {
      const model::Attachment& attachment = first.attachments[a];
      if (attachment.role != model::AttachmentRole::color) continue;
      const Store store = context.flow.store(p, a, Aspect::color);
      if (store.fate != Fate::read || store.only_loaded) continue;
      if (store.readers != std::vector<std::size_t>{p + 1}) continue;
      ++handed;
      const std::optional<std::uint64_t> one = store_bytes(first, attachment, {Aspect::color});
      bytes = bytes && one ? std::optional(*bytes + *one * 2) : std::nullopt;
    }
    if (handed < 2) continue;  // one image: a filter more often than a G-buffer
    model::Finding found =
        finding(kCouldBeSubpasses, context.pass_name(p + 1),
                {fmt::format("samples {} attachments that {} stores for it alone", handed,
                             context.pass_name(p))});
    if (bytes) found.evidence.push_back(context.bytes_text(*bytes) + ", stored and read once");
    found.saving = context.saving(bytes);
    findings.push_back(std::move(found));
  }
}

}  // namespace

const Rule kCouldBeSubpasses = {
    .id = "could_be_subpasses",
    .title = "A pass samples what the pass before it drew, at the same size",
    .severity = model::Severity::info,
    .applies = "Vulkan on tile-based GPUs, where the shader reads its own pixel only",
    .why =
        "Several attachments go to memory and are sampled by the very next pass, as in deferred "
        "shading; read as input attachments they stay in the tile.",
    .fix =
        "Where the shader reads only its own pixel: make it a subpass with input attachments (or "
        "framebuffer fetch).",
    .source = "checklist on tile memory spills",
    .check = check,
};

}  // namespace tilebound::lint
