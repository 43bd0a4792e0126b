#include "analyze/compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

#include "analyze/compare/steps.h"
#include "base/statistics.h"

namespace tilebound::analyze {

namespace {

constexpr const char* kActive[] = {"MaliGPUActiveCy", "MaliGPUAnyQueueActiveCy"};
constexpr const char* kFragment[] = {"MaliFragQueueActiveCy", "MaliMainQueueActiveCy",
                                     "MaliFragActiveCy", "MaliMainActiveCy"};
constexpr const char* kNonFragment[] = {"MaliNonFragQueueActiveCy", "MaliBinningQueueActiveCy",
                                        "MaliNonFragActiveCy"};

std::optional<double> average(std::span<const Run> runs, const std::string& key) {
  std::vector<double> values;
  for (const Run& run : runs) {
    const RunCounter* counter = run.find(key);
    if (counter == nullptr || !counter->average) return std::nullopt;
    values.push_back(*counter->average);
  }
  return base::mean(values);
}

bool everywhere(std::span<const Run> runs, const std::string& key) {
  return std::all_of(runs.begin(), runs.end(),
                     [&](const Run& run) { return run.find(key) != nullptr; });
}

CounterRow row_of(const Pair& pair, const RunCounter& counter) {
  CounterRow row{counter.key,      counter.id, counter.name, counter.unit, counter.derived,
                 counter.per_core, {},         {},           {},           false};
  for (const Run& run : pair.b()) row.per_core = row.per_core || run.find(counter.key)->per_core;
  if (counter.derived) {
    row.a = average(pair.a(), counter.key);
    row.b = average(pair.b(), counter.key);
    if (row.a && row.b && *row.a != 0) {
      const double ratio = *row.b / *row.a;
      row.ratio = Estimate{ratio, 0, ratio, ratio};
    }
    return row;
  }
  const Change change = pair.change(counter.key);
  if (!change.known) return row;
  row.a = change.a;
  row.b = change.b;
  row.ratio = change.ratio;
  row.significant = change.significant;
  return row;
}

void make_table(const Pair& pair, Comparison& out) {
  for (const RunCounter& counter : pair.a().front().counters) {
    if (!everywhere(pair.a(), counter.key) || !everywhere(pair.b(), counter.key)) {
      out.only_a.push_back(counter.name);
    } else {
      out.counters.push_back(row_of(pair, counter));
    }
  }
  for (const RunCounter& counter : pair.b().front().counters) {
    if (!everywhere(pair.a(), counter.key)) out.only_b.push_back(counter.name);
  }
  std::stable_sort(out.counters.begin(), out.counters.end(),
                   [](const CounterRow& x, const CounterRow& y) {
                     if (x.derived != y.derived) return y.derived;
                     return !x.derived && x.a.value_or(-1) > y.a.value_or(-1);
                   });
}

Gap make_gap(const Pair& pair) {
  Gap gap;
  gap.fps_a = 1000 / pair.mean_a(kFrameKey);
  gap.fps_b = 1000 / pair.mean_b(kFrameKey);
  gap.fps_ratio = gap.fps_a / gap.fps_b;
  const Change active = pair.change(active_key(pair));
  gap.gpu_active_ratio = active.ratio;
  gap.gpu_active_significant = active.significant;
  return gap;
}

std::vector<UnitPair> unit_pairs(const Run& a, const Run& b) {
  std::vector<UnitPair> out;
  for (const UnitLoad& unit : a.analysis.units) {
    const auto other =
        std::find_if(b.analysis.units.begin(), b.analysis.units.end(),
                     [&](const UnitLoad& candidate) { return candidate.id == unit.id; });
    if (other == b.analysis.units.end()) continue;
    if (!unit.active_percent && !other->active_percent) continue;
    out.push_back({unit.id, unit.label, unit.active_percent, other->active_percent});
  }
  return out;
}

std::string summary_of(const Comparison& c) {
  if (!c.gap.gpu_active_ratio) return "GPU-active cycles are not recorded in both: gap unknown";
  const double ratio = c.gap.gpu_active_ratio->value;
  if (c.ablation && c.ablation->gpu_ms) {
    const Estimate& ms = *c.ablation->gpu_ms;
    return fmt::format("{} costs {:.3f} ms of GPU time per frame (95 %: {:.3f} to {:.3f})",
                       c.ablation->label, ms.value, ms.low, ms.high);
  }
  if (!c.judged) {
    return fmt::format(
        "B takes {:.3f}x the GPU cycles of A per frame; too few frames to tell that "
        "from noise",
        ratio);
  }
  if (!c.gap.gpu_active_significant) {
    return fmt::format("no difference in GPU cycles per frame beyond noise ({:.4f}x)", ratio);
  }
  std::string out = ratio > 1 ? fmt::format("B takes {:.3f}x the GPU cycles of A per frame", ratio)
                              : fmt::format(
                                    "A is the slower one: it takes {:.3f}x the GPU cycles "
                                    "of B per frame (B/A {:.3f})",
                                    1 / ratio, ratio);
  if (c.split.gap_ms) out += fmt::format(", {:+.3f} ms", *c.split.gap_ms);
  return out;
}

void add_notes(const Pair& pair, Comparison& out) {
  if (!pair.judged()) {
    model::add_note(out.notes, "too_few_frames", model::Severity::warning,
                    "too few frames (or windows) for their spread to tell change from noise: "
                    "nothing is significant");
  }
  if (pair.a().front().content == pair.b().front().content) {
    model::add_note(out.notes, "same_capture", model::Severity::warning,
                    "A and B hold the same values: is it one capture twice?");
  }
  if (pair.rate_uncertainty() > 0) {
    model::add_note(out.notes, "rate_rounded", model::Severity::info,
                    fmt::format("values per frame by the given rates, whose last digit leaves "
                                "{:.2f} % open",
                                100 * pair.rate_uncertainty()));
  }
}

}  // namespace

std::string_view first_key(const Pair& pair, std::span<const char* const> names) {
  for (const char* name : names) {
    if (pair.has(name)) return name;
  }
  return {};
}

std::string_view active_key(const Pair& pair) {
  return first_key(pair, kActive);
}
std::string_view fragment_key(const Pair& pair) {
  return first_key(pair, kFragment);
}
std::string_view non_fragment_key(const Pair& pair) {
  return first_key(pair, kNonFragment);
}

Comparison compare(std::span<const Run> a, std::span<const Run> b, const CompareOptions& options) {
  const Pair pair(a, b, options.seed);
  Comparison out;
  out.judged = pair.judged();
  out.critical = pair.critical();
  out.counters_judged = pair.counters_judged();
  make_table(pair, out);
  out.gap = make_gap(pair);
  out.guards = guards(pair, options, out.only_a, out.only_b);
  const auto scene = std::find_if(out.guards.begin(), out.guards.end(),
                                  [](const Guard& g) { return g.id == "same_scene"; });
  const bool differ = scene != out.guards.end() && scene->holds == false && !options.same_scene &&
                      options.ablation.empty();
  if (!options.ablation.empty()) out.ablation = ablate(pair, options.ablation);
  if (differ) {
    out.no_reading = "different scenes: counters of different scenes cannot be compared";
  } else {
    Reading reading = read_gap(pair, options);
    out.reading = std::move(reading.steps);
    out.causes = std::move(reading.causes);
  }
  out.split = split_gap(pair, out.causes);
  if (differ) out.split.remainder_ms.reset();
  std::stable_sort(out.causes.begin(), out.causes.end(), [](const GapCause& x, const GapCause& y) {
    return std::abs(x.ms.value_or(0)) > std::abs(y.ms.value_or(0));
  });
  out.units = unit_pairs(a.front(), b.front());
  out.summary = summary_of(out);
  add_notes(pair, out);
  return out;
}

}  // namespace tilebound::analyze
