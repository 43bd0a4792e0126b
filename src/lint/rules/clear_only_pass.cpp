#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

using model::LoadOp;
using model::StoreOp;

/// The only thing that happens to the attachment next is that a pass loads it.
std::optional<std::size_t> next_loader(const Context& context, std::size_t p, std::size_t a) {
  const model::Attachment& of = context.frame.passes[p].attachments[a];
  std::optional<std::size_t> loader;
  for (const Aspect aspect : kAspects) {
    if (!has_aspect(of, aspect) || store_of(of, aspect) != StoreOp::store) continue;
    if (load_of(of, aspect) != LoadOp::clear) return std::nullopt;
    const Store store = context.flow.store(p, a, aspect);
    if (store.fate != Fate::read || !store.only_loaded || store.readers.empty()) {
      return std::nullopt;
    }
    loader = store.readers.front();
  }
  return loader;
}

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const model::Pass& pass = context.frame.passes[p];
    const PassFacts& facts = context.passes[p];
    if (pass.kind != model::PassKind::render || facts.counts.draws > 0) continue;
    for (std::size_t a = 0; a < pass.attachments.size(); ++a) {
      const std::optional<std::size_t> loader = next_loader(context, p, a);
      if (!loader || context.frame.passes[*loader].area != pass.area) continue;
      const std::optional<std::uint64_t> bytes =
          store_bytes(pass, pass.attachments[a], {Aspect::color, Aspect::depth, Aspect::stencil});
      model::Finding found = finding(
          kClearOnlyPass, context.attachment_name(p, a),
          {"cleared and stored without a draw, then loaded by " + context.pass_name(*loader)});
      const std::optional<std::uint64_t> both =
          bytes ? std::optional(*bytes * 2) : std::nullopt;  // the store and the load
      if (both) found.evidence.push_back(context.bytes_text(*both));
      found.saving = context.saving(both);
      findings.push_back(std::move(found));
    }
  }
}

}  // namespace

const Rule kClearOnlyPass = {
    .id = "clear_only_pass",
    .title = "A pass only clears",
    .severity = model::Severity::warning,
    .applies = "tile-based GPUs",
    .why = "The cleared colour goes to memory and comes back in the next pass.",
    .fix =
        "Clear by load op in the pass that draws; in OpenGL ES once its framebuffer is bound, not "
        "before.",
    .source = "tile memory arithmetic",
    .related = {"BestPractices-RenderPass-redundant-clear"},
    .check = check,
};

}  // namespace tilebound::lint
