#include "analyze/pathologies.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyze/advice.h"
#include "base/statistics.h"
#include "devices/expression.h"

namespace tilebound::analyze {

namespace {

/// Least share of active cycles for the tiler to matter, and the share of its peak under which it
/// has next to nothing to do.
constexpr double kBusyShare = 0.15;
constexpr double kWorkShare = 0.10;
/// Vertex shading that keeps the cores this busy while the tiler waits explains the waiting.
constexpr double kShadingExplains = 0.60;
/// Stall cycles over tiler cycles that explain it.
constexpr double kStallExplains = 0.50;
/// Where a device's peak is unknown: between the slowest that was measured (0.26 primitives a
/// cycle, Mali-G52) and one a cycle.
constexpr double kAssumedTilerPeak = 0.5;

std::optional<double> evaluate(const char* expression, const Totals& totals, std::size_t w,
                               Basis basis = Basis::gpu) {
  return devices::Expression::parse(expression).evaluate(totals.lookup(w, basis));
}

std::optional<double> tiler_peak(const std::vector<UnitLoad>& units) {
  for (const UnitLoad& unit : units) {
    if (unit.id != "tiler") continue;
    for (const PathLoad& path : unit.paths) {
      if (path.peak && path.peak->per != model::PeakPer::second) return path.peak->value;
    }
  }
  return std::nullopt;
}

/// Input primitives: what enters the tiler, by whichever counters the capture has.
std::optional<double> input_primitives(const Totals& totals, std::size_t w) {
  for (const char* expression :
       {"$MaliGeomFaceXYPlaneCullPrim + $MaliGeomZPlaneCullPrim + $MaliGeomSampleCullPrim + "
        "$MaliGeomVisiblePrim",
        "$MaliGeomTotalPrim", "$MaliGeomTrianglePrim"}) {
    if (const auto value = evaluate(expression, totals, w)) return value;
  }
  return std::nullopt;
}

}  // namespace

std::optional<model::Finding> busy_without_work(const Totals& totals, const Activity& activity,
                                                const std::vector<UnitLoad>& units, std::size_t w,
                                                std::optional<double> frame_ms) {
  if (!activity.active || activity.active->value <= 0) return std::nullopt;
  const auto tiler = totals.total("MaliTilerActiveCy", w, Basis::gpu);
  const auto queue = totals.total("MaliNonFragQueueActiveCy", w, Basis::gpu);
  // The non-fragment queue also runs compute, so it stands for the tiler only where there is none.
  const auto busy_cycles = tiler ? tiler : queue;
  const auto primitives = input_primitives(totals, w);
  if (!busy_cycles || !primitives || *busy_cycles <= 0) return std::nullopt;
  const double share = *busy_cycles / activity.active->value;
  const auto known_peak = tiler_peak(units);
  const double peak = known_peak.value_or(kAssumedTilerPeak);
  const double rate = *primitives / *busy_cycles;
  if (share <= kBusyShare || rate >= kWorkShare * peak) return std::nullopt;

  const auto shading =
      evaluate("$MaliNonFragActiveCy / $MaliTilerActiveCy", totals, w, Basis::core);
  const auto stall = evaluate(
      "($MaliTilerPosShadStallCy + $MaliTilerPosShadFIFOStallCy) / $MaliTilerActiveCy", totals, w);
  const auto position_stall = evaluate("$MaliTilerPosShadStallCy / $MaliTilerActiveCy", totals, w);
  if (shading && *shading > kShadingExplains) return std::nullopt;
  if (std::max(stall.value_or(0), position_stall.value_or(0)) > kStallExplains) return std::nullopt;
  if (!tiler && !shading) return std::nullopt;  // compute may be all there is

  model::Finding out;
  out.id = "busy_without_work";
  out.severity = model::Severity::warning;
  out.title = "The tiler is busy but takes almost no primitives";
  out.where = "analysed range";
  out.evidence.push_back(fmt::format("{} busy for {:.1f} % of GPU-active cycles",
                                     tiler ? "tiler" : "non-fragment queue", 100 * share));
  out.evidence.push_back(
      fmt::format("{:.4f} input primitives per busy cycle, {:.1f} % of its {} {:.3g}", rate,
                  100 * rate / peak, known_peak ? "peak of" : "peak, assumed to be", peak));
  if (shading) {
    out.evidence.push_back(
        fmt::format("vertex shading keeps a core busy for {:.0f} % of that time", 100 * *shading));
  } else {
    out.evidence.emplace_back("vertex shading time is not recorded (non-fragment active cycles)");
  }
  if (const auto jobs = totals.total("MaliNonFragQueueJob", w, Basis::gpu); jobs && *jobs > 0) {
    out.evidence.push_back(fmt::format(
        "{:.1f} input primitives a job over {:.0f} non-fragment jobs", *primitives / *jobs, *jobs));
  }
  if (frame_ms) {
    if (const auto busy = activity.busy()) {
      out.saving.ms_per_frame = *frame_ms * *busy * share;
      out.saving.bound =
          "upper bound: all of the tiler's busy time, none of it hidden by fragment work";
    }
  }
  for (const char* id :
       {"compact_indirect_draws", "draw_id_for_base_instance", "merge_tiny_draws"}) {
    out.advice.emplace_back(advice_text(id).text);
  }
  out.related = {"zero_instance_draws", "base_instance_indirect", "small_draws"};
  return out;
}

namespace {

/// One low-top cause with the first expression that the capture can evaluate.
struct CauseRecord {
  const char* id;
  const char* title;
  const char* expressions[3];  // each gives a percentage or a ratio
  double threshold;            // yes above it
  const char* reading;         // with {} for the value
  const char* needed;          // what would tell
};

constexpr CauseRecord kCauses[] = {
    {"slow_texture_filter",
     "slow texture format, dimension or filter",
     {"$MaliTexFiltIssueCy / $MaliTexQuads", nullptr, nullptr},
     1.5,
     "{:.2f} filter cycles a texture quad",
     "texture quads and filter cycles"},
    {"poor_hit_rate",
     "poor cache hit rate",
     {"100 * $MaliExtBusRd / $MaliL2CacheRdLookup", "$AdrenoPercentTextureL2Miss", nullptr},
     20,
     "{:.1f} % of L2 reads miss",
     "L2 read lookups and external reads"},
    {"memory_latency",
     "waiting for memory",
     {"100 * $MaliExtBusRdStallCy / $MaliGPUActiveCy", "$AdrenoPercentStalledOnSystemMemory",
      nullptr},
     10,
     "{:.1f} % stalled on memory",
     "external bus stall cycles"},
    {"texture_latency",
     "shaders waiting for textures",
     {"$AdrenoPercentTextureFetchStall", nullptr, nullptr},
     30,
     "{:.1f} % stalled on texture fetch",
     "a texture fetch stall counter"},
    {"vertex_fetch",
     "vertex fetch stalls (32-bit or scattered indices, wide vertices)",
     {"$AdrenoPercentVertexFetchStall", nullptr, nullptr},
     10,
     "{:.1f} % stalled on vertex fetch",
     "an API capture: index types and vertex layouts"},
    {"low_occupancy",
     "low shader occupancy (registers)",
     {"100 * $MaliCoreAllRegsWarp / ($MaliFragWarp + $MaliNonFragWarp)", nullptr, nullptr},
     50,
     "{:.0f} % of warps use more than 32 registers",
     "warps by register use"},
    {"starved_fragments",
     "shader cores short of fragments (small draws, state changes, barriers)",
     {"100 - 100 * $MaliFragFPKActiveCy / $MaliFragActiveCy", nullptr, nullptr},
     30,
     "the pre-pipe buffer is empty for {:.0f} % of fragment time",
     "pre-pipe buffer active and fragment active cycles"},
    {"preemption",
     "preemption by other work",
     {"$AdrenoPreemptionsPerSecond / $ZOOM", nullptr, nullptr},
     120,
     "{:.0f} preemptions a second",
     "a preemption counter"},
    {"barriers",
     "barriers and drains",
     {nullptr, nullptr, nullptr},
     0,
     "",
     "an API capture: barriers between passes, draw and dispatch switches"},
};

}  // namespace

std::vector<Cause> low_top_causes(const Totals& totals, const Activity& activity, std::size_t w) {
  std::vector<Cause> out;
  Cause idle{"idle", "the CPU starves the GPU", Answer::cannot_tell,
             "would be told by GPU-active cycles and the GPU clock"};
  if (const auto percent = activity.idle_percent()) {
    idle.answer = *percent > kIdlePercent ? Answer::yes : Answer::no;
    idle.evidence = fmt::format("GPU idle {:.1f} %", *percent);
  }
  out.push_back(std::move(idle));
  for (const CauseRecord& record : kCauses) {
    Cause cause{record.id, record.title, Answer::cannot_tell,
                fmt::format("would be told by {}", record.needed)};
    for (const char* expression : record.expressions) {
      if (expression == nullptr) break;
      auto value = evaluate(expression, totals, w);
      if (!value) value = evaluate(expression, totals, w, Basis::core);
      if (!value) continue;
      cause.answer = *value > record.threshold ? Answer::yes : Answer::no;
      cause.evidence = fmt::format(fmt::runtime(record.reading), *value);
      break;
    }
    out.push_back(std::move(cause));
  }
  return out;
}

}  // namespace tilebound::analyze
