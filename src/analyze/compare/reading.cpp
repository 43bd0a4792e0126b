#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analyze/compare/steps.h"

/// Section by section, from the whole frame down to instructions. A step speaks only of what the
/// steps before it have not explained: whatever an extra pass brings with it is no second cause.
namespace tilebound::analyze {

namespace {

constexpr const char* kFragmentJobs = "MaliFragQueueJob";
constexpr const char* kFragmentTasks = "MaliFragQueueTask";
constexpr const char* kOtherJobs = "MaliNonFragQueueJob";
constexpr const char* kVaryings = "MaliGeomVarShadTask";
constexpr const char* kTiler = "MaliTilerActiveCy";
constexpr const char* kWarps = "MaliFragWarp";
constexpr const char* kOtherWarps = "MaliNonFragWarp";
constexpr const char* kPartial = "MaliFragRastPartQd";
constexpr const char* kEarlyTested = "MaliFragEZSTestQd";
constexpr const char* kEarlyKilled = "MaliFragEZSKillQd";
constexpr const char* kLateTested = "MaliFragLZSTestQd";
constexpr const char* kOccluders = "MaliFragOpaqueQd";
constexpr const char* kManyRegisters = "MaliCoreAllRegsWarp";
constexpr const char* kConstantTiles = "MaliFragTileKill";
constexpr const char* kTileWrites = "MaliSCBusTileWrBt";
constexpr const char* kExternalWrites = "MaliExtBusWrBt";
constexpr const char* kExternalReads = "MaliExtBusRdBt";
constexpr const char* kTileLoads = "MaliSCBusFFEL2RdBt";
constexpr const char* kTexture = "MaliTexOutMsg";
constexpr const char* kTextureCycles = "MaliTexFiltIssueCy";
constexpr const char* kTextureReads = "MaliSCBusTexL2RdBt";
constexpr const char* kTextureExternal = "MaliSCBusTexExtRdBt";
constexpr const char* kVary32 = "MaliVar32IssueSlot";
constexpr const char* kVary16 = "MaliVar16IssueSlot";
constexpr const char* kBlendShader = "MaliEngSWBlendInstr";

/// Beats of 16 bytes that a tile of 16 x 16 pixels of 4 bytes takes.
constexpr double kBeatsATile = 64;
/// Tile writes that grow by less than this of A's, once passes are accounted for, are no finding.
constexpr double kWriteBackShare = 0.02;
constexpr double kNearlyAll = 0.75;
/// The tiler's time is its own where it moves by this many times the fragment queue's.
constexpr double kOwnTilerTime = 3;
/// What a tile of an extra pass may store: colour and depth of 4 bytes.
constexpr double kStoredAttachments = 2;

std::string change_words(const Change& c) {
  if (!c.known) return "not recorded";
  if (c.ratio) return fmt::format("{:.3f}x", c.ratio->value);
  return c.b == 0 ? "0 in both" : "only in B";
}

std::optional<double> ratio_of(const Change& c) {
  return c.ratio ? std::optional<double>(c.ratio->value) : std::nullopt;
}

/// Pixels along a tile of the hardware's tile counter: 16, 32 from Mali-G710 on; later ones count
/// in more than one size.
std::optional<double> counted_tile(const std::string& gpu_key) {
  static constexpr std::string_view kLarge[] = {"G710", "G610", "G510", "G310", "G715", "G615"};
  static constexpr std::string_view kUnsure[] = {"G720", "G620", "G725", "G625", "G1"};
  const auto among = [&gpu_key](std::span<const std::string_view> keys) {
    return std::find(keys.begin(), keys.end(), gpu_key) != keys.end();
  };
  if (among(kLarge)) return 32;
  if (among(kUnsure)) return std::nullopt;
  return 16;
}

class Reader {
 public:
  Reader(const Pair& pair, const CompareOptions& options) : pair_(pair), options_(options) {}

  Reading read() {
    look();
    gap();
    queues();
    geometry();
    tiles();
    rasterized_quads();
    late_zs();
    early_zs();
    texture_quads();
    partial_quads();
    occluders();
    registers();
    write_back();
    constant_tiles();
    reads();
    instruction_mix();
    interpolation();
    return std::move(out_);
  }

 private:
  ReadingStep& step(const char* id, const char* title) {
    out_.steps.push_back({id, title, std::nullopt, "", {}});
    return out_.steps.back();
  }
  void cause(const char* id, std::string title, GapQueue queue,
             std::initializer_list<const char*> keys) {
    GapCause cause{id, std::move(title), queue, {}, {}, {}, 0, {}};
    for (const char* key : keys) {
      if (!pair_.has(key)) continue;
      cause.work.emplace_back(key, pair_.mean_b(key) - pair_.mean_a(key));
    }
    out_.causes.push_back(std::move(cause));
  }

