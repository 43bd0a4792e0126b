#include "analyze/analysis.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "analyze/critical.h"
#include "analyze/evidence.h"
#include "analyze/frame_signals.h"
#include "analyze/frames_joined.h"
#include "analyze/frames_marks.h"
#include "analyze/frames_period.h"
#include "analyze/full_clock.h"
#include "base/error.h"
#include "base/statistics.h"
#include "devices/profile.h"

namespace tilebound::analyze {

namespace {

using model::Severity;

/// A clock estimate below this is said to be uncertain wherever it decides.
constexpr double kSureClock = 0.5;
/// The clock of the last third against the first, of a GPU that is busy in both.
constexpr double kThrottledShare = 0.97;
/// Frames found with so much confidence need no other way to find them.
constexpr double kSureFrames = 0.7;
/// Frames found with less confidence are not what a report is cut by.
constexpr double kUsableFrames = 0.5;

std::size_t known_counters(const model::Capture& capture, const devices::Binding& binding) {
  std::size_t known = 0;
  for (std::size_t i = 0; i < capture.counters.size(); ++i) {
    if (capture.counters[i].sampled() && binding.entries[i].definition != nullptr) ++known;
  }
  return known;
}

/// The GPU asked for, else the one of whose counters most are known.
devices::Binding choose_gpu(const model::Capture& capture, std::optional<std::uint32_t> wanted) {
  const std::vector<std::uint32_t> gpus = gpus_of(capture);
  if (wanted) {
    if (std::find(gpus.begin(), gpus.end(), *wanted) == gpus.end()) {
      throw base::UsageError(fmt::format("{}: no counters of GPU {}", capture.source, *wanted));
    }
    return devices::bind(capture, *wanted);
  }
  devices::Binding best = devices::bind(capture, gpus.front());
  for (std::size_t i = 1; i < gpus.size(); ++i) {
    devices::Binding other = devices::bind(capture, gpus[i]);
    if (known_counters(capture, other) > known_counters(capture, best)) best = std::move(other);
  }
  return best;
}

std::string vendor_of(const model::Capture& capture, const devices::Binding& binding) {
  for (std::size_t i = 0; i < capture.counters.size(); ++i) {
    if (binding.entries[i].definition != nullptr) return binding.entries[i].definition->vendor;
  }
  const auto vendor = capture.system.find("gpu_vendor");
  return vendor == capture.system.end() ? std::string() : vendor->second;
}

void choose_device(const model::Capture& capture, const devices::Binding& binding,
                   const Options& options, Analysis& out) {
  if (options.device) {
    out.device = *options.device;
    out.device_warning = devices::match_failure(out.device, capture, binding.gpu, options.cores);
    if (!out.device_warning.empty() && !options.force_device) {
      throw base::UsageError(fmt::format("{}: {}; --force-device uses it all the same",
                                         capture.source, out.device_warning));
    }
    out.device_choice = out.device_warning.empty() ? DeviceChoice::asked : DeviceChoice::forced;
    return;
  }
  const auto all = devices::all_devices(options.user_devices);
  if (auto matched = devices::match_device(capture, binding.gpu, all)) {
    out.device = std::move(*matched);
    out.device_choice = DeviceChoice::matched;
    return;
  }
  out.device = devices::generic_device(vendor_of(capture, binding), binding.gpu_key);
}

void choose_cores(const model::Capture& capture, const devices::Binding& binding,
                  const Options& options, Analysis& out) {
  CoreHints hints;
  hints.counters = options.core_counters;
  if (options.cores) {
    hints.count = options.cores;
    hints.count_source = "as asked";
  } else if (out.device.cores) {
    hints.count = out.device.cores;
    hints.count_source = "device profile " + out.device.id;
  }
  out.cores = find_cores(capture, binding, hints);
  if (!hints.count || out.cores.counters != CoreCounters::averaged) return;
  CoreHints blank;
  blank.counters = options.core_counters;
  const Cores measured = find_cores(capture, binding, blank);
  if (measured.count && measured.count_confidence > 0.9 && *hints.count % *measured.count != 0) {
    model::add_note(
        out.notes, "core_count_mismatch", Severity::warning,
        fmt::format("{} shader cores ({}), but the averaged values are fractions of {}; "
                    "every value per GPU is off if the former is wrong",
                    *hints.count, hints.count_source, *measured.count));
  }
}

/// Idle gaps are the surer sign; the pattern that recurs serves where there are none.
Frames find_frames(const model::Capture& capture, const devices::Binding& binding,
                   const model::Counter& active, const Analysis& a, const Options& options) {
  Frames gaps = frames_by_idle_gaps(capture, active, a.clock, a.window, options.fps);
  const FrameSignals signals = frame_signals(capture, binding, active, a.clock, a.window);
  if (gaps.confidence < kSureFrames) {
    Frames period = frames_by_period(signals, options.fps);
    const bool surer = period.confidence >= kUsableFrames && period.confidence > gaps.confidence;
    if (surer || gaps.list.empty()) return period;
  }
  split_joined_frames(signals, gaps);
  return gaps;
}

/// Frames that the capture names itself.
Frames find_marked_frames(const model::Capture& capture, const devices::Binding& binding,
                          const model::Counter* active, Analysis& out) {
  if (capture.render_stages.empty() && capture.frame_marks.empty()) return {};
  const FrameSignals signals =
      active == nullptr ? FrameSignals()
                        : frame_signals(capture, binding, *active, out.clock, out.window);
  return frames_by_marks(capture, out.gpu, signals, out.window, out.notes);
}

void choose_window(const model::Capture& capture, const devices::Binding& binding,
                   const model::Counter* active, const Options& options, Analysis& out) {
  out.span = capture.span();
  if (options.range) {
    out.window = base::overlap(
        {out.span.begin + options.range->begin, out.span.begin + options.range->end}, out.span);
    if (out.window.empty()) {
      throw base::UsageError(
          fmt::format("{}: the range {:.6f} s to {:.6f} s holds nothing of the capture's {:.6f} s",
                      capture.source, base::seconds(options.range->begin),
                      base::seconds(options.range->end), base::seconds(out.span.length())));
    }
    out.window_text = "the range asked for";
  } else {
    out.window = out.span;
    out.window_text = "whole capture";
  }
  const Frames marked =
      options.frames ? *options.frames : find_marked_frames(capture, binding, active, out);
  if (options.frames || marked.confidence >= kSureFrames) {
    out.frames = marked;
  } else if (active == nullptr) {
    out.frames.method = "none";
    out.frames.reason = "GPU-active cycles are not recorded";
    return;
  } else {
    Options hinted = options;
    if (!hinted.fps) hinted.fps = marked.fps();
    out.frames = find_frames(capture, binding, *active, out, hinted);
    if (marked.confidence > out.frames.confidence) out.frames = marked;
  }
  if (options.range) return;
  if (const auto complete = out.frames.complete();
      complete && out.frames.confidence >= kUsableFrames) {
    out.window = *complete;
    out.window_text = "complete frames";
    return;
  }
  if (active == nullptr) return;
  out.window = trim_idle(capture, *active, out.clock, out.window);
  if (out.window != out.span) {
    out.window_text = "from the first GPU work to the last";
  }
}

void find_frame_time(const model::Capture& capture, const Totals& totals, const Options& options,
                     Analysis& out) {
  if (options.fps) {
    out.frame_ms = 1000 / *options.fps;
    if (out.frames.list.empty()) {
      out.frames.method = "given_rate";
      out.frames.period_ms = out.frame_ms;
      out.frames.reason = "frame rate as asked; frames are not cut";
    }
    return;
  }
  if (out.frames.period_ms) {
    out.frame_ms = out.frames.period_ms;
    return;
  }
  for (std::size_t i = 0; i < capture.counters.size(); ++i) {
    if (capture.counters[i].name != "VrApi FPS" || !capture.counters[i].sampled()) continue;
    const auto fps = totals.integral(i, 0).per_second();
    if (!fps || *fps <= 0) continue;
    out.frame_ms = 1000 / *fps;
    out.frames.method = "reported_rate";
    out.frames.period_ms = out.frame_ms;
    out.frames.confidence = 1;
    out.frames.reason = "frame rate reported by the VrApi log; frames are not cut";
  }
}

bool is_throttled(const model::Capture& capture, const devices::Binding& binding,
                  std::span<const Sampling> samplings, const Analysis& a) {
  const base::Nanoseconds third{a.window.length().value / 3};
  if (third.value <= 0 || a.clock.confidence < kSureClock) return false;
  const base::Interval first{a.window.begin, a.window.begin + third};
  const base::Interval last{a.window.end - third, a.window.end};
  const Totals totals(capture, binding, a.cores, samplings, {first, last});
  const auto before = activity(totals, a.clock, 0);
  const auto after = activity(totals, a.clock, 1);
  const auto clock_before = summarise(a.clock, first);
  const auto clock_after = summarise(a.clock, last);
  const double bound = kGpuBoundIdlePercent;
  return before.idle_percent().value_or(100) < bound &&
         after.idle_percent().value_or(100) < bound &&
         clock_after->mean_hz < kThrottledShare * clock_before->mean_hz;
}

std::vector<UnitPercent> percentages(const std::vector<UnitLoad>& units) {
  std::vector<UnitPercent> out;
  for (const UnitLoad& unit : units) {
    if (unit.percent()) out.push_back({unit.id, *unit.percent()});
  }
  return out;
}

std::vector<UnitWork> work_of(const std::vector<UnitLoad>& units) {
  std::vector<UnitWork> out;
  for (const UnitLoad& unit : units) {
    // The same path in every frame where there is no peak to choose it by.
    const auto known = std::find_if(unit.paths.begin(), unit.paths.end(),
                                    [](const PathLoad& path) { return path.work.has_value(); });
    const auto path =
        unit.busiest ? unit.paths.begin() + static_cast<std::ptrdiff_t>(*unit.busiest) : known;
    if (path != unit.paths.end() && path->work) out.push_back({unit.id, path->id, *path->work});
  }
  return out;
}

Verdict judge_window(const std::vector<UnitLoad>& units, const Activity& activity,
                     std::optional<double> clock_percent) {
  Surroundings around;
  around.idle_percent = activity.idle_percent();
  around.clock_percent = clock_percent;
  for (const UnitLoad& unit : units) {
    if (unit.active_percent) {
      around.top_active_percent =
          std::max(around.top_active_percent.value_or(0), *unit.active_percent);
    }
  }
  return judge(percentages(units), around);
}

void judge_frames(const model::Capture& capture, const devices::Binding& binding,
                  std::span<const Sampling> samplings, const model::Counter& active,
                  const UnitSeries& series, Analysis& out) {
  std::vector<base::Interval> windows;
  for (std::size_t i = 1; i < out.frames.list.size(); ++i) windows.push_back(out.frames.window(i));
  const Totals totals(capture, binding, out.cores, samplings, windows);
  const UnitModel units(out.device, totals);
  for (std::size_t w = 0; w < totals.window_count(); ++w) {
    const Activity act = activity(totals, out.clock, w);
    const auto clock = summarise(out.clock, totals.window(w));
    FrameResult frame;
    frame.frame = out.frames.list[w + 1];
    frame.window = totals.window(w);
    frame.idle_percent = act.idle_percent();
    if (const auto seconds = act.active_seconds()) frame.gpu_active_ms = 1000 * *seconds;
    if (act.active) frame.active_cycles = act.active->value;
    if (clock) frame.clock_percent = clock->percent_of_max;
    frame.clock = clock;
    const auto loads = units.loads(act, w);
    frame.work = work_of(loads);
    frame.units = percentages(loads);
    const CriticalPath path = critical_path(series, frame.window);
    frame.limiter_share = path.shares;
    frame.limiters = path.limiters;
    if (frame.limiters.empty()) {
      frame.limiters = judge_window(loads, act, frame.clock_percent).limiters;
    }
    out.frame_results.push_back(std::move(frame));
  }
  const FullClock full =
      full_clock(capture, binding, out.device, out.cores, samplings, active, out.clock, windows);
  out.full_clock_counts_memory = full.memory_counted;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    out.frame_results[w].full_clock_ms = full.ms[w];
  }
  out.frame_statistics = frame_statistics(out.frame_results);
}

void rate_counters(const Totals& totals, Analysis& out) {
  const model::Capture& capture = totals.capture();
  for (std::size_t i = 0; i < capture.counters.size(); ++i) {
    const model::Counter& counter = capture.counters[i];
    if (!counter.sampled() || counter.gpu != out.gpu) continue;
    const Integral& in = totals.integral(i, 0);
    CounterRate rate;
    rate.index = i;
    if (counter.kind == model::CounterKind::percent || counter.kind == model::CounterKind::level) {
      rate.average = in.per_second();
    } else if (in.covered.value > 0) {
      double factor = 1;
      const auto* definition = totals.binding().entries[i].definition;
      if (definition != nullptr && definition->scope == devices::Scope::shader_core) {
        const auto known = out.cores.gpu_factor();
        factor = known.value_or(1);
        rate.per_core = !known;
      }
      rate.total = in.total * factor;
      rate.per_second = *in.per_second() * factor;
      if (out.frame_ms) rate.per_frame = *rate.per_second * *out.frame_ms / 1000;
    }
    out.counters.push_back(rate);
  }
}

void note_clock(Analysis& out) {
  if (!out.clock.known()) {
    model::add_note(out.notes, "clock_unknown", Severity::warning,
                    "neither GPU frequency events nor GPU-active cycles: idle time and percent of "
                    "elapsed peak are unavailable, units are judged by busy time");
    return;
  }
  if (out.clock.confidence < kSureClock) {
    model::add_note(out.notes, "clock_uncertain", Severity::warning,
                    fmt::format("GPU clock {} (confidence {:.2f}); idle time and percentages of "
                                "elapsed peak are as uncertain",
                                out.clock.source, out.clock.confidence));
  }
  const auto idle = out.activity.idle_percent();
  const double seconds = base::seconds(out.activity.covered);
  if (out.activity.active && out.clock.max && seconds > 0) {
    out.clock_expression_percent =
        100 * out.activity.active->value / (seconds * out.clock.max->value);
  }
  if (out.clock_expression_percent && idle && *idle >= kIdlePercent) {
    model::add_note(
        out.notes, "clock_expression_counts_idle", Severity::info,
        fmt::format("GPU-active cycles a second are {:.1f} % of the maximum clock; with "
                    "{:.1f} % idle that is clock x busy, not the clock",
                    *out.clock_expression_percent, *idle));
  }
}

}  // namespace

