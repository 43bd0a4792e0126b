#include <algorithm>
#include <fmt/format.h>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

using model::Finding;
using model::Severity;

std::string sums(const TileNeed& need) {
  std::string out = fmt::format("{} bits a pixel with depth, {} bits of colour in the tile",
                                *need.bits_per_pixel, *need.tile_bits);
  if (need.counted > 1) out += fmt::format(" at {} samples", need.counted);
  return out;
}

/// What the verdict is for one pass; empty evidence: nothing to say.
struct Verdict {
  Severity severity = Severity::info;
  std::vector<std::string> evidence;
};

Verdict without_device(const TileNeed& need) {
  Verdict out;
  if (*need.tile_bits <= kLowBits) return out;
  const bool high = *need.tile_bits > kHighBits;
  out.severity = high ? Severity::warning : Severity::info;
  out.evidence = {sums(need), fmt::format("above {} bits (low-end GPUs, Mali-G71)", kLowBits),
                  fmt::format("{} {} bits (other Malis, high-end PowerVR)",
                              high ? "above" : "within", kHighBits)};
  return out;
}

Verdict shrunk(const TileNeed& need, const TileHardware& hardware, const TileFit& fit) {
  Verdict out;
  const bool above = hardware.bits_limit && *need.tile_bits > *hardware.bits_limit;
  if (!above && !fit.below_16x16 && *need.tile_bits <= kLowBits) return out;
  out.severity = above || fit.below_16x16 ? Severity::warning : Severity::info;
  out.evidence = {sums(need),
                  fmt::format("{} gives tiles of {}; its largest are {}x{}", hardware.name,
                              tile_text(fit), hardware.full_tile.width, hardware.full_tile.height)};
  if (above) {
    out.evidence.push_back(fmt::format("above its {} bits a pixel", *hardware.bits_limit));
  } else if (*need.tile_bits > kLowBits) {
    out.evidence.push_back(
        fmt::format("above {} bits: tiles get smaller on GPUs with less", kLowBits));
  }
  return out;
}

Verdict binned(const TileNeed& need, const TileHardware& hardware, const TileFit& fit) {
  Verdict out;
  if (fit.bins.value_or(1) <= 1 || *need.tile_bits <= kLowBits) return out;
  out.evidence = {sums(need), fmt::format("{} renders it in {}", hardware.name, tile_text(fit)),
                  "the driver may render a small pass directly to memory, without bins"};
  return out;
}

Verdict spilled(const TileNeed& need, const TileHardware& hardware, const TileFit& fit) {
  Verdict out;
  const std::uint32_t low = hardware.bits_limit_low.value_or(kLowBits);
  if (!fit.spills && *need.tile_bits <= low) return out;
  out.severity = fit.spills ? Severity::warning : Severity::info;
  out.evidence = {sums(need)};
  if (fit.spills) {
    out.evidence.push_back(
        fmt::format("above the {} bits a pixel of high-end {}: the rest goes "
                    "to memory",
                    *hardware.bits_limit, hardware.name));
  } else {
    out.evidence.push_back(
        fmt::format("above the {} bits a pixel of low-end {}", low, hardware.name));
  }
  return out;
}

Verdict judge(const PassFacts& facts, const std::optional<TileHardware>& hardware) {
  if (!hardware || !facts.fit) return without_device(facts.need);
  switch (hardware->scheme) {
    case TileScheme::shrinks:
      return shrunk(facts.need, *hardware, *facts.fit);
    case TileScheme::bins:
      return binned(facts.need, *hardware, *facts.fit);
    case TileScheme::spills:
      return spilled(facts.need, *hardware, *facts.fit);
  }
  return {};
}

void check(const Context& context, std::vector<Finding>& findings) {
  for (std::size_t p = 0; p < context.passes.size(); ++p) {
    const PassFacts& facts = context.passes[p];
    if (facts.need.colors == 0 || !facts.need.tile_bits) continue;
    Verdict verdict = judge(facts, context.target.hardware);
    if (verdict.evidence.empty()) continue;
    Finding found = finding(kTileBudget, context.pass_name(p), std::move(verdict.evidence));
    found.severity = verdict.severity;
    if (facts.need.colors >= 3) {
      found.advice.emplace_back(
          "G-buffer: take the position from depth, keep normals octahedral in two channels, use "
          "B10G11R11 for light, and spare alpha channels for masks.");
    }
    findings.push_back(std::move(found));
  }
}

}  // namespace

const Rule kTileBudget = {
    .id = "tile_budget",
    .title = "Attachments take more of the tile memory than the GPU has at full tile size",
    .severity = Severity::warning,
    .applies = "tile-based GPUs; information where the bits are above 128 but fit",
    .why =
        "Arm GPUs take smaller tiles until the colours fit, so that geometry is read by more "
        "tiles and transaction elimination ends below 16x16; Adreno renders in more bins; "
        "PowerVR keeps what does not fit in memory.",
    .fix =
        "Use fewer or smaller colour formats, or fewer samples; split off what not every "
        "draw writes.",
    .source =
        "Arm GPU datasheet (bits a pixel at full speed), Mesa panfrost and freedreno, "
        "Imagination on pixel local storage",
    .check = check,
};

}  // namespace tilebound::lint