  /// Counters of shader cores are the whole GPU's only where the number of cores is known.
  bool whole_gpu(const char* key) const {
    return !pair_.a().front().find(key)->per_core && !pair_.b().front().find(key)->per_core;
  }

  void look() {
    tiles_ = pair_.change(kTiles);
    quads_ = pair_.change(kQuads);
    warps_ = pair_.change(kWarps);
    late_ = pair_.change(kLateTested);
    early_kill_ = pair_.share(kEarlyKilled, kEarlyTested);
    jobs_ = pair_.change(kFragmentJobs);
    tasks_ = pair_.change(kFragmentTasks);
    other_warps_ = pair_.change(kOtherWarps);
    // A pass whose tiles shrink has more of them in as many tasks.
    smaller_tiles_ = tiles_.significant && tasks_.known && tasks_.equal(kLeastChange);
    passes_differ_ = (tiles_.significant && !smaller_tiles_) || jobs_.significant;
    quads_equal_ = quads_.equal(kLeastChange) && !passes_differ_;
    // Shader work can be compared in sum where as many warps ran.
    const bool fragment_equal = warps_.known ? warps_.equal(kLeastChange) : quads_equal_;
    const bool other_equal = !other_warps_.known || other_warps_.equal(kLeastChange);
    shading_equal_ = fragment_equal && other_equal;
  }

  void gap() {
    ReadingStep& s = step("gap", "Size of the gap");
    const Change active = pair_.change(active_key(pair_));
    const Change frame = pair_.change(kFrameKey);
    s.numbers = {{"gpu_active_ratio", ratio_of(active)},
                 {"fps_ratio", ratio_of(frame)},
                 {"gpu_active_a", active.known ? std::optional(active.a) : std::nullopt},
                 {"gpu_active_b", active.known ? std::optional(active.b) : std::nullopt}};
    if (!active.known || !pair_.judged()) {
      s.conclusion = active.known ? "too few frames to tell from noise"
                                  : "GPU-active cycles are not recorded in both captures";
      return;
    }
    s.applies = active.significant;
    if (!active.significant) {
      s.conclusion =
          fmt::format("GPU cycles per frame are equal within noise ({})", change_words(active));
      return;
    }
    s.conclusion = fmt::format(
        "B takes {} the GPU cycles of A per frame; its frames take {} the "
        "time",
        change_words(active), change_words(frame));
    const double apart = std::abs(active.ratio->value / frame.ratio->value - 1);
    s.conclusion += apart < 0.05
                        ? ", which agrees: the GPU sets the frame rate"
                        : ", which does not agree: something else than the GPU sets the frame rate";
  }

  void queues() {
    ReadingStep& s = step("fragment_or_non_fragment", "Fragment or non-fragment work");
    const Change fragment = pair_.change(fragment_key(pair_));
    const Change other = pair_.change(non_fragment_key(pair_));
    s.numbers = {{"fragment_ratio", ratio_of(fragment)}, {"non_fragment_ratio", ratio_of(other)}};
    if (!fragment.known || !other.known || !pair_.judged()) {
      s.conclusion = "active cycles of both queues are needed";
      return;
    }
    s.applies = fragment.significant || other.significant;
    const std::string words =
        fmt::format("fragment {}, non-fragment {}", change_words(fragment), change_words(other));
    s.conclusion = fragment.significant && other.significant ? "both queues differ: " + words
                   : fragment.significant ? "the gap is in fragment work: " + words
                   : other.significant    ? "the gap is in vertex, tiling or compute work: " + words
                                          : "neither queue differs beyond noise: " + words;
  }

  void geometry() {
    ReadingStep& s = step("geometry_identity", "Geometry and vertex shading");
    const std::pair<const char*, const char*> all[] = {{kTriangles, "input triangles"},
                                                       {kVisible, "visible primitives"},
                                                       {kPositions, "position shading"},
                                                       {kVaryings, "varying shading"},
                                                       {kOtherWarps, "non-fragment warps"},
                                                       {kOtherJobs, "non-fragment jobs"},
                                                       {kTiler, "tiler cycles"}};
    std::vector<std::string> differ;
    bool any = false;
    bool primitives_equal = true;
    for (const auto& [key, name] : all) {
      const Change c = pair_.change(key);
      s.numbers.emplace_back(key, ratio_of(c));
      if (!c.known) continue;
      any = true;
      const std::string_view which = key;
      const bool primitives = which == kTriangles || which == kVisible || which == kPositions;
      if (c.significant && primitives) primitives_equal = false;
      if (which == kTiler && !tiler_differs()) continue;
      if (c.significant) differ.push_back(fmt::format("{} {}", name, change_words(c)));
    }
    if (!any || !pair_.judged()) {
      s.conclusion = "no geometry counter in both captures";
      return;
    }
    s.applies = differ.empty();
    if (differ.empty()) {
      s.conclusion = "identical: look only at fragment work";
      return;
    }
    s.conclusion = fmt::format("not identical: {}", fmt::join(differ, ", "));
    geometry_causes(primitives_equal);
  }

