#include <fmt/format.h>

#include "lint/cleared_for_later.h"
#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

std::string origin_text(const Context& context, const Load& load) {
  switch (load.origin) {
    case Origin::pass:
      return load.pass ? "stored by " + context.pass_name(*load.pass) : "stored by a pass";
    case Origin::other_work:
      return "written by a copy or a shader of the frame";
    case Origin::last_frame:
      return "kept from the frame before";
    case Origin::outside:
      return "written by none of the frame's work";
    case Origin::nothing:
    case Origin::unknown:
      break;
  }
  return {};
}

/// Loads of what another pass only cleared are kClearOnlyPass.
void check(const Context& context, std::vector<model::Finding>& findings) {
  const std::vector<ClearedForLater> cleared = cleared_for_later(context);
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const model::Pass& pass = context.frame.passes[p];
    std::vector<std::string> evidence;
    std::optional<std::uint64_t> bytes = 0;
    for (std::size_t a = 0; a < pass.attachments.size(); ++a) {
      const model::Attachment& attachment = pass.attachments[a];
      std::vector<Aspect> aspects;
      std::string from;
      for (const Aspect aspect : kAspects) {
        if (!has_aspect(attachment, aspect)) continue;
        if (load_of(attachment, aspect) != model::LoadOp::load) continue;
        const Load load = context.flow.load(p, a, aspect);
        const std::string text = origin_text(context, load);
        if (text.empty()) continue;
        const model::Image* image = context.image_of(attachment);
        if (load.pass && is_cleared_for_later(context, cleared, *load.pass, p, image)) continue;
        aspects.push_back(aspect);
        from = text;
      }
      if (aspects.empty()) continue;
      const std::optional<std::uint64_t> one = load_bytes(pass, attachment, aspects);
      bytes = bytes && one ? std::optional(*bytes + *one) : std::nullopt;
      evidence.push_back(fmt::format("{}: {}", model::format_name(attachment.format), from));
    }
    if (evidence.empty() || bytes == 0) continue;
    if (bytes) evidence.push_back(context.bytes_text(*bytes));
    model::Finding found = finding(kLoaded, context.pass_name(p), std::move(evidence));
    found.saving = context.saving(bytes);
    findings.push_back(std::move(found));
  }
}

}  // namespace

const Rule kLoaded = {
    .id = "loaded",
    .title = "A pass loads attachments from memory",
    .severity = model::Severity::info,
    .applies = "tile-based GPUs",
    .why =
        "A load that is needed is right; each one is worth a thought, as it reads the whole "
        "area into the tiles.",
    .fix =
        "Where the content is not needed, clear it or do not care; where another pass stored it "
        "just before, draw in that pass. In OpenGL ES call glClear or glInvalidateFramebuffer "
        "before the first draw.",
    .source = "tile memory arithmetic",
    .related = {"BestPractices-vkCmdBeginRenderPass-attachment-needs-readback"},
    .check = check,
};

}  // namespace tilebound::lint
