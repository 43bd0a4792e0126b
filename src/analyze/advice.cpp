#include "analyze/advice.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>

namespace tilebound::analyze {

namespace {

using Because = std::optional<std::string>;

constexpr const char* kCalibration =
    "Streamline calibration article, part on planning the optimisations";
constexpr const char* kPeaks = "L. Bavoil, The Peak-Performance-Percentage Analysis Method, 2018";
constexpr const char* kCounters = "Mali GPU counters guide, reading the result";
constexpr const char* kTiles = "Tile buffer spill article, load and store operations";
constexpr const char* kTilerJobs = "Empty tiler jobs article (MTK9500, driver 54.1)";

/// A unit that reaches this share of the limiter's percentage still takes part in the load.
constexpr double kTakesPart = kNotWorthShare;
/// Least percent of peak for a unit's work to be worth naming as something to cut.
constexpr double kWorthNaming = 15;

constexpr const char* kGeometry[] = {"front_end", "vertex", "tiler", "primitive_cull", "ia", "vaf"};
constexpr const char* kTexture[] = {"texture", "texture_l2", "texture_external"};
constexpr const char* kMemory[] = {
    "external_memory", "texture_external", "l2_read", "l2_write", "l2", "tile_write"};
constexpr const char* kArithmetic[] = {"alu", "sm", "message"};

double percent_of(const Situation& s, std::string_view unit) {
  for (const UnitPercent& u : s.units) {
    if (u.id == unit) return u.percent;
  }
  return 0;
}

/// "alu 98 %": the units of `list` that limit.
Because limited_by(const Situation& s, std::span<const char* const> list) {
  std::vector<std::string> found;
  for (const std::string& id : s.limiters) {
    if (std::none_of(list.begin(), list.end(), [&](const char* other) { return id == other; })) {
      continue;
    }
    const double percent = percent_of(s, id);
    found.push_back(percent > 0 ? fmt::format("{} {:.0f} %", id, percent) : id);
  }
  if (found.empty()) return std::nullopt;
  return fmt::format("limited by {}", fmt::join(found, ", "));
}

/// The busiest of `list`, limiting or not, where it does enough to be worth cutting.
Because uses(const Situation& s, std::span<const char* const> list) {
  const UnitPercent* most = nullptr;
  for (const UnitPercent& u : s.units) {
    const bool listed =
        std::any_of(list.begin(), list.end(), [&](const char* other) { return u.id == other; });
    if (listed && (most == nullptr || u.percent > most->percent)) most = &u;
  }
  if (most == nullptr || most->percent < kWorthNaming) return std::nullopt;
  return fmt::format("{} at {:.0f} %", most->id, most->percent);
}

bool may_be(const Situation& s, Work work) {
  return !s.has_segments && (s.work == work || s.work == Work::mixed);
}

/// Geometry runs under fragment work, so it matters where its units limit.
Because geometry(const Situation& s) {
  return s.has_segments || s.busy_without_work ? std::nullopt : limited_by(s, kGeometry);
}

Because geometry_memory(const Situation& s) {
  const Because limited = geometry(s);
  const Because memory = uses(s, kMemory);
  if (!limited || !memory) return std::nullopt;
  return *limited + ", " + *memory;
}

Because prepass(const Situation& s) {
  if (s.has_segments || s.work == Work::shading || s.work == Work::full_screen) return std::nullopt;
  Because limited = geometry(s);
  if (!limited) return std::nullopt;
  if (s.work == Work::depth) return *limited + " while depth alone is written";
  return limited;
}

Because shading_arithmetic(const Situation& s) {
  return may_be(s, Work::shading) ? limited_by(s, kArithmetic) : std::nullopt;
}

Because interpolation(const Situation& s) {
  constexpr const char* kVarying[] = {"varying"};
  return may_be(s, Work::shading) ? limited_by(s, kVarying) : std::nullopt;
}

Because textures_limit(const Situation& s) {
  return s.has_segments ? std::nullopt : limited_by(s, kTexture);
}

Because loads_and_stores(const Situation& s) {
  constexpr const char* kOut[] = {"external_memory", "tile_write"};
  if (s.has_segments || s.work == Work::geometry) return std::nullopt;
  return limited_by(s, kOut);
}

Because depth_writes(const Situation& s) {
  return s.work == Work::depth ? loads_and_stores(s) : std::nullopt;
}

Because early_zs(const Situation& s) {
  constexpr const char* kEarly[] = {"early_zs", "zrop"};
  return s.has_segments ? std::nullopt : limited_by(s, kEarly);
}

Because late_zs(const Situation& s) {
  constexpr const char* kLate[] = {"late_zs"};
  return s.has_segments ? std::nullopt : limited_by(s, kLate);
}

Because load_store(const Situation& s) {
  constexpr const char* kBuffers[] = {"load_store"};
  return s.has_segments ? std::nullopt : limited_by(s, kBuffers);
}

/// Full-screen work; says what of.
Because full_screen(const Situation& s) {
  if (s.has_segments || s.work != Work::full_screen) return std::nullopt;
  if (s.limiters.empty()) return "full-screen work";
  return fmt::format("full-screen work limited by {}", fmt::join(s.limiters, ", "));
}

Because full_screen_textures(const Situation& s) {
  const Because post = full_screen(s);
  Because textures = uses(s, kTexture);
  if (!textures) textures = uses(s, kMemory);
  if (!post || !textures) return std::nullopt;
  return *post + ", " + *textures;
}

/// A formula costs arithmetic, so it only helps where textures or memory limit and that is free.
Because formula(const Situation& s) {
  if (!full_screen(s) || limited_by(s, kArithmetic)) return std::nullopt;
  const Because textures = limited_by(s, kTexture);
  return textures ? textures : limited_by(s, kMemory);
}

Because table(const Situation& s) {
  if (!full_screen(s) || limited_by(s, kTexture) || limited_by(s, kMemory)) return std::nullopt;
  return limited_by(s, kArithmetic);
}

Because fold(const Situation& s) {
  const Because post = full_screen(s);
  const Because memory = uses(s, kMemory);
  if (!post || !memory) return std::nullopt;
  return *post + ", " + *memory + " to write and read back what the scene's shaders had at hand";
}

Because all_low(const Situation& s) {
  if (s.kind != Case::low || s.units.empty()) return std::nullopt;
  return fmt::format("no unit above {:.0f} %", s.units.front().percent);
}

Because cause(const Situation& s, std::string_view id) {
  for (const Cause& c : s.causes) {
    if (c.id == id && c.answer == Answer::yes) return c.evidence;
  }
  return std::nullopt;
}

Because idle(const Situation& s) {
  if (!s.idle_percent || *s.idle_percent <= kIdlePercent) return std::nullopt;
  return fmt::format("GPU idle {:.1f} %", *s.idle_percent);
}

Because slow_clock(const Situation& s) {
  if (!s.clock_percent || *s.clock_percent >= kFullClockPercent) return std::nullopt;
  if (!s.idle_percent || *s.idle_percent < kGpuBoundIdlePercent) return std::nullopt;
  return fmt::format("clock at {:.0f} % of its maximum, GPU idle {:.1f} %", *s.clock_percent,
                     *s.idle_percent);
}

Because empty_draws(const Situation& s) {
  if (!s.busy_without_work) return std::nullopt;
  return "the tiler is busy but takes almost no primitives";
}

/// What a unit does beside the one that limits.
Because far_below(const Situation& s, std::span<const char* const> list, const char* what) {
  if (s.limiters.empty() || s.units.empty()) return std::nullopt;
  double most = 0;
  bool known = false;
  for (const UnitPercent& u : s.units) {
    const bool listed =
        std::any_of(list.begin(), list.end(), [&](const char* o) { return u.id == o; });
    if (!listed) continue;
    known = true;
    most = std::max(most, u.percent);
  }
  const double limiter = std::max(percent_of(s, s.limiters.front()), s.units.front().percent);
  if (!known || most >= kTakesPart * limiter) return std::nullopt;
  return fmt::format("{} at {:.0f} %, {} at {:.0f} %", what, most, s.limiters.front(), limiter);
}

Because not_textures(const Situation& s) {
  if (!may_be(s, Work::shading) && !(s.work == Work::full_screen && !s.has_segments)) {
    return std::nullopt;
  }
  return limited_by(s, kArithmetic) ? far_below(s, kTexture, "textures") : std::nullopt;
}

Because not_shaders(const Situation& s) {
  if (s.has_segments || limited_by(s, kArithmetic) || s.work == Work::geometry) return std::nullopt;
  return far_below(s, kArithmetic, "arithmetic");
}

Because not_vertices(const Situation& s) {
  if (!may_be(s, Work::shading) && !(s.work == Work::full_screen && !s.has_segments)) {
    return std::nullopt;
  }
  return far_below(s, kGeometry, "vertex work and tiling");
}

Because not_worth(const Situation& s) {
  if (s.has_segments || s.not_worth.empty()) return std::nullopt;
  return fmt::format("below {:.0f} % of the limiter: {}", 100 * kNotWorthShare,
                     fmt::join(s.not_worth, ", "));
}

struct Record {
  const char* id;
  const char* text;
  const char* source;
  Because (*because)(const Situation&);
  bool against = false;
};

template <const char* const& Id>
Because cause_is(const Situation& s) {
  return cause(s, Id);
}

constexpr const char* kSlowFilter = "slow_texture_filter";
constexpr const char* kHitRate = "poor_hit_rate";
constexpr const char* kLatency = "memory_latency";
constexpr const char* kTextureLatency = "texture_latency";
constexpr const char* kVertexFetch = "vertex_fetch";
constexpr const char* kOccupancy = "low_occupancy";
constexpr const char* kStarved = "starved_fragments";
constexpr const char* kPreemption = "preemption";

constexpr Record kRecords[] = {
    {"compact_indirect_draws",
     "remove culled draws from the indirect list (compact it, or use a count buffer) instead of "
     "setting instanceCount to 0",
     kTilerJobs, empty_draws},
    {"draw_id_for_base_instance",
     "index per-draw data by gl_DrawID with a remap buffer instead of gl_BaseInstance in indirect "
     "draws",
     kTilerJobs, empty_draws},
    {"merge_tiny_draws", "merge tiny draws", kTilerJobs, empty_draws},

    {"vertex_memory", "read fewer bytes a vertex: geometry waits for memory here", kCalibration,
     geometry_memory},
    {"fewer_vertices", "draw fewer vertices: coarser levels of detail, culling before submission",
     kCalibration, geometry},
    {"vertex_format", "pack vertices into a smaller format", kCalibration, geometry},
    {"position_stream",
     "keep positions in a stream of their own, so that culled triangles read nothing else",
     kCalibration, geometry},
    {"attribute_precision", "store attributes at lower precision (16-bit or normalised integers)",
     kCalibration, geometry},
    {"no_depth_prepass",
     "try without the depth prepass: it processes the scene's geometry a second time", kCalibration,
     prepass},

    {"simpler_lighting", "do less arithmetic a fragment: fewer lights, cheaper lighting terms",
     kCalibration, shading_arithmetic},
    {"blinn_phong", "replace physically based shading by Blinn-Phong where it does not show",
     kCalibration, shading_arithmetic},
    {"half_precision",
     "use 16-bit precision for what a fragment interpolates, and check that it survives the "
     "shader's translation",
     kCounters, interpolation},
    {"cheaper_textures", "sample fewer textures, with bilinear filters and narrower formats",
     kPeaks, textures_limit},
    {"early_depth", "draw near objects first and less behind them: depth tests alone fill the time",
     kCalibration, early_zs},
    {"late_depth",
     "avoid discard and shader writes to depth or the sample mask, which keep fragments from being "
     "rejected early",
     kCounters, late_zs},
    {"buffer_reads", "move reads that all threads share from storage to uniform buffers", kPeaks,
     load_store},
    {"depth_target_bytes", "write fewer bytes of depth: a smaller target, 16 bits, fewer updates",
     kTiles, depth_writes},
    {"load_store_ops",
     "store only what is read later and load only what is not drawn over: every other attachment "
     "gets DONT_CARE",
     kTiles, loads_and_stores},

    {"fewer_bloom_taps", "take fewer samples in the bloom's kernel", kCalibration,
     full_screen_textures},
    {"no_bloom", "leave the bloom out on this class of device", kCalibration, full_screen_textures},
    {"formula_for_table", "grade colours by a formula instead of a lookup texture", kCalibration,
     formula},
    {"table_for_formula", "look up in a small texture what full-screen shaders compute", kPeaks,
     table},
    {"fewer_effects", "run fewer post-processing effects", kCalibration, full_screen},
    {"fold_into_materials",
     "do the post-processing at the end of the materials' shaders and drop its pass", kCalibration,
     fold},

    {"fewer_state_changes", "change state less often: sort draws by pipeline and resources",
     kCalibration, all_low},
    {"batching", "put more into each draw: instancing, merged meshes", kCalibration, all_low},
    {"larger_objects", "draw objects that cover more of the screen; skip those of a few pixels",
     kCalibration, all_low},
    {"cheaper_filter", "filter bilinearly; trilinear and 3D textures take twice the cycles", kPeaks,
     cause_is<kSlowFilter>},
    {"locality", "read nearer texels together: mipmaps, compressed and smaller textures", kPeaks,
     cause_is<kHitRate>},
    {"hide_latency", "read less from memory at once, or give the GPU other work beside it", kPeaks,
     cause_is<kLatency>},
    {"texture_latency", "depend less on fetched values: fewer chained or scattered lookups", kPeaks,
     cause_is<kTextureLatency>},
    {"index_16_bit", "use 16-bit indices and narrower vertices", kPeaks, cause_is<kVertexFetch>},
    {"fewer_registers", "use fewer registers a thread: more than 32 halve the threads in flight",
     kCounters, cause_is<kOccupancy>},
    {"feed_fragments", "make draws larger and switch less between them: cores wait for fragments",
     kPeaks, cause_is<kStarved>},
    {"preemption", "find what interrupts the GPU: other contexts of higher priority", kPeaks,
     cause_is<kPreemption>},

    {"cpu_calls",
     "measure on the CPU what the frame waits for: mapping and updating resources, creating and "
     "destroying objects, fences and queue waits, flushes",
     kPeaks, idle},
    {"fewer_submits", "submit all command buffers of a frame in as few calls as possible", kPeaks,
     idle},
    {"spare_clock",
     "the clock would rise if there were more work: times here are longer than they must be",
     kCalibration, slow_clock, true},

    {"not_textures", "textures are not worth work here", kCalibration, not_textures, true},
    {"not_shaders", "simpler shaders gain nothing here", kPeaks, not_shaders, true},
    {"not_vertices", "fewer or smaller vertices gain nothing here", kPeaks, not_vertices, true},
    {"not_worth", "units far below the limiter are not worth work", kPeaks, not_worth, true},
};

}  // namespace

std::vector<Advice> advise(const Situation& situation) {
  std::vector<Advice> out;
  for (const Record& record : kRecords) {
    if (auto because = record.because(situation)) {
      out.push_back({record.id, record.text, record.source, situation.where, std::move(*because),
                     record.against});
    }
  }
  return out;
}

Situation situation_of(const Segment& segment, std::string where) {
  Situation out;
  out.where = std::move(where);
  out.work = segment.work;
  out.limiters = segment.limiters;
  out.kind = segment.kind;
  out.units = segment.units;
  return out;
}

AdviceText advice_text(std::string_view id) {
  for (const Record& record : kRecords) {
    if (record.id == id) return {record.id, record.text, record.source};
  }
  throw std::out_of_range("no advice " + std::string(id));
}

std::vector<AdviceText> advice_catalogue() {
  std::vector<AdviceText> out;
  for (const Record& record : kRecords) out.push_back({record.id, record.text, record.source});
  return out;
}

}  // namespace tilebound::analyze