  /// Fragment work that shares the memory stretches the tiler's time, but by less than its own.
  bool tiler_differs() const {
    const Change tiler = pair_.change(kTiler);
    const Change fragment = pair_.change(fragment_key(pair_));
    const auto moved = [](const Change& c) { return c.ratio ? std::abs(c.ratio->value - 1) : 0.0; };
    return tiler.significant &&
           (!fragment.significant || moved(tiler) > kOwnTilerTime * moved(fragment));
  }

  void geometry_causes(bool primitives_equal) {
    const Change jobs = pair_.change(kOtherJobs);
    const Change varyings = pair_.change(kVaryings);
    if (!primitives_equal) {
      cause("geometry", "more geometry", GapQueue::non_fragment,
            {kTriangles, kVisible, kPositions, kVaryings, kOtherWarps, kOtherJobs});
      return;
    }
    if (other_warps_.significant && (!varyings.known || varyings.equal(kLeastChange))) {
      cause("compute_work", "compute work differs at equal geometry", GapQueue::non_fragment,
            {kOtherWarps, kOtherJobs});
    } else if (varyings.significant) {
      cause("varying_shading", "varying shading differs at equal visible primitives",
            GapQueue::non_fragment, {kVaryings, kOtherWarps});
    } else if (jobs.significant && !passes_differ_) {
      cause("draw_calls", "draw calls differ at equal geometry: empty, split or indirect draws",
            GapQueue::non_fragment, {kOtherJobs, kTiler});
    } else if (tiler_differs()) {
      cause("tiler_path",
            "the tiler takes longer for equal geometry: base instance, indirect or "
            "tiny draws",
            GapQueue::non_fragment, {kTiler});
    }
  }

  /// Tiles of one screen; nothing where the resolution or the counter's unit is not known.
  std::optional<double> screen_tiles() const {
    const auto edge = counted_tile(pair_.a().front().analysis.device.gpu_key);
    if (!options_.resolution || !edge) return std::nullopt;
    return std::ceil(options_.resolution->width / *edge) *
           std::ceil(options_.resolution->height / *edge);
  }
  std::optional<double> screen_quads() const {
    if (!options_.resolution) return std::nullopt;
    return options_.resolution->width / 4.0 * options_.resolution->height;
  }

  void tiles() {
    ReadingStep& s = step("tiles", "Tiles: passes per frame");
    s.numbers = {{"ratio", ratio_of(tiles_)}, {"fragment_jobs_ratio", ratio_of(jobs_)}};
    if (!tiles_.known || !pair_.judged()) {
      s.conclusion = "tiles are not recorded in both captures";
      return;
    }
    s.numbers.emplace_back("tiles_a", tiles_.a);
    s.numbers.emplace_back("tiles_b", tiles_.b);
    const auto screen = screen_tiles();
    const bool absolute = whole_gpu(kTiles);
    const double delta = tiles_.b - tiles_.a;
    std::optional<double> k;
    if (screen && absolute) k = delta / *screen;
    s.numbers.emplace_back("extra_passes", k);
    if (jobs_.known) s.numbers.emplace_back("extra_fragment_jobs", jobs_.b - jobs_.a);
    if (smaller_tiles_) {
      s.applies = true;
      s.conclusion = fmt::format(
          "tiles {} in as many fragment tasks: the tiles of a pass {}, since "
          "its attachments take {} bits a pixel",
          change_words(tiles_), delta > 0 ? "shrank" : "grew", delta > 0 ? "more" : "fewer");
      cause("tile_size", "another tile size: attachments outgrow the tile memory",
            GapQueue::fragment, {kTiles, kTileWrites});
      return;
    }
    s.applies = passes_differ_;
    if (!passes_differ_) {
      s.conclusion = fmt::format("equal ({}): the same passes per frame", change_words(tiles_));
      return;
    }
    const char* more = delta > 0 || (!tiles_.significant && jobs_.b > jobs_.a) ? "more" : "fewer";
    s.conclusion = fmt::format("tiles {}", change_words(tiles_));
    if (k) {
      s.conclusion += fmt::format(": about {:.2f} {} full-screen pass{} per frame", std::abs(*k),
                                  more, std::abs(std::abs(*k) - 1) < 0.25 ? "" : "es");
    } else if (!absolute) {
      s.conclusion += "; how many passes that is needs the number of cores (--cores)";
    } else if (!options_.resolution) {
      s.conclusion += "; how many full-screen passes that is needs --resolution";
    }
    if (jobs_.known) s.conclusion += fmt::format("; {:+.2f} fragment jobs", jobs_.b - jobs_.a);
    const std::string kind = pass_kind(delta);
    s.conclusion += ". " + kind;
    cause("extra_passes", fmt::format("{} passes per frame", more), GapQueue::fragment,
          {kFragmentJobs, kTiles, kQuads, kEarlyTested, kLateTested, kWarps, kTileWrites,
           kTileLoads, kTexture, kTextureCycles, kExternalWrites, kExternalReads});
  }

