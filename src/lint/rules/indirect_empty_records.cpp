#include <algorithm>
#include <fmt/format.h>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p < context.passes.size(); ++p) {
    std::uint64_t empty = 0;
    std::uint64_t records = 0;
    std::uint64_t unknown = 0;
    for (const std::size_t at : context.passes[p].draws) {
      const model::Draw& draw = context.frame.draws[at];
      if (draw.indirect == model::IndirectSource::direct) continue;
      if (draw.indirect != model::IndirectSource::known) ++unknown;
      records += draw.records.size();
      empty += static_cast<std::uint64_t>(std::count_if(
          draw.records.begin(), draw.records.end(),
          [](const auto& record) { return record.instances == 0 || record.vertices == 0; }));
    }
    if (empty == 0) continue;
    std::vector<std::string> evidence = {
        fmt::format("{} of {} records ({:.1f} %) have no instances or no vertices", empty, records,
                    100.0 * static_cast<double>(empty) / static_cast<double>(records))};
    if (unknown > 0) {
      evidence.push_back(fmt::format("{} more indirect {} whose records are not known", unknown,
                                     unknown == 1 ? "draw" : "draws"));
    }
    model::Finding found =
        finding(kIndirectEmptyRecords, context.pass_name(p), std::move(evidence));
    found.saving.bound = "unknown in bytes: the cost is the tiler's time";
    findings.push_back(std::move(found));
  }
}

}  // namespace

const Rule kIndirectEmptyRecords = {
    .id = "indirect_empty_records",
    .title = "Indirect draws hold records that draw nothing",
    .severity = model::Severity::warning,
    .applies = "every GPU; Mali most",
    .why =
        "A record with no instances is not free: on Mali each can make an empty tiler job (seen "
        "with driver 54.1).",
    .fix =
        "Compact the list, or let the culling shader write a count "
        "(vkCmdDrawIndexedIndirectCount). gl_DrawID starts at 0 in each call: with a compacted "
        "list map it through an index buffer.",
    .source = "report on empty tiler jobs, Bistro scene on an MTK9500 with driver 54.1",
    .check = check,
};

}  // namespace tilebound::lint
