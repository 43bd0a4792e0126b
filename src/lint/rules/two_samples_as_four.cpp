#include <fmt/format.h>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  const std::optional<TileHardware>& hardware = context.target.hardware;
  if (!hardware || hardware->native_2x != false) return;
  for (std::size_t p = 0; p < context.passes.size(); ++p) {
    if (context.passes[p].need.samples != 2) continue;
    findings.push_back(
        finding(kTwoSamplesAsFour, context.pass_name(p),
                {fmt::format("2 samples a pixel; {} has no 2x of its own", hardware->name)}));
  }
}

}  // namespace

const Rule kTwoSamplesAsFour = {
    .id = "two_samples_as_four",
    .title = "Two samples cost as much tile memory as four",
    .severity = model::Severity::info,
    .applies = "Arm GPUs before the 5th generation",
    .vendors = {"arm"},
    .why = "Two samples a pixel run as four on these GPUs.",
    .fix = "Use four samples: they cost the same in the tile.",
    .source = "Mesa panfrost; Arm announcement of 5th-generation GPUs",
    .check = check,
};

}  // namespace tilebound::lint