  /// What the other counters say of the extra passes.
  std::string pass_kind(double tiles) {
    const double pixels = tiles * 256;
    const auto delta = [&](const char* key) -> std::optional<double> {
      if (!pair_.has(key)) return std::nullopt;
      return pair_.mean_b(key) - pair_.mean_a(key);
    };
    const auto quads = delta(kQuads);
    const auto warps = delta(kWarps);
    const auto loads = delta(kTileLoads);
    const bool loaded = loads && tiles > 0 && *loads > 0.5 * kBeatsATile * tiles;
    if (!quads || tiles <= 0) {
      return "Candidates: a clear pass of its own, a pass split by an upload or barrier, a blit, "
             "copy or clear outside a pass";
    }
    const double screens = *quads * 4 / pixels;
    if (screens < 0.1) {
      return loaded ? "Hardly any quads but tiles are loaded: a pass split by an upload or barrier "
                      "in its middle"
                    : "Hardly any quads: a pass that only clears, or a clear outside a pass";
    }
    if (warps && *warps * 16 < 0.1 * pixels) {
      return fmt::format("{:.1f} layers of quads without shading: a depth-only pass", screens);
    }
    const auto texture = delta(kTexture);
    if (std::abs(screens - 1) < 0.15 && texture && *texture > 0.8 * *quads) {
      return "One layer of textured quads: a blit or copy outside a pass, or a full-screen effect";
    }
    return fmt::format("{:.1f} layers of shaded quads: a pass that draws{}", screens,
                       loaded ? ", on tiles that it loads" : "");
  }

  void rasterized_quads() {
    ReadingStep& s = step("rasterized_quads", "Rasterised quads");
    s.numbers = {{"ratio", ratio_of(quads_)}};
    if (!quads_.known || !pair_.judged()) {
      s.conclusion = "rasterised quads are not recorded in both captures";
      return;
    }
    const double delta = quads_.b - quads_.a;
    std::optional<double> n;
    if (screen_quads() && whole_gpu(kQuads)) n = delta / *screen_quads();
    s.numbers.emplace_back("extra_full_screen_draws", n);
    if (passes_differ_) {
      s.conclusion =
          fmt::format("{}, which goes with the passes: cannot be told apart", change_words(quads_));
      return;
    }
    s.applies = quads_.significant;
    if (!quads_.significant) {
      s.conclusion = fmt::format("equal ({})", change_words(quads_));
      return;
    }
    s.conclusion = fmt::format("{} at equal tiles", change_words(quads_));
    if (n)
      s.conclusion += fmt::format(": {:.2f} full screens of quads {}", std::abs(*n),
                                  delta > 0 ? "more" : "less");
    if (late_.rose() && delta > 0) {
      in_pass_clear_ = true;
      s.conclusion +=
          "; late ZS rises with them: clears inside passes (each costs a screen of "
          "quads) or full-screen draws that need late ZS";
      cause("in_pass_clear", "clears or full-screen draws inside passes", GapQueue::fragment,
            {kQuads, kEarlyTested, kLateTested, kWarps, kTexture});
    } else {
      s.conclusion += delta > 0 ? ": full-screen draws inside passes, or more overdraw"
                                : ": fewer draws or less overdraw";
      cause("extra_quads", "full-screen draws or overdraw inside passes", GapQueue::fragment,
            {kQuads, kEarlyTested, kWarps, kTexture});
    }
  }

