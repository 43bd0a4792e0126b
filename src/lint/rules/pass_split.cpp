#include <fmt/format.h>

#include "base/text.h"
#include "lint/merging.h"
#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (const Continuation& next : continuations(context)) {
    if (next.between.empty()) continue;  // kPassesCouldMerge
    std::vector<std::string> names;
    for (const std::size_t pass : next.between) names.push_back(context.pass_name(pass));
    model::Finding found =
        finding(kPassSplit, context.pass_name(next.second),
                {fmt::format("goes on with {} of {}",
                             next.shared == 1 ? "an attachment"
                                              : fmt::format("{} attachments", next.shared),
                             context.pass_name(next.first)),
                 "in between: " + base::join_some(names, 3) + ", which uses none of them"});
    if (next.bytes) found.evidence.push_back(context.bytes_text(*next.bytes));
    found.saving = context.saving(next.bytes);
    findings.push_back(std::move(found));
  }
}

}  // namespace

const Rule kPassSplit = {
    .id = "pass_split",
    .title = "A pass is split by work in the middle",
    .severity = model::Severity::warning,
    .applies = "tile-based GPUs",
    .why =
        "Work that cannot run inside a pass ends it: the attachments go to memory and come back.",
    .fix = "Move the work before the first pass.",
    .source = "tile memory arithmetic",
    .check = check,
};

}  // namespace tilebound::lint
