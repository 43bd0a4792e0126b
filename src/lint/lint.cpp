#include "lint/lint.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilebound::lint {

namespace {

bool applies(const Rule& rule, const Target& target) {
  const bool for_all = rule.vendors.front().empty();
  if (for_all || target.vendor.empty()) return true;
  return std::find(rule.vendors.begin(), rule.vendors.end(), target.vendor) != rule.vendors.end();
}

std::vector<model::Note> notes_of(const Context& context) {
  std::vector<model::Note> out = context.frame.notes;
  const auto unknown_ops = static_cast<std::uint64_t>(
      std::count_if(context.passes.begin(), context.passes.end(), [&](const PassFacts& facts) {
        const auto at = static_cast<std::size_t>(&facts - context.passes.data());
        return context.frame.passes[at].kind == model::PassKind::render &&
               (!facts.traffic.read || !facts.traffic.written);
      }));
  if (unknown_ops > 0) {
    model::add_note(out, "unknown_traffic", model::Severity::info,
                    "passes whose bytes are unknown: the capture lacks an op or a format",
                    unknown_ops);
  }
  const auto not_held = static_cast<std::uint64_t>(std::count_if(
      context.frame.draws.begin(), context.frame.draws.end(), [](const model::Draw& draw) {
        return draw.indirect == model::IndirectSource::gpu_written ||
               draw.indirect == model::IndirectSource::not_captured;
      }));
  if (not_held > 0) {
    model::add_note(out, "unknown_indirect", model::Severity::info,
                    "indirect draws whose records are not known: the GPU writes them, or the "
                    "capture lacks the buffer",
                    not_held);
  }
  return out;
}

}  // namespace

Result lint(const model::ApiFrame& frame, const Options& options) {
  Result out{Context(frame, options), {}, {}};
  for (const Rule* rule : catalogue()) {
    if (applies(*rule, out.context.target)) rule->check(out.context, out.findings);
  }
  // Stable: the catalogue's order, then the frame's, among equals.
  std::stable_sort(out.findings.begin(), out.findings.end(),
                   [](const model::Finding& a, const model::Finding& b) {
                     if (a.severity != b.severity) return a.severity > b.severity;
                     return a.saving.bytes_per_frame.value_or(0) >
                            b.saving.bytes_per_frame.value_or(0);
                   });
  out.notes = notes_of(out.context);
  return out;
}

}  // namespace tilebound::lint