  void late_zs() {
    ReadingStep& s = step("late_zs", "Late ZS");
    const Change share = pair_.share(kLateTested, kQuads);
    s.numbers = {{"ratio", ratio_of(late_)}, {"share_ratio", ratio_of(share)}};
    if (!late_.known || !pair_.judged()) {
      s.conclusion = "late ZS is not recorded in both captures";
      return;
    }
    if (passes_differ_ && late_.significant) {
      s.conclusion = fmt::format("{}, which may belong to the passes", change_words(late_));
      return;
    }
    s.applies = late_.significant;
    if (!late_.significant) {
      s.conclusion = fmt::format("equal ({})", change_words(late_));
      return;
    }
    if (in_pass_clear_) {
      s.conclusion = fmt::format("{}, with the quads of the clears", change_words(late_));
      return;
    }
    s.conclusion = fmt::format(
        "{} at {} quads: {} lost the early depth test: shaders with discard, "
        "gl_FragDepth or gl_SampleMask, or clears as shader draws",
        change_words(late_), quads_equal_ ? "equal" : "other",
        late_.b > late_.a ? "fragments" : "A's fragments");
    cause("late_zs", "depth tested late", GapQueue::fragment, {kLateTested, kWarps});
    late_differs_ = true;
  }

  void early_zs() {
    ReadingStep& s = step("early_zs", "Early ZS kills");
    s.numbers = {{"kill_share_ratio", ratio_of(early_kill_)}};
    if (!early_kill_.known || !pair_.judged()) {
      s.conclusion = "early ZS is not recorded in both captures";
      return;
    }
    if (!quads_equal_) {
      s.conclusion = "rasterised quads or passes differ: cannot be told apart";
      return;
    }
    const bool changed = early_kill_.significant;
    s.applies = changed && !late_differs_;
    if (!*s.applies) {
      s.conclusion = changed ? fmt::format("{} of the tested quads, which goes with late ZS",
                                           change_words(early_kill_))
                             : "equal share of tested quads";
      return;
    }
    s.conclusion = fmt::format(
        "{} of the tested quads at equal visible primitives: {}", change_words(early_kill_),
        early_kill_.b < early_kill_.a
            ? "draws reach the GPU less front to back, or without depth writes"
            : "draws reach the GPU more front to back");
    cause("early_zs", "early depth test kills another share", GapQueue::fragment,
          {kWarps, kTexture, kTextureCycles});
    early_differs_ = true;
  }

  void texture_quads() {
    ReadingStep& s = step("texture_quads", "Texture quads per shaded quad");
    const Change all = pair_.change(kTexture);
    const Change share = pair_.share(kTexture, pair_.has(kWarps) ? kWarps : kQuads);
    const Change filter = pair_.share(kTextureCycles, kTexture);
    const Change l2 = pair_.share(kTextureReads, kTexture);
    const Change external = pair_.share(kTextureExternal, kTexture);
    s.numbers = {{"ratio", ratio_of(all)},
                 {"per_shaded_quad_ratio", ratio_of(share)},
                 {"filter_cycles_per_quad_ratio", ratio_of(filter)},
                 {"l2_beats_per_quad_ratio", ratio_of(l2)},
                 {"external_beats_per_quad_ratio", ratio_of(external)}};
    if (!all.known || !pair_.judged()) {
      s.conclusion = "texture quads are not recorded in both captures";
      return;
    }
    if (!shading_equal_) {
      s.conclusion = "other quads are shaded: cannot be told apart";
      return;
    }
    s.applies = false;
    s.conclusion = "equal";
    if (all.significant) {
      s.applies = true;
      s.conclusion = fmt::format("{} texture quads for as many shaded quads", change_words(all));
      cause("texture_samples", "texture samples per shaded quad", GapQueue::fragment,
            {kTexture, kTextureCycles, kTextureReads, kExternalReads});
    } else if (filter.significant) {
      s.applies = true;
      s.conclusion =
          fmt::format("as many samples, {} filtering cycles each: another filter or format",
                      change_words(filter));
      cause("texture_filter", "texture filtering cycles per sample", GapQueue::fragment,
            {kTextureCycles, kTextureReads});
    } else if (l2.significant || external.significant) {
      s.applies = true;
      s.conclusion = fmt::format(
          "as many samples, read beats each {} from L2 and {} from external "
          "memory: mipmaps, compression or format",
          change_words(l2), change_words(external));
      cause("texture_memory", "texture bytes per sample", GapQueue::fragment,
            {kTextureReads, kTextureExternal, kExternalReads});
    }
  }

  void partial_quads() {
    ReadingStep& s = step("partial_quads", "Partial quads");
    const Change share = pair_.share(kPartial, kQuads);
    s.numbers = {{"share_ratio", ratio_of(share)}};
    judge_share(s, share, "small or thin triangles leave quads partly covered", [&] {
      cause("partial_quads", "partly covered quads", GapQueue::fragment, {kPartial});
    });
  }

  /// A share of the rasterised quads that counts only where those are equal.
  template <typename Claim>
  void judge_share(ReadingStep& s, const Change& share, const char* meaning, const Claim& claim) {
    if (!share.known || !pair_.judged()) {
      s.conclusion = "not recorded in both captures";
      return;
    }
    if (!quads_equal_) {
      s.conclusion = "rasterised quads or passes differ: cannot be told apart";
      return;
    }
    s.applies = share.significant;
    s.conclusion = share.significant
                       ? fmt::format("{} of as many quads: {}", change_words(share), meaning)
                       : "equal share of the quads";
    if (share.significant) claim();
  }

