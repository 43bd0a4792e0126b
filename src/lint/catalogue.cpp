#include <algorithm>
#include <array>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

constexpr auto kCatalogue = std::to_array<const Rule*>({
    // Tile memory.
    &kTileBudget,
    // Load and store.
    &kDepthStoredNeverRead,
    &kStoredNeverRead,
    &kMissingInvalidate,
    &kClearedAfterLoad,
    &kOverwrittenAfterLoad,
    &kLoadedUndefined,
    &kLoaded,
    &kClearInPass,
    &kClearByDraw,
    &kClearOnlyPass,
    &kClearOutsidePass,
    // Multisampling.
    &kMsaaStored,
    &kMsaaResolvedOutside,
    &kManySamples,
    &kTwoSamplesAsFour,
    // Transient attachments.
    &kTransientMoved,
    &kTransientNotLazy,
    &kCouldBeTransient,
    &kInputNotTransient,
    // Merging.
    &kPassesCouldMerge,
    &kPassSplit,
    &kCouldBeSubpasses,
    &kSubpassDependency,
    &kInputAlsoSampled,
    // Barriers.
    &kVertexWaitsForFragment,
    // Draws.
    &kIndirectEmptyRecords,
    &kEmptyDraw,
    &kBaseInstanceIndirect,
    &kSmallDraws,
    &kIdlePass,
    &kLateDepth,
    &kFullPrecisionVaryings,
    &kNoRelaxedPrecision,
    &kInterleavedPositions,
    &kWideIndices,
    // Compression and display.
    &kCompressionLost,
    &kNotPreRotated,
    &kRenderArea,
});

}  // namespace

std::span<const Rule* const> catalogue() {
  return kCatalogue;
}

model::Finding finding(const Rule& rule, std::string where, std::vector<std::string> evidence) {
  model::Finding out;
  out.id = rule.id;
  out.severity = rule.severity;
  out.title = rule.title;
  out.where = std::move(where);
  out.evidence = std::move(evidence);
  out.advice = {std::string(rule.fix)};
  for (const std::string_view id : rule.related) {
    if (!id.empty()) out.related.emplace_back(id);
  }
  return out;
}

}  // namespace tilebound::lint
