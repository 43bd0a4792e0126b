#include <fmt/format.h>

#include "lint/cleared_for_later.h"
#include "lint/merging.h"
#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  const std::vector<ClearedForLater> cleared = cleared_for_later(context);
  for (const Continuation& next : continuations(context)) {
    if (!next.between.empty()) continue;  // kPassSplit
    // kClearOnlyPass
    if (is_cleared_for_later(context, cleared, next.first, next.second, nullptr)) continue;
    model::Finding found =
        finding(kPassesCouldMerge, context.pass_name(next.second),
                {fmt::format(
                    "goes on with {} of {}, with nothing in between",
                    next.shared == 1 ? "an attachment" : fmt::format("{} attachments", next.shared),
                    context.pass_name(next.first))});
    if (next.bytes) found.evidence.push_back(context.bytes_text(*next.bytes));
    found.saving = context.saving(next.bytes);
    findings.push_back(std::move(found));
  }
}

}  // namespace

const Rule kPassesCouldMerge = {
    .id = "passes_could_merge",
    .title = "Two passes on the same attachments could be one",
    .severity = model::Severity::warning,
    .applies = "tile-based GPUs",
    .why = "The first pass stores to memory what the second loads right away.",
    .fix =
        "Draw in one pass, or make them subpasses of one; in OpenGL ES keep the framebuffer bound.",
    .source = "tile memory arithmetic",
    .check = check,
};

}  // namespace tilebound::lint