  void occluders() {
    ReadingStep& s = step("occluder_quads", "Occluder quads (not kills)");
    const Change occluding = pair_.change(kOccluders);
    s.numbers = {{"ratio", ratio_of(occluding)}, {"shaded_ratio", ratio_of(warps_)}};
    if (!occluding.known || !pair_.judged() || !quads_equal_) {
      s.conclusion = occluding.known ? "rasterised quads or passes differ: cannot be told apart"
                                     : "not recorded in both captures";
    } else {
      // Quads that early ZS kills, or that are tested late, do not occlude.
      double elsewhere = 0;
      for (const char* key : {kEarlyKilled, kLateTested}) {
        if (pair_.has(key)) elsewhere += pair_.mean_a(key) - pair_.mean_b(key);
      }
      const double delta = occluding.b - occluding.a;
      const bool explained = std::abs(delta - elsewhere) < 0.5 * std::abs(delta);
      s.applies = occluding.significant && !explained;
      s.conclusion = !occluding.significant ? "equal"
                     : explained            ? "goes with the quads that depth tests leave"
                     : delta < 0            ? fmt::format(
                                                  "{}: fewer opaque quads that can hide others (blending, "
                                                             "alpha to coverage)",
                                                  change_words(occluding))
                                 : fmt::format("{}: more opaque quads", change_words(occluding));
      if (*s.applies) {
        occluders_differ_ = true;
        cause("occluders", "opaque quads that can hide others", GapQueue::fragment,
              {kWarps, kTexture});
      }
    }
    hidden_surfaces();
  }

  /// Shaded quads that neither rasterised ones nor depth tests explain.
  void hidden_surfaces() {
    ReadingStep& s = step("shaded_quads", "Shaded quads");
    s.numbers = {{"ratio", ratio_of(warps_)}};
    if (!warps_.known || !pair_.judged() || !quads_equal_) {
      s.conclusion = warps_.known ? "rasterised quads or passes differ: cannot be told apart"
                                  : "fragment warps are not recorded in both captures";
      return;
    }
    const bool explained = late_differs_ || early_differs_ || occluders_differ_;
    s.applies = warps_.significant && !explained;
    s.conclusion = !warps_.significant ? "equal"
                   : explained
                       ? "goes with the depth tests or occluders"
                       : fmt::format("{} warps for as many quads: forward pixel kill hides {}",
                                     change_words(warps_), warps_.b > warps_.a ? "less" : "more");
    if (*s.applies) {
      cause("pixel_kill", "forward pixel kill hides another share", GapQueue::fragment,
            {kWarps, kTexture, kTextureCycles});
    }
  }

  void registers() {
    ReadingStep& s = step("registers", "Warps with more than 32 registers");
    const Change all = pair_.change(kManyRegisters);
    s.numbers = {{"ratio", ratio_of(all)}};
    if (!all.known || !pair_.judged()) {
      s.conclusion = "not recorded in both captures";
      return;
    }
    if (!shading_equal_) {
      s.conclusion = "other warps run: cannot be told apart";
      return;
    }
    s.applies = all.significant;
    s.conclusion = all.significant
                       ? fmt::format("{} of as many warps: {} of them fit on a core at once",
                                     change_words(all), all.b > all.a ? "half" : "twice")
                       : "equal";
    if (all.significant) {
      cause("registers", "register pressure", GapQueue::fragment, {kManyRegisters});
    }
  }

  /// Beats of tile writes that killed constant tiles save.
  double killed_beats() const {
    if (!pair_.has(kConstantTiles)) return 0;
    return (pair_.mean_a(kConstantTiles) - pair_.mean_b(kConstantTiles)) * kBeatsATile;
  }

