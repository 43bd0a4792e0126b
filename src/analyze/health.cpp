#include "analyze/health.h"

#include <algorithm>

#include "devices/catalogue.h"
#include "devices/expression.h"

namespace tilebound::analyze {

namespace {

enum class Limit : std::uint8_t { none, at_most };

/// One metric. Expressions use libGPUCounters names; {name} stands for a fact of the device.
struct Record {
  const char* id;
  const char* title;
  const char* unit;
  const char* expression;
  Limit limit;
  double threshold;
  const char* threshold_text;
  const char* hint;
};

#define INPUT_PRIMITIVES                                                                 \
  "($MaliGeomFaceXYPlaneCullPrim + $MaliGeomZPlaneCullPrim + $MaliGeomSampleCullPrim + " \
  "$MaliGeomVisiblePrim)"

/// Thresholds: Arm's counter descriptions and optimisation guides as listed in docs/sources.md.
constexpr Record kRecords[] = {
    {"irq_pending", "interrupt pending", "% of active",
     "100 * $MaliGPUIRQActiveCy / $MaliGPUActiveCy", Limit::at_most, 3, "< 3",
     "the CPU answers the GPU late, or jobs are many and tiny"},
    {"fragment_queue", "fragment queue busy", "% of active",
     "100 * $MaliFragQueueActiveCy / $MaliGPUActiveCy", Limit::none, 0, "", ""},
    {"non_fragment_queue", "non-fragment queue busy", "% of active",
     "100 * $MaliNonFragQueueActiveCy / $MaliGPUActiveCy", Limit::none, 0, "", ""},
    {"tiler", "tiler busy (waiting included)", "% of active",
     "100 * $MaliTilerActiveCy / $MaliGPUActiveCy", Limit::none, 0, "", ""},
    {"cycles_per_pixel", "cycles per pixel", "cycles",
     "$MaliGPUActiveCy / ($MaliFragQueueTask * {fragment_task_pixels} * {fragment_task_pixels})",
     Limit::none, 0, "", ""},
    {"overdraw", "fragments shaded per pixel", "fragments",
     "$MaliFragWarp * {warp_width} / ($MaliFragQueueTask * {fragment_task_pixels} * "
     "{fragment_task_pixels})",
     Limit::none, 0, "", ""},
    {"visible", "primitives visible", "% of input",
     "100 * $MaliGeomVisiblePrim / " INPUT_PRIMITIVES, Limit::none, 0, "about 50", ""},
    {"culled_facing", "culled by facing or X/Y planes", "% of input",
     "100 * $MaliGeomFaceXYPlaneCullPrim / " INPUT_PRIMITIVES, Limit::none, 0, "about 50", ""},
    {"culled_z", "culled by the Z planes", "% of input",
     "100 * $MaliGeomZPlaneCullPrim / " INPUT_PRIMITIVES, Limit::none, 0, "", ""},
    {"culled_sample", "culled by the sample test", "% of input",
     "100 * $MaliGeomSampleCullPrim / " INPUT_PRIMITIVES, Limit::at_most, 10, "< 5 to 10",
     "triangles smaller than a sample: use coarser levels of detail"},
    {"position_threads", "position threads per primitive", "threads",
     "4 * $MaliGeomPosShadTask / " INPUT_PRIMITIVES, Limit::at_most, 1.5, "< 1.5",
     "vertices are reused badly: order indices for locality"},
    {"early_zs_kill", "quads killed early", "% of tested",
     "100 * $MaliFragEZSKillQd / $MaliFragEZSTestQd", Limit::none, 0, "", ""},
    {"late_zs", "quads tested late", "% of rasterised",
     "100 * $MaliFragLZSTestQd / $MaliFragRastQd", Limit::none, 0, "", ""},
    {"partial_quads", "partial quads", "% of rasterised",
     "100 * $MaliFragRastPartQd / $MaliFragRastQd", Limit::none, 0, "", ""},
    {"registers", "warps of more than 32 registers", "% of warps",
     "100 * $MaliCoreAllRegsWarp / ($MaliFragWarp + $MaliNonFragWarp)", Limit::none, 0, "",
     "each halves the threads that a core can hold"},
    {"full_warps", "full warps", "% of warps",
     "100 * $MaliCoreFullWarp / ($MaliFragWarp + $MaliNonFragWarp)", Limit::none, 0, "", ""},
    {"texture_cpi", "filter cycles per texture quad", "cycles",
     "$MaliTexFiltIssueCy / $MaliTexQuads", Limit::none, 0, "", ""},
    {"l2_read_miss", "L2 reads that miss", "% of lookups",
     "100 * $MaliExtBusRd / $MaliL2CacheRdLookup", Limit::none, 0, "", ""},
    {"read_stall", "external read stall, all slices", "% of active",
     "100 * $MaliExtBusRdStallCy / $MaliGPUActiveCy", Limit::at_most, 10, "< 10",
     "the memory system refuses reads: bandwidth limits"},
    {"write_stall", "external write stall, all slices", "% of active",
     "100 * $MaliExtBusWrStallCy / $MaliGPUActiveCy", Limit::at_most, 10, "< 10",
     "the memory system refuses writes: bandwidth limits"},
    {"slow_reads", "external reads of 256 cycles and more", "% of beats",
     "100 * ($MaliExtBusRdBt - $MaliExtBusRdLat0 - $MaliExtBusRdLat128 - $MaliExtBusRdLat192) / "
     "$MaliExtBusRdBt",
     Limit::none, 0, "", ""},
    {"constant_tiles", "tiles unchanged, write-back skipped", "% of tiles",
     "100 * $MaliFragTileKill / $MaliFragTile", Limit::none, 0, "", ""},
};

#undef INPUT_PRIMITIVES

/// `text` with each {fact} replaced; nothing when the device lacks one.
std::optional<std::string> fill_facts(std::string text, const model::Device& device) {
  for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{')) {
    const std::size_t close = text.find('}', open);
    const auto fact = device.facts.find(text.substr(open + 1, close - open - 1));
    if (fact == device.facts.end()) return std::nullopt;
    text.replace(open, close - open + 1, fact->second.value);
  }
  return text;
}

bool only_shader_cores(const devices::Expression& expression, const Totals& totals) {
  return std::all_of(expression.names().begin(), expression.names().end(), [&](const auto& name) {
    const auto index = totals.find(name);
    return index &&
           totals.binding().entries[*index].definition->scope == devices::Scope::shader_core;
  });
}

Health judge(const Record& record, double value) {
  if (record.limit == Limit::none) return Health::unknown;
  return value <= record.threshold ? Health::good : Health::poor;
}

}  // namespace

std::vector<HealthMetric> health_table(const model::Device& device, const Totals& totals,
                                       std::size_t w) {
  std::vector<HealthMetric> out;
  if (device.vendor != "arm") return out;
  for (const Record& record : kRecords) {
    HealthMetric metric{record.id,   record.title, record.unit, record.threshold_text,
                        record.hint, {},           {},          {}};
    const auto text = fill_facts(record.expression, device);
    if (text) {
      const auto expression = devices::Expression::parse(*text);
      for (const std::string& name : expression.names()) {
        if (!totals.find(name)) metric.missing.push_back(name);
      }
      metric.value = expression.evaluate(totals.lookup(w, Basis::gpu));
      // A ratio of shader-core counters alone needs no core count.
      if (!metric.value && only_shader_cores(expression, totals)) {
        metric.value = expression.evaluate(totals.lookup(w, Basis::core));
      }
    }
    if (metric.value) metric.health = judge(record, *metric.value);
    out.push_back(std::move(metric));
  }
  return out;
}

}  // namespace tilebound::analyze