Analysis analyze(const model::Capture& capture, const Options& options) {
  if (const std::string reason = no_counters_reason(capture); !reason.empty()) {
    throw base::InputError(capture.source + ": " + reason);
  }
  Analysis out;
  const devices::Binding binding = choose_gpu(capture, options.gpu);
  out.gpu = binding.gpu;
  if (out.gpu < capture.gpu_names.size()) out.gpu_name = capture.gpu_names[out.gpu];
  choose_device(capture, binding, options, out);
  choose_cores(capture, binding, options, out);

  const auto active_index = active_cycles_counter(capture, binding);
  const model::Counter* active = active_index ? &capture.counters[*active_index] : nullptr;
  out.clock =
      find_clock(capture, out.gpu, active, out.device.clock_max, out.device.clock_max_source);
  choose_window(capture, binding, active, options, out);

  const std::vector<Sampling> samplings = samplings_of(capture);
  const Totals totals(capture, binding, out.cores, samplings, {out.window});
  out.clock_summary = summarise(out.clock, out.window);
  out.activity = activity(totals, out.clock, 0);
  find_frame_time(capture, totals, options, out);
  note_clock(out);

  out.units = UnitModel(out.device, totals).loads(out.activity, 0);
  const auto clock_percent =
      out.clock_summary ? out.clock_summary->percent_of_max : std::optional<double>();
  out.verdict = judge_window(out.units, out.activity, clock_percent);
  out.throttled = is_throttled(capture, binding, samplings, out);
  if (out.verdict.kind != Case::high) out.low_top_causes = low_top_causes(totals, out.activity, 0);
  out.health = health_table(out.device, totals, 0);
  rate_counters(totals, out);
  if (active != nullptr && out.frames.complete()) {
    const UnitSeries series = unit_series(totals, out.clock, out.device, out.units);
    judge_frames(capture, binding, samplings, *active, series, out);
    out.segments = frame_segments(series, out.frame_results);
  }
  find_evidence(totals, out);
  list_missing(totals, out);
  collect_findings(totals, options, out);
  out.advice = choose_advice(out);
  return out;
}

}  // namespace tilebound::analyze