  void write_back() {
    ReadingStep& s = step("write_back", "External writes against tile writes");
    const Change writes = pair_.change(kExternalWrites);
    const Change tile = pair_.change(kTileWrites);
    s.numbers = {{"external_write_ratio", ratio_of(writes)}, {"tile_write_ratio", ratio_of(tile)}};
    if (!writes.known || !tile.known || !pair_.judged()) {
      s.conclusion = "external write beats and tile buffer write beats are needed";
      return;
    }
    const double more = writes.b - writes.a;
    const double tile_more = tile.b - tile.a;
    const bool absolute = whole_gpu(kTileWrites);
    s.numbers.emplace_back("external_write_beats_more", more);
    s.numbers.emplace_back("tile_write_beats_more",
                           absolute ? std::optional(tile_more) : std::nullopt);
    s.applies = tile.significant;
    if (!tile.significant) {
      s.conclusion = writes.significant
                         ? fmt::format("external writes {} but tile writes equal: not write-back",
                                       change_words(writes))
                         : "equal";
      return;
    }
    s.conclusion =
        fmt::format("tile writes {}, external writes {}", change_words(tile), change_words(writes));
    if (!absolute) {
      s.conclusion += "; whether one explains the other needs the number of cores (--cores)";
    } else if (more != 0) {
      const double share = tile_more / more;
      s.numbers.emplace_back("explained_share", share);
      s.conclusion +=
          share > kNearlyAll && share < 1 / kNearlyAll
              ? ": the difference is tile write-back"
              : fmt::format(": tile write-back explains {:.0f} % of the difference", 100 * share);
    }
    const double passes =
        passes_differ_ ? (tiles_.b - tiles_.a) * kBeatsATile * kStoredAttachments : 0;
    const double killed = pair_.change(kConstantTiles).significant ? killed_beats() : 0;
    const double rest = tile_more - killed;
    if (!absolute || smaller_tiles_) return;
    // Both signs: what B writes less than A is read from A's side.
    const double sign = tile_more > 0 ? 1 : -1;
    const bool by_passes = sign * rest <= sign * passes && sign * passes > 0;
    const bool by_killed = killed != 0 && sign * rest < kWriteBackShare * tile.a;
    if (by_passes) {
      s.applies = killed != 0;
      s.conclusion +=
          killed != 0 ? "; passes and unchanged tiles account for it" : "; passes account for it";
    } else if (!by_killed) {
      s.conclusion += passes_differ_ ? ", more than passes of two attachments store"
                                     : "; as many tiles, so attachments are stored that were not, "
                                       "or wider ones";
      cause("write_back", "tile write-back: stored attachments", GapQueue::fragment, {});
      out_.causes.back().work = {{kTileWrites, rest}, {kExternalWrites, rest}};
      take_from_passes(rest);
    }
  }

  /// Writes that have a cause of their own are none of the extra passes'.
  void take_from_passes(double beats) {
    for (GapCause& cause : out_.causes) {
      if (cause.id != "extra_passes") continue;
      for (auto& [key, amount] : cause.work) {
        if (key == kTileWrites || key == kExternalWrites) amount -= beats;
      }
    }
  }

  void constant_tiles() {
    ReadingStep& s = step("constant_tiles", "Constant tiles killed");
    const Change killed = pair_.change(kConstantTiles);
    s.numbers = {{"ratio", ratio_of(killed)}};
    if (!killed.known || !pair_.judged()) {
      s.conclusion = "not recorded in both captures";
      return;
    }
    s.numbers.emplace_back("killed_a", killed.a);
    s.numbers.emplace_back("killed_b", killed.b);
    s.applies = killed.significant;
    if (!killed.significant) {
      s.conclusion = killed.a == 0 && killed.b == 0 ? "none in both" : "equal";
      return;
    }
    s.conclusion = fmt::format(
        "{}: {} the elimination of write-back of unchanged tiles. A static scene makes "
        "this large; with a moving camera it is small",
        change_words(killed), killed.b < killed.a ? "B loses" : "B gains");
    cause("lost_elimination", "write-back of unchanged tiles", GapQueue::fragment, {});
    out_.causes.back().work = {{kTileWrites, killed_beats()}, {kExternalWrites, killed_beats()}};
    take_from_passes(killed_beats());
  }

  void reads() {
    ReadingStep& s = step("tile_loads", "Attachments loaded into tiles");
    const Change loads = pair_.change(kTileLoads);
    s.numbers = {{"ratio", ratio_of(loads)}};
    if (!loads.known || !pair_.judged()) {
      s.conclusion = "fragment front-end reads are not recorded in both captures";
      return;
    }
    const Change visible = pair_.change(kVisible);
    if (passes_differ_ || (visible.known && !visible.equal(kLeastChange))) {
      s.conclusion = "passes or primitives differ: cannot be told apart";
      return;
    }
    s.applies = loads.significant;
    s.conclusion = loads.significant
                       ? fmt::format(
                             "{} read beats for as many tiles and primitives: {} "
                             "load their attachments",
                             change_words(loads), loads.b > loads.a ? "passes of B" : "passes of A")
                       : "equal";
    if (loads.significant) {
      cause("tile_loads", "attachments loaded into tiles", GapQueue::fragment,
            {kTileLoads, kExternalReads});
    }
  }

