#include "analyze/evidence.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/statistics.h"
#include "devices/catalogue.h"

namespace tilebound::analyze {

namespace {

using model::Severity;

/// An expression worth a sentence beside any verdict, when the capture can evaluate it.
struct Sentence {
  const char* expression;
  const char* text;  // {} is the value
};

constexpr Sentence kSentences[] = {
    {"100 * $MaliFragQueueActiveCy / $MaliGPUActiveCy",
     "fragment queue active for {:.1f} % of busy time"},
    {"100 * $MaliNonFragQueueActiveCy / $MaliGPUActiveCy",
     "non-fragment queue active for {:.1f} % of busy time"},
    {"100 * $MaliTilerActiveCy / $MaliGPUActiveCy",
     "tiler active for {:.1f} % of busy time, waiting included"},
    {"$AdrenoPercentTimeShadingFragments", "{:.1f} % of shading time goes to fragments"},
    {"$AdrenoPercentTimeShadingVertices", "{:.1f} % of shading time goes to vertices"},
    {"$AdrenoPercentTimeCompute", "{:.1f} % of shading time goes to compute"},
    {"$AdrenoPercentTextureFetchStall",
     "shaders stalled on texture fetch for {:.1f} % of busy time"},
    {"$AdrenoPercentShadersStalled", "shaders stalled for {:.1f} % of busy time"},
    {"$AdrenoPercentVertexFetchStall", "stalled on vertex fetch for {:.1f} % of busy time"},
    {"$AdrenoPercentStalledOnSystemMemory", "stalled on system memory for {:.1f} % of busy time"},
    {"$AdrenoPercentTextureL1Miss", "{:.1f} % of texture L1 requests miss"},
    {"$AdrenoPercentTextureL2Miss", "{:.1f} % of texture L2 requests miss"},
    {"$AdrenoPercentLinearFiltered", "{:.1f} % of texture samples are filtered linearly"},
};

std::string describe(const UnitLoad& unit) {
  std::string out = unit.label;
  if (unit.sol_percent) {
    out += fmt::format(" at {:.1f} % of peak", *unit.sol_percent);
    if (unit.active_percent) out += fmt::format(", {:.1f} % while busy", *unit.active_percent);
  } else if (unit.active_percent) {
    out += fmt::format(" at {:.1f} % of peak while busy", *unit.active_percent);
  }
  if (unit.busiest && unit.paths.size() > 1) {
    out += fmt::format(" (its {})", unit.paths[*unit.busiest].label);
  }
  return out;
}

/// Whether the source listed what it could have sampled.
bool advertises(const model::Capture& capture) {
  return std::any_of(capture.counters.begin(), capture.counters.end(),
                     [](const model::Counter& c) { return !c.sampled(); });
}

/// A counter as one would ask a recorder for it: "Texture quads (234)". Nothing when the source
/// listed its counters and this is none of them.
std::optional<std::string> ask_for(const Totals& totals, const std::string& machine_name) {
  const auto* definition = devices::find_counter(machine_name);
  const std::string name = definition != nullptr ? definition->display_name : machine_name;
  const model::Capture& capture = totals.capture();
  for (std::size_t i = 0; i < capture.counters.size(); ++i) {
    const auto* bound = totals.binding().entries[i].definition;
    if (definition != nullptr && bound != nullptr &&
        bound->machine_name == definition->machine_name && capture.counters[i].id) {
      return fmt::format("{} ({})", capture.counters[i].name, *capture.counters[i].id);
    }
  }
  if (advertises(capture)) return std::nullopt;
  if (definition == nullptr) return name;
  const bool stable = totals.binding().id_scheme.find("stable") != std::string::npos;
  const auto id = stable ? definition->stable_id : definition->layout_id(totals.binding().gpu_key);
  return id ? fmt::format("{} ({})", name, *id) : name;
}

void add_unique(std::vector<std::string>& list, std::optional<std::string> text) {
  if (text && std::find(list.begin(), list.end(), *text) == list.end()) {
    list.push_back(std::move(*text));
  }
}

}  // namespace

std::string unit_label(const Analysis& analysis, const std::string& unit_id) {
  for (const UnitLoad& unit : analysis.units) {
    if (unit.id == unit_id) return unit.label;
  }
  return unit_id;
}

void find_evidence(const Totals& totals, Analysis& out) {
  for (const std::string& id : out.verdict.limiters) {
    for (const UnitLoad& unit : out.units) {
      if (unit.id == id) out.evidence.push_back(describe(unit));
    }
  }
  for (const auto& [a, b] : out.verdict.interface_limited) {
    out.evidence.push_back(
        fmt::format("{} and {} are within a point of each other: the interface between them limits",
                    unit_label(out, a), unit_label(out, b)));
  }
  if (const auto idle = out.verdict.idle_percent) {
    out.evidence.push_back(fmt::format("GPU idle for {:.1f} % of the clock's cycles", *idle));
  }
  if (out.clock_summary) {
    std::string text =
        fmt::format("clock {:.0f} MHz on average", out.clock_summary->mean_hz * 1e-6);
    if (out.clock_summary->percent_of_max) {
      text += fmt::format(", {:.1f} % of {:.0f} MHz ({})", *out.clock_summary->percent_of_max,
                          out.clock.max->value * 1e-6, out.clock.max_source);
    }
    out.evidence.push_back(std::move(text));
  }
  for (const Sentence& sentence : kSentences) {
    const auto value =
        devices::Expression::parse(sentence.expression).evaluate(totals.lookup(0, Basis::gpu));
    if (value) out.evidence.push_back(fmt::format(fmt::runtime(sentence.text), *value));
  }
}

void list_missing(const Totals& totals, Analysis& out) {
  for (const UnitLoad& unit : out.units) {
    for (const PathLoad& path : unit.paths) {
      for (const std::string& name : path.missing) {
        const auto* definition = devices::find_counter(name);
        add_unique(out.missing_counters, definition != nullptr ? definition->display_name : name);
      }
    }
    if (unit.percent()) continue;
    // One path is enough to judge a unit: the one that lacks least.
    const auto path = std::min_element(
        unit.paths.begin(), unit.paths.end(),
        [](const PathLoad& a, const PathLoad& b) { return a.missing.size() < b.missing.size(); });
    if (path == unit.paths.end()) continue;
    std::vector<std::string> asks;
    for (const std::string& name : path->missing) add_unique(asks, ask_for(totals, name));
    // Half of an expression's counters settle nothing.
    if (asks.size() < path->missing.size()) continue;
    for (std::string& ask : asks) add_unique(out.record_next, std::move(ask));
  }
  if (!out.activity.active) {
    const bool adreno = out.device.vendor == "qualcomm";
    const std::string active = adreno ? "AdrenoClocksPerSecond" : "MaliGPUActiveCy";
    if (adreno || out.device.vendor == "arm") {
      const auto* definition = devices::find_counter(active);
      if (definition != nullptr) add_unique(out.missing_counters, definition->display_name);
      if (auto ask = ask_for(totals, active)) {
        out.record_next.insert(out.record_next.begin(), std::move(*ask));
      }
    }
  }
  if (out.clock.confidence < 1) {
    add_unique(out.missing_counters, std::string("GPU frequency"));
    add_unique(out.record_next, std::string("GPU frequency (ftrace power/gpu_frequency)"));
  }
}

namespace {

/// Frame begins that spread less than this around their pace follow a timer, not the CPU's work.
constexpr double kTimerSpread = 0.02;

/// A cap or vsync makes an even pace; a CPU that is too slow makes an uneven one.
std::string pace_of(const Frames& frames) {
  std::vector<double> lengths;
  for (std::size_t i = 1; i < frames.list.size(); ++i) {
    lengths.push_back(base::milliseconds(frames.list[i].begin - frames.list[i - 1].begin));
  }
  const auto middle = base::median(lengths);
  if (lengths.size() < 4 || *middle <= 0) return {};
  std::vector<double> off;
  for (const double length : lengths) off.push_back(std::abs(length - *middle));
  const double spread = *base::quantile(off, 0.75);
  return fmt::format("three of four frames begin within {:.2f} ms of a pace of {:.2f} ms, {}",
                     spread, *middle,
                     spread < kTimerSpread * *middle ? "so a cap or vsync waits"
                                                     : "too uneven for a cap, so the CPU is late");
}

}  // namespace

void collect_findings(const Totals& totals, const Options& options, Analysis& out) {
  const auto whole_range = [] { return std::string("analysed range"); };
  if (auto found = busy_without_work(totals, out.activity, out.units, 0, out.frame_ms)) {
    out.findings.push_back(std::move(*found));
  }
  const auto idle = out.activity.idle_percent();
  if (idle && *idle > kIdlePercent) {
    model::Finding f;
    f.id = "gpu_idle";
    f.severity = *idle > kGpuBoundIdlePercent ? Severity::warning : Severity::info;
    f.title = fmt::format("The GPU is idle for {:.1f} % of the time", *idle);
    f.where = whole_range();
    f.evidence.push_back(fmt::format("{} against the clock's cycles ({})",
                                     out.activity.active_counter, out.clock.source));
    if (out.frame_ms) {
      f.saving.ms_per_frame = *out.frame_ms * *idle / 100;
      f.saving.bound = "upper bound: all idle time";
    }
    if (std::string pace = pace_of(out.frames); !pace.empty()) {
      f.evidence.push_back(std::move(pace));
    }
    f.advice = {
        "the CPU, a frame cap or vsync limits at least this share; look at maps, flushes, "
        "object creation and release, waits and the number of submits",
        "if the frame rate is capped on purpose, this is headroom"};
    out.findings.push_back(std::move(f));
  }
  if (out.throttled) {
    model::Finding f;
    f.id = "throttled";
    f.severity = Severity::warning;
    f.title = "The GPU clock falls while the GPU stays busy";
    f.where = whole_range();
    f.evidence.push_back(fmt::format("clock between {:.0f} and {:.0f} MHz",
                                     out.clock_summary->min_hz * 1e-6,
                                     out.clock_summary->max_hz * 1e-6));
    f.advice = {"cool the device, or judge times at one clock only"};
    out.findings.push_back(std::move(f));
  }
  if (options.target_fps && out.frame_ms && out.activity.busy()) {
    const double target_ms = 1000 / *options.target_fps;
    const double busy_ms = *out.frame_ms * *out.activity.busy();
    model::Finding f;
    f.id = busy_ms > target_ms ? "over_budget" : "headroom";
    f.severity = busy_ms > target_ms ? Severity::warning : Severity::info;
    f.title = fmt::format("GPU work of {:.2f} ms a frame against {:.2f} ms for {:g} FPS", busy_ms,
                          target_ms, *options.target_fps);
    f.where = whole_range();
    f.evidence.push_back(
        fmt::format("{:+.2f} ms a frame at the clock as it was", busy_ms - target_ms));
    out.findings.push_back(std::move(f));
  }
  for (const UnitLoad& unit : out.units) {
    if (unit.active_percent.value_or(0) <= 100.5) continue;
    model::Finding f;
    f.id = "above_peak";
    f.severity = Severity::warning;
    f.title = fmt::format("{} is at {:.1f} % of its peak", unit.label, *unit.active_percent);
    f.where = whole_range();
    f.evidence.emplace_back(
        "more than the profile's peak was measured, so the peak is too low here");
    f.advice = {"raise the peak in the device profile to the value seen"};
    out.findings.push_back(std::move(f));
  }
  std::stable_sort(out.findings.begin(), out.findings.end(), [](const auto& a, const auto& b) {
    return a.saving.ms_per_frame.value_or(-1) > b.saving.ms_per_frame.value_or(-1);
  });
}

}  // namespace tilebound::analyze
