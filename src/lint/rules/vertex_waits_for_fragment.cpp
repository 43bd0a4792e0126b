#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

// Stages of the end of a pass's work, and of the start of one's.
constexpr std::uint64_t kLate = 0x80 | 0x100 | 0x200 | 0x400 | 0x2000 | 0x8000 | 0x10000;
constexpr std::uint64_t kEarly =
    0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x20 | 0x40 | 0x8000 | 0x10000 | 0x4000000000;

bool waits(std::uint64_t source, std::uint64_t destination) {
  return (source & kLate) != 0 && (destination & kEarly) != 0;
}

/// The render passes with draws around an event.
struct Around {
  std::optional<std::size_t> before;
  std::optional<std::size_t> after;
};

Around around(const Context& context, std::uint64_t event) {
  Around out;
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const model::Pass& pass = context.frame.passes[p];
    if (pass.kind != model::PassKind::render || context.passes[p].counts.draws == 0) continue;
    if (pass.last_event < event) out.before = p;
    if (pass.first_event >= event && !out.after) out.after = p;
  }
  return out;
}

void check(const Context& context, std::vector<model::Finding>& findings) {
  std::uint64_t count = 0;
  std::vector<std::string> places;
  const auto add = [&](std::uint64_t event) {
    const Around passes = around(context, event);
    if (!passes.before || !passes.after) return;
    ++count;
    const std::string place = fmt::format("between {} and {}", context.pass_name(*passes.before),
                                          context.pass_name(*passes.after));
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  };
  for (const model::Barrier& barrier : context.frame.barriers) {
    if (!barrier.pass && waits(barrier.src_stages, barrier.dst_stages)) add(barrier.event);
  }
  for (const model::Pass& pass : context.frame.passes) {
    const bool any = std::any_of(
        pass.dependencies.begin(), pass.dependencies.end(), [](const model::Dependency& d) {
          return !d.from_subpass && d.to_subpass && waits(d.src_stages, d.dst_stages);
        });
    if (any) add(pass.first_event);
  }
  if (count == 0) return;
  findings.push_back(finding(kVertexWaitsForFragment, "whole frame",
                             {fmt::format("{} {}", count, count == 1 ? "barrier" : "barriers"),
                              base::join_some(places, 4)}));
}

}  // namespace

const Rule kVertexWaitsForFragment = {
    .id = "vertex_waits_for_fragment",
    .title = "A barrier makes vertex work wait for the fragments before it",
    .severity = model::Severity::warning,
    .applies = "tile-based GPUs",
    .why =
        "The next pass's vertex work would run while the fragments of the pass before it are "
        "shaded; with FRAGMENT before VERTEX, or ALL_COMMANDS, it waits for them.",
    .fix =
        "Let only what reads the result wait: FRAGMENT_SHADER or COLOR_ATTACHMENT_OUTPUT as the "
        "destination.",
    .source = "Arm best practices on pipeline barriers",
    .check = check,
};

}  // namespace tilebound::lint
