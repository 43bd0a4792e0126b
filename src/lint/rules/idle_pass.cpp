#include <algorithm>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p < context.passes.size(); ++p) {
    const model::Pass& pass = context.frame.passes[p];
    const PassFacts& facts = context.passes[p];
    if (pass.kind != model::PassKind::render || facts.counts.draws > 0) continue;
    if (facts.traffic.read.value_or(0) == 0 || facts.traffic.written.value_or(0) == 0) continue;
    const auto in_pass = [&](const auto& work) { return work.pass == p; };
    if (std::any_of(context.frame.clears.begin(), context.frame.clears.end(), in_pass)) continue;
    // A clear or a resolve is work: another rule's, or wanted.
    const bool works = std::any_of(pass.attachments.begin(), pass.attachments.end(), [](auto& a) {
      return a.load == model::LoadOp::clear || a.stencil_load == model::LoadOp::clear ||
             a.is_resolve_target;
    });
    if (works) continue;
    const std::uint64_t bytes = *facts.traffic.read + *facts.traffic.written;
    model::Finding found = finding(kIdlePass, context.pass_name(p),
                                   {"no draw and no clear", context.bytes_text(bytes)});
    found.saving = context.saving(bytes);
    findings.push_back(std::move(found));
  }
}

}  // namespace

const Rule kIdlePass = {
    .id = "idle_pass",
    .title = "A pass loads and stores and draws nothing",
    .severity = model::Severity::warning,
    .applies = "tile-based GPUs",
    .why = "Every pixel goes from memory to the tile and back, unchanged.",
    .fix = "Leave the pass out where there is nothing to draw.",
    .source = "tile memory arithmetic",
    .check = check,
};

}  // namespace tilebound::lint
