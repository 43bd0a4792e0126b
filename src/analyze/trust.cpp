#include "analyze/trust.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

#include "base/statistics.h"
#include "base/text.h"

namespace tilebound::analyze {

namespace {

using model::Severity;

/// Names in one message; the rest is counted.
constexpr std::size_t kNamesShown = 6;
/// An interval this far from the median, as a share, is jitter worth a note.
constexpr double kJitter = 0.25;
/// Shares of samples that make the note a warning.
constexpr double kOftenShare = 0.01;
constexpr double kDriftShare = 0.10;
/// A percentage a little above 100 is rounding.
constexpr double kOverHundred = 100.5;

CounterSummary summarise(const model::Counter& counter, std::size_t index) {
  CounterSummary out;
  out.index = index;
  out.samples = counter.values.size();
  base::Sum sum;
  std::size_t available = 0;
  counter.values.for_each([&](std::size_t, double v) {
    if (std::isnan(v)) {
      ++out.unavailable;
      return;
    }
    sum.add(v);
    ++available;
    out.min = std::min(out.min.value_or(v), v);
    out.max = std::max(out.max.value_or(v), v);
    out.fractional |= v != std::nearbyint(v);
  });
  if (available > 0) {
    out.mean = sum.value() / static_cast<double>(available);
    if (counter.kind == model::CounterKind::count) out.total = sum.value();
  }
  return out;
}

std::string name_of(const model::Counter& counter) {
  if (!counter.id || !counter.named) return counter.name;
  return fmt::format("{} ({})", counter.name, *counter.id);
}

void note_request(const model::Capture& capture, TrustReport& out) {
  const model::CaptureRequest& request = capture.request;
  if (request.gpu_counters && request.counter_ids.empty() && request.counter_names.empty()) {
    model::add_note(out.notes, "no_counter_ids", Severity::warning,
                    "a GPU counter source was configured without counter_ids; most producers "
                    "record nothing then");
  }
  std::vector<std::string> missing;
  for (const std::uint32_t id : request.counter_ids) {
    const auto found = std::find_if(capture.counters.begin(), capture.counters.end(),
                                    [id](const auto& c) { return c.id == id && c.sampled(); });
    if (found == capture.counters.end()) missing.push_back(std::to_string(id));
  }
  for (const std::string& name : request.counter_names) {
    const auto found =
        std::find_if(capture.counters.begin(), capture.counters.end(),
                     [&name](const auto& c) { return c.name == name && c.sampled(); });
    if (found == capture.counters.end() && name.find('*') == std::string::npos) {
      missing.push_back(name);
    }
  }
  if (!missing.empty()) {
    model::add_note(out.notes, "not_sampled", Severity::warning,
                    "asked for but never sampled: " + base::join_some(missing, kNamesShown),
                    missing.size());
  }
}

void note_zero_counters(const model::Capture& capture, TrustReport& out) {
  std::vector<std::string> zero;
  for (const CounterSummary& s : out.counters) {
    if (s.samples > 0 && s.min == 0.0 && s.max == 0.0) {
      zero.push_back(name_of(capture.counters[s.index]));
    }
  }
  if (zero.empty()) return;
  if (zero.size() == out.sampled) {
    model::add_note(out.notes, "all_counters_zero", Severity::warning,
                    "every counter is 0 throughout: the GPU was off, or the producer delivers "
                    "nothing",
                    zero.size());
    return;
  }
  model::add_note(
      out.notes, "zero_counter", Severity::info,
      "always 0, so perhaps not supported rather than zero: " + base::join_some(zero, kNamesShown),
      zero.size());
}

/// Whether counters of an axis are ever all zero in a sample: a producer that sends nothing while
/// the GPU is off never delivers such a row.
bool delivers_zero_rows(const model::Capture& capture, std::size_t axis) {
  std::vector<bool> all_zero(capture.axes[axis].size(), true);
  bool any = false;
  for (const model::Counter& counter : capture.counters) {
    if (counter.axis != axis || counter.kind != model::CounterKind::count) continue;
    any = true;
    counter.values.for_each([&all_zero](std::size_t i, double v) {
      if (v != 0) all_zero[i] = false;
    });
  }
  return !any || std::find(all_zero.begin(), all_zero.end(), true) != all_zero.end();
}

void note_sampling(const model::Capture& capture, TrustReport& out) {
  std::size_t holes = 0;
  std::size_t jittered = 0;
  std::size_t intervals = 0;
  double hole_ms = 0;
  double longest_ms = 0;
  bool silent = false;
  for (std::size_t a = 0; a < capture.axes.size(); ++a) {
    const Sampling& s = out.axes[a];
    intervals += s.intervals;
    if (!s.holes.empty()) {
      holes += s.holes.size();
      hole_ms += static_cast<double>(s.hole_ns) * 1e-6;
      longest_ms = std::max(longest_ms, s.longest_ns * 1e-6);
      silent |= !delivers_zero_rows(capture, a);
    }
    const model::TimeAxis& axis = capture.axes[a];
    if (!axis.begins_ns.empty()) continue;
    for (std::size_t i = 0; i < axis.size(); ++i) {
      const base::Interval interval = axis.interval(i);
      const auto length = static_cast<double>(interval.length().value);
      if (!interval.empty() && std::abs(length - s.median_ns) > kJitter * s.median_ns &&
          length <= kHolePeriods * s.median_ns) {
        ++jittered;
      }
    }
  }
  if (holes > 0) {
    const bool often = static_cast<double>(holes) > kOftenShare * static_cast<double>(intervals);
    model::add_note(
        out.notes, "holes", often || silent ? Severity::warning : Severity::info,
        fmt::format("{:.1f} ms in intervals of more than {} median periods, the longest "
                    "{:.1f} ms; their values are not spread over them{}",
                    hole_ms, kHolePeriods, longest_ms,
                    silent ? " (no sample is all zero: the producer seems to be silent "
                             "while the GPU is off, so idle time is not known)"
                           : ""),
        holes);
  }
  if (jittered > 0) {
    const bool often = static_cast<double>(jittered) > kOftenShare * static_cast<double>(intervals);
    model::add_note(
        out.notes, "jitter", often ? Severity::warning : Severity::info,
        fmt::format("intervals more than {:.0f} % off the median period", 100 * kJitter), jittered);
  }
}

void note_percentages(const model::Capture& capture, TrustReport& out) {
  std::vector<std::string> over;
  std::vector<std::string> shares;
  for (const CounterSummary& s : out.counters) {
    const model::Counter& counter = capture.counters[s.index];
    if (counter.kind != model::CounterKind::percent || !s.max) continue;
    if (*s.max > kOverHundred) over.push_back(name_of(counter));
    // A percentage whose every value is at most 1 and no integer is a share that lost its factor.
    if (*s.max <= 1.0 && *s.max > 0.0 && *s.mean > 0.05 && s.fractional && s.samples > 10) {
      shares.push_back(name_of(counter));
    }
  }
  if (!over.empty()) {
    model::add_note(
        out.notes, "over_100_percent", Severity::warning,
        "percentages above 100, kept as they are: " + base::join_some(over, kNamesShown),
        over.size());
  }
  if (!shares.empty()) {
    model::add_note(out.notes, "percent_as_share", Severity::warning,
                    "percentages that never exceed 1, so perhaps shares of 1: " +
                        base::join_some(shares, kNamesShown),
                    shares.size());
  }
}

void note_drift(const model::Capture& capture, TrustReport& out) {
  std::vector<std::string> drifting;
  for (const CounterSummary& s : out.counters) {
    const model::Counter& counter = capture.counters[s.index];
    if (s.samples < 300 || counter.kind == model::CounterKind::level) continue;
    std::vector<double> first;
    std::vector<double> last;
    const std::size_t third = s.samples / 3;
    counter.values.for_each([&](std::size_t i, double v) {
      if (std::isnan(v)) return;
      if (i < third) first.push_back(v);
      if (i >= s.samples - third) last.push_back(v);
    });
    if (first.empty() || last.empty()) continue;
    const double a = *base::mean(first);
    const double b = *base::mean(last);
    if (a > 0 && std::abs(b - a) > kDriftShare * std::max(a, b))
      drifting.push_back(name_of(counter));
  }
  if (!drifting.empty()) {
    model::add_note(out.notes, "drift", Severity::info,
                    "mean of the last third differs from the first by more than 10 %: " +
                        base::join_some(drifting, kNamesShown),
                    drifting.size());
  }
}

/// GPU-active cycles cannot exceed the clock; a factor of a thousand or so is a unit mixed up.
void note_units(const model::Capture& capture, const std::vector<devices::Binding>& bindings,
                TrustReport& out) {
  for (const devices::Binding& binding : bindings) {
    const auto active = binding.find("MaliGPUActiveCy");
    if (!active || !capture.counters[*active].sampled()) continue;
    const model::Counter& counter = capture.counters[*active];
    const Sampling& sampling = out.axes[*counter.axis];
    if (sampling.median_ns <= 0 || !out.counters[*active].max) continue;
    double highest = 0;
    for (const model::ClockEvent& e : capture.clock) {
      if (e.gpu == binding.gpu) highest = std::max(highest, e.frequency.value);
    }
    // No mobile GPU runs above 3 GHz; one that works at all makes more than a few MHz.
    const double rate = *out.counters[*active].max / (sampling.median_ns * 1e-9);
    const double limit = highest > 0 ? 1.5 * highest : 3e9;
    if (rate > limit) {
      model::add_note(out.notes, "unit_off", Severity::warning,
                      fmt::format("{} reaches {:.3g} cycles/s, {:.3g} times what the clock allows; "
                                  "a unit is off, perhaps by 1000 or by the frame rate",
                                  counter.name, rate, rate / (highest > 0 ? highest : 3e9)));
    }
  }
  if (capture.clock.empty()) return;
  const auto [low, high] =
      std::minmax_element(capture.clock.begin(), capture.clock.end(),
                          [](const auto& a, const auto& b) { return a.frequency < b.frequency; });
  if (high->frequency.value > 5e9 || (high->frequency.value > 0 && high->frequency.value < 5e6)) {
    model::add_note(out.notes, "clock_unit_off", Severity::warning,
                    fmt::format("GPU frequency events of {:.3g} Hz; a unit is off by 1000",
                                high->frequency.value));
  }
  std::set<double> points;
  std::size_t changes = 0;
  const model::ClockEvent* last = nullptr;
  for (const model::ClockEvent& e : capture.clock) {
    // 0 is "switched off", no operating point.
    if (e.gpu != low->gpu || e.frequency.value <= 0) continue;
    points.insert(e.frequency.value);
    if (last != nullptr && last->frequency != e.frequency) ++changes;
    last = &e;
  }
  if (changes > 0) {
    model::add_note(out.notes, "clock_changes", Severity::info,
                    fmt::format("the GPU clock changes between {} operating points, {:.0f} to "
                                "{:.0f} MHz",
                                points.size(), *points.begin() * 1e-6, *points.rbegin() * 1e-6),
                    changes);
  }
}

}  // namespace

std::vector<std::uint32_t> gpus_of(const model::Capture& capture) {
  std::set<std::uint32_t> gpus;
  for (const model::Counter& counter : capture.counters) gpus.insert(counter.gpu);
  return {gpus.begin(), gpus.end()};
}

TrustReport trust_report(const model::Capture& capture,
                         const std::vector<devices::Binding>& bindings) {
  TrustReport out;
  out.notes = capture.notes;
  out.specs = capture.counters.size();
  for (std::size_t i = 0; i < capture.counters.size(); ++i) {
    out.counters.push_back(summarise(capture.counters[i], i));
    out.sampled += capture.counters[i].sampled() ? 1 : 0;
  }
  out.axes = samplings_of(capture);
  for (const devices::Binding& binding : bindings) {
    for (const model::Note& note : binding.notes) {
      model::add_note(out.notes, note.id, note.severity, note.message, note.count);
    }
  }
  note_request(capture, out);
  note_sampling(capture, out);
  note_zero_counters(capture, out);
  note_percentages(capture, out);
  note_units(capture, bindings, out);
  note_drift(capture, out);
  const auto gpus = gpus_of(capture);
  if (gpus.size() > 1) {
    model::add_note(
        out.notes, "several_gpus", Severity::warning,
        fmt::format("counters of GPUs {}; each is analysed by itself", fmt::join(gpus, ", ")),
        gpus.size());
  }
  return out;
}

std::string no_counters_reason(const model::Capture& capture) {
  const bool any = std::any_of(capture.counters.begin(), capture.counters.end(),
                               [](const auto& c) { return c.sampled(); });
  if (any) return {};
  std::string out = "no GPU counters in this capture";
  if (!capture.counters.empty()) {
    out += fmt::format("; {} are described but none is sampled", capture.counters.size());
  }
  if (!capture.request.data_sources.empty()) {
    out += fmt::format("; data sources configured: {}",
                       base::join_some(capture.request.data_sources, kNamesShown));
  }
  if (!capture.request.gpu_counters && !capture.request.data_sources.empty()) {
    out += "; none of them is gpu.counters";
  }
  if (capture.request.gpu_counters && capture.request.counter_ids.empty() &&
      capture.request.counter_names.empty()) {
    out += "; gpu.counters was configured without counter_ids";
  }
  if (!capture.other_content.empty()) {
    std::vector<std::string> kinds;
    for (const auto& [kind, count] : capture.other_content) {
      kinds.push_back(fmt::format("{} ({})", kind, count));
    }
    out += fmt::format("; recorded instead: {}", base::join_some(kinds, kNamesShown));
  }
  if (!capture.clock.empty()) out += "; the GPU's frequency is there, but no counter";
  return out;
}

}  // namespace tilebound::analyze
