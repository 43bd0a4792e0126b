#include <fmt/format.h>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

constexpr std::uint64_t kReach = 65536;
constexpr std::uint64_t kEnough = 10000;  // indices a pass

void check(const Context& context, std::vector<model::Finding>& findings) {
  for (std::size_t p = 0; p < context.passes.size(); ++p) {
    std::uint64_t draws = 0;
    std::uint64_t indices = 0;
    for (const std::size_t at : context.passes[p].draws) {
      const model::Draw& draw = context.frame.draws[at];
      if (!draw.indexed || draw.index_bits != 32U || !draw.vertices) continue;
      if (draw.indirect != model::IndirectSource::direct || *draw.vertices >= kReach) continue;
      ++draws;
      indices += *draw.vertices;
    }
    if (indices < kEnough) continue;
    const std::uint64_t bytes = indices * 2;
    model::Finding found =
        finding(kWideIndices, context.pass_name(p),
                {fmt::format("{} draws read {} indices of 32 bits, each draw fewer than {}", draws,
                             indices, kReach),
                 context.bytes_text(bytes)});
    found.saving = context.saving(bytes);
    findings.push_back(std::move(found));
  }
}

}  // namespace

const Rule kWideIndices = {
    .id = "wide_indices",
    .title = "Indices of 32 bits where 16 would do",
    .severity = model::Severity::info,
    .applies = "every GPU",
    .why =
        "A draw of fewer than 65536 indices names fewer vertices than 16 bits can; wide indices "
        "double what is read.",
    .fix = "Use VK_INDEX_TYPE_UINT16 with a vertex offset a draw.",
    .source = "Arm best practices on index buffers",
    .check = check,
};

}  // namespace tilebound::lint