  void instruction_mix() {
    ReadingStep& s = step("instruction_mix", "Instruction mix");
    const std::pair<const char*, const char*> pipes[] = {{"MaliEngFMAInstr", "FMA"},
                                                         {"MaliEngCVTInstr", "CVT"},
                                                         {"MaliEngSFUInstr", "SFU"},
                                                         {"MaliEngInstr", "all"}};
    const std::pair<const char*, const char*> memory[] = {{"MaliLSFullRd", "full reads"},
                                                          {"MaliLSPartRd", "short reads"},
                                                          {"MaliLSFullWr", "full writes"},
                                                          {"MaliLSPartWr", "short writes"},
                                                          {"MaliLSAtomic", "atomics"}};
    std::vector<std::string> arithmetic;
    std::vector<std::string> accesses;
    bool any = false;
    for (const auto& [key, name] : pipes) {
      const Change c = pair_.change(key);
      any = any || c.known;
      s.numbers.emplace_back(std::string(name) + "_ratio", ratio_of(c));
      if (c.significant) arithmetic.push_back(fmt::format("{} {}", name, change_words(c)));
    }
    for (const auto& [key, name] : memory) {
      const Change c = pair_.change(key);
      any = any || c.known;
      if (c.significant) accesses.push_back(fmt::format("{} {}", name, change_words(c)));
    }
    if (!any || !pair_.judged()) {
      s.conclusion = "instructions are not recorded in both captures";
      return;
    }
    if (!shading_equal_) {
      s.conclusion = "other quads or vertices are shaded: cannot be told apart";
      return;
    }
    const Change blend = pair_.change(kBlendShader);
    s.applies = !arithmetic.empty() || !accesses.empty() || blend.significant;
    if (!*s.applies) {
      s.conclusion = "equal for as many shaded quads";
      return;
    }
    std::vector<std::string> words = arithmetic;
    words.insert(words.end(), accesses.begin(), accesses.end());
    s.conclusion =
        fmt::format("{} for as many shaded quads: shader code differs", fmt::join(words, ", "));
    if (blend.significant) {
      s.conclusion += "; blend shaders run: a format that blends in software";
      cause("blend_shader", "blending in software", GapQueue::fragment, {kBlendShader});
    }
    if (!arithmetic.empty()) {
      cause("shader_code", "arithmetic of shaders", GapQueue::either,
            {"MaliEngFMAInstr", "MaliEngCVTInstr", "MaliEngSFUInstr"});
    }
    if (!accesses.empty()) {
      cause("load_store", "load/store accesses of shaders", GapQueue::either,
            {"MaliLSFullRd", "MaliLSPartRd", "MaliLSFullWr", "MaliLSPartWr", "MaliLSAtomic"});
    }
  }

  void interpolation() {
    ReadingStep& s = step("interpolation", "32-bit against 16-bit interpolation");
    const Change full = pair_.change(kVary32);
    const Change half = pair_.change(kVary16);
    s.numbers = {{"ratio_32", ratio_of(full)}, {"ratio_16", ratio_of(half)}};
    if (!full.known || !half.known || !pair_.judged()) {
      s.conclusion = "interpolation is not recorded in both captures";
      return;
    }
    if (!shading_equal_) {
      s.conclusion = "other quads are shaded: cannot be told apart";
      return;
    }
    s.applies = full.significant || half.significant;
    const std::string words =
        fmt::format("32-bit {}, 16-bit {}", change_words(full), change_words(half));
    if (full.rose() && half.fell()) {
      s.conclusion = words +
                     ": B lost mediump; look for a precision qualifier that a translation "
                     "dropped, such as one inside #ifdef GL_ES";
      cause("lost_mediump", "interpolation at full precision", GapQueue::fragment,
            {kVary32, kVary16});
    } else if (full.fell() && half.rose()) {
      s.conclusion = words + ": B has mediump where A lost it";
      cause("lost_mediump", "interpolation at full precision", GapQueue::fragment,
            {kVary32, kVary16});
    } else if (*s.applies) {
      s.conclusion = words + ": another number of varyings";
      cause("varyings", "number of varyings", GapQueue::fragment, {kVary32, kVary16});
    } else {
      s.conclusion = "equal";
    }
  }

  const Pair& pair_;
  const CompareOptions& options_;
  Reading out_;
  Change tiles_;
  Change quads_;
  Change warps_;
  Change late_;
  Change jobs_;
  Change tasks_;
  Change other_warps_;
  Change early_kill_;
  bool smaller_tiles_ = false;
  bool passes_differ_ = false;
  bool quads_equal_ = false;
  bool shading_equal_ = false;
  bool in_pass_clear_ = false;
  bool late_differs_ = false;
  bool early_differs_ = false;
  bool occluders_differ_ = false;
};

}  // namespace

Reading read_gap(const Pair& pair, const CompareOptions& options) {
  return Reader(pair, options).read();
}

}  // namespace tilebound::analyze
