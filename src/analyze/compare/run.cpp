#include "analyze/compare/run.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "analyze/totals.h"
#include "base/error.h"
#include "base/statistics.h"
#include "base/text.h"
#include "devices/catalogue.h"

namespace tilebound::analyze {

namespace {

constexpr double kUsableFrames = 0.5;
constexpr std::size_t kLeastFrames = 5;
/// A given rate further from the frames found is believed: they may be half or double ones.
constexpr double kSameRate = 0.10;
/// A window that samples describe less of is left out.
constexpr double kLeastCoverage = 0.9;
constexpr double kSamplesAWindow = 4;
constexpr double kMostWindows = 60;
constexpr std::size_t kMostSlices = 6000;
/// Ids from here on are expressions of the producer (percentages, rates): facts of Perfetto's Mali
/// producers; raw counters are below.
constexpr std::uint32_t kFirstDerivedId = 65535;
/// By trust: of the queue itself, then of a shader core's side of it.
constexpr const char* kFragmentQueue[] = {"MaliFragQueueActiveCy", "MaliMainQueueActiveCy",
                                          "MaliFragActiveCy", "MaliMainActiveCy"};
constexpr const char* kOtherQueue[] = {"MaliNonFragQueueActiveCy", "MaliBinningQueueActiveCy",
                                       "MaliNonFragActiveCy"};

std::string key_of(const model::Counter& counter, const devices::CounterDefinition* definition) {
  if (definition != nullptr) return definition->machine_name;
  if (counter.named) return "name:" + counter.name;
  return counter.id ? fmt::format("id:{}", *counter.id) : "name:" + counter.name;
}

/// Totals of one capture over some windows, with all that they refer to.
class Source {
 public:
  Source(const model::Capture& capture, const Analysis& analysis)
      : capture_(capture),
        cores_(analysis.cores),
        binding_(devices::bind(capture, analysis.gpu)),
        active_(active_cycles_counter(capture, binding_)),
        samplings_(samplings_of(capture)) {}
  Totals totals(std::vector<base::Interval> windows) const {
    return {capture_, binding_, cores_, samplings_, std::move(windows)};
  }
  const devices::Binding& binding() const { return binding_; }
  std::optional<std::size_t> active() const { return active_; }
  double sample_period_ns() const {
    const Sampling* most = nullptr;
    for (const Sampling& s : samplings_) {
      if (most == nullptr || s.samples > most->samples) most = &s;
    }
    return most == nullptr ? 0 : most->median_ns;
  }

 private:
  const model::Capture& capture_;
  const Cores& cores_;
  devices::Binding binding_;
  std::optional<std::size_t> active_;
  std::vector<Sampling> samplings_;
};

/// Amount of a count counter in a window, made up for time without samples; NaN where most of it
/// is missing.
double amount(const Totals& totals, std::size_t counter, std::size_t w) {
  const Integral& in = totals.integral(counter, w);
  const auto length = static_cast<double>(totals.window(w).length().value);
  const auto covered = static_cast<double>(in.covered.value);
  if (covered <= 0 || covered < length / 2) return std::nan("");
  return in.total * length / covered * totals.factor(counter, Basis::gpu).value_or(1);
}

/// Where one frame's work is over before the next one's begins, the middle of the idle time between
/// them: nothing is cut there.
base::Nanoseconds cut_after(const Frames& frames, std::size_t i) {
  const base::Nanoseconds end = frames.list[i].end;
  if (i + 1 == frames.list.size() || frames.list[i + 1].begin <= end) return end;
  return {end.value + (frames.list[i + 1].begin - end).value / 2};
}

void cut_at_frames(const Frames& frames, Run& run) {
  run.by_frames = true;
  for (std::size_t i = 1; i + 1 < frames.list.size(); ++i) {
    const base::Interval window{cut_after(frames, i - 1), cut_after(frames, i)};
    if (!window.empty()) run.windows.push_back(window);
  }
}

/// Windows of whole periods of the given rate, so that each holds as many frames wherever the first
/// one begins, and is long against a sample.
void cut_evenly(const Source& source, double fps, const std::string& option, Run& run) {
  const double frame_ns = 1e9 / fps;
  const base::Interval all = run.analysis.window;
  const double frames = static_cast<double>(all.length().value) / frame_ns;
  const double least = kSamplesAWindow * source.sample_period_ns() / frame_ns;
  run.frames_a_window = std::ceil(std::max({1.0, least, frames / kMostWindows}));
  const auto count = static_cast<std::size_t>(frames / run.frames_a_window);
  if (count == 0) {
    throw base::UsageError(fmt::format("{}: {} {}: the capture's {:.3f} s hold no {:.0f} frames",
                                       run.source, option, fps, base::seconds(all.length()),
                                       run.frames_a_window));
  }
  const double length = run.frames_a_window * frame_ns;
  const auto at = [&](std::size_t i) {
    return base::Nanoseconds{all.begin.value + std::llround(length * static_cast<double>(i))};
  };
  for (std::size_t i = 0; i < count; ++i) run.windows.push_back({at(i), at(i + 1)});
}

void choose_windows(const Source& source, const RunOptions& options, const std::string& option,
                    Run& run) {
  const Frames& frames = run.analysis.frames;
  const bool usable = frames.list.size() >= kLeastFrames && frames.confidence >= kUsableFrames;
  if (usable) run.found_fps = frames.fps();
  run.given_fps = options.analysis.fps;
  const bool agree = run.found_fps &&
                     (!run.given_fps || std::abs(*run.found_fps / *run.given_fps - 1) < kSameRate);
  if (usable && agree) {
    cut_at_frames(frames, run);
    return;
  }
  std::optional<double> fps = run.given_fps;
  if (!fps && frames.list.empty() && frames.fps()) fps = frames.fps();  // reported by the capture
  if (!fps) {
    const std::string why =
        frames.list.empty()
            ? frames.reason
            : fmt::format("confidence {:.2f}, {} frames", frames.confidence, frames.list.size());
    throw base::UsageError(fmt::format("{}: no frames to compare by ({}); give its frame rate: {}",
                                       run.source, why, option));
  }
  run.fps_uncertainty = options.fps_uncertainty;
  cut_evenly(source, *fps, option, run);
}

/// Leaves out windows in holes.
void drop_holes(const Source& source, Run& run) {
  const Totals totals = source.totals(run.windows);
  std::vector<base::Interval> kept;
  for (std::size_t w = 0; w < run.windows.size(); ++w) {
    const auto covered = static_cast<double>(totals.covered(w).value);
    if (covered >= kLeastCoverage * static_cast<double>(run.windows[w].length().value)) {
      kept.push_back(run.windows[w]);
    }
  }
  if (kept.empty()) {
    throw base::InputError(run.source + ": samples are missing from every frame");
  }
  run.windows = std::move(kept);
}

void fill_counters(const model::Capture& capture, const Source& source, Run& run) {
  const Totals totals = source.totals(run.windows);
  for (std::size_t i = 0; i < capture.counters.size(); ++i) {
    const model::Counter& counter = capture.counters[i];
    if (!counter.sampled() || counter.gpu != run.analysis.gpu) continue;
    RunCounter out;
    const devices::CounterDefinition* definition = source.binding().entries[i].definition;
    out.key = key_of(counter, definition);
    if (run.find(out.key) != nullptr) continue;  // the same counter twice
    out.machine_name = definition == nullptr ? "" : definition->machine_name;
    out.id = counter.id;
    out.name = counter.name;
    out.unit = definition != nullptr && !definition->unit.empty() ? definition->unit : counter.unit;
    out.kind = counter.kind;
    out.derived =
        counter.kind != model::CounterKind::count || (counter.id && *counter.id >= kFirstDerivedId);
    out.per_core = !totals.factor(i, Basis::gpu).has_value();
    if (out.derived) {
      base::Sum sum;
      base::Sum seconds;
      for (std::size_t w = 0; w < run.windows.size(); ++w) {
        const Integral& in = totals.integral(i, w);
        sum.add(in.total);
        seconds.add(base::seconds(in.covered));
      }
      out.average = base::ratio(sum.value(), seconds.value());
    } else {
      for (std::size_t w = 0; w < run.windows.size(); ++w) {
        out.per_frame.push_back(amount(totals, i, w) / run.frames_a_window);
      }
    }
    if (counter.kind == model::CounterKind::level && !run.temperature_c &&
        base::lower(counter.name).find("temp") != std::string::npos) {
      run.temperature_c = out.average;
    }
    run.counters.push_back(std::move(out));
  }
}

/// Slices of whole samples of the axis of GPU-active cycles, inside the windows.
void fill_slices(const model::Capture& capture, const Source& source, Run& run) {
  if (!source.active()) return;
  const model::TimeAxis& axis = capture.axes[*capture.counters[*source.active()].axis];
  const base::Interval all{run.windows.front().begin, run.windows.back().end};
  const std::size_t step = axis.size() / kMostSlices + 1;
  std::vector<base::Interval> windows;
  base::Nanoseconds begin{};
  std::size_t held = 0;
  for (std::size_t i = 0; i < axis.size(); ++i) {
    const base::Interval sample = axis.interval(i);
    if (sample.empty() || sample.begin < all.begin || sample.end > all.end) continue;
    if (held == 0) begin = sample.begin;
    if (++held < step) continue;
    if (!windows.empty() && begin < windows.back().end) begin = windows.back().end;
    if (begin < sample.end) windows.push_back({begin, sample.end});
    held = 0;
  }
  run.slices.size = windows.size();
  const Totals totals = source.totals(std::move(windows));
  for (std::size_t i = 0; i < capture.counters.size(); ++i) {
    const model::Counter& counter = capture.counters[i];
    const auto* definition = source.binding().entries[i].definition;
    if (!counter.sampled() || counter.gpu != run.analysis.gpu || definition == nullptr) continue;
    if (counter.kind != model::CounterKind::count) continue;
    auto& column = run.slices.by_key[definition->machine_name];
    if (!column.empty()) continue;
    for (std::size_t w = 0; w < totals.window_count(); ++w) {
      column.push_back(amount(totals, i, w));
    }
  }
}

std::optional<std::size_t> first_of(const devices::Binding& binding,
                                    std::span<const char* const> names) {
  for (const char* name : names) {
    if (const auto index = binding.find(name)) return index;
  }
  return std::nullopt;
}

/// The frame whose GPU-active cycles are the median, sample by sample.
void fill_typical(const model::Capture& capture, const Source& source, Run& run) {
  if (!run.by_frames || !source.active()) return;
  const RunCounter* active =
      run.find(source.binding().entries[*source.active()].definition->machine_name);
  if (active == nullptr || active->per_frame.empty()) return;
  const auto middle = base::median(active->per_frame);
  std::size_t typical = 0;
  for (std::size_t w = 1; w < run.windows.size(); ++w) {
    if (std::abs(active->per_frame[w] - *middle) < std::abs(active->per_frame[typical] - *middle)) {
      typical = w;
    }
  }
  const base::Interval frame = run.windows[typical];
  const model::TimeAxis& axis = capture.axes[*capture.counters[*source.active()].axis];
  std::vector<base::Interval> bins;
  for (std::size_t i = 0; i < axis.size(); ++i) {
    const base::Interval part = base::overlap(axis.interval(i), frame);
    if (!part.empty() && (bins.empty() || bins.back().end <= part.begin)) bins.push_back(part);
  }
  const Totals totals = source.totals(bins);
  const auto share = [&](std::optional<std::size_t> counter, std::size_t w) {
    if (!counter) return 0.0;
    const auto elapsed = run.analysis.clock.cycles(totals.window(w));
    const bool core = totals.factor(*counter, Basis::gpu) != 1.0;
    if (!elapsed || elapsed->value <= 0) return 0.0;
    const double cycles = core ? totals.integral(*counter, w).total : amount(totals, *counter, w);
    return std::isnan(cycles) ? 0.0 : std::clamp(cycles / elapsed->value, 0.0, 1.0);
  };
  const auto fragment = first_of(source.binding(), kFragmentQueue);
  const auto other = first_of(source.binding(), kOtherQueue);
  for (std::size_t w = 0; w < bins.size(); ++w) {
    run.typical_frame.push_back({base::milliseconds(bins[w].begin - frame.begin),
                                 base::milliseconds(bins[w].length()), share(fragment, w),
                                 share(other, w)});
  }
}

std::uint64_t hash_of(const Run& run) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a over the values' bits
  const auto mix = [&hash](std::uint64_t bits) { hash = (hash ^ bits) * 0x100000001b3ULL; };
  for (const RunCounter& counter : run.counters) {
    for (const double v : counter.per_frame) mix(std::bit_cast<std::uint64_t>(v));
  }
  return hash;
}

}  // namespace

const RunCounter* Run::find(const std::string& key) const {
  for (const RunCounter& counter : counters) {
    if (counter.key == key) return &counter;
  }
  return nullptr;
}

Run make_run(const model::Capture& capture, const RunOptions& options, const std::string& option) {
  Run run;
  run.source = capture.source;
  run.format = capture.format;
  run.system = capture.system;
  run.analysis = analyze(capture, options.analysis);
  const Source source(capture, run.analysis);
  run.sample_period_ms = source.sample_period_ns() * 1e-6;
  choose_windows(source, options, option, run);
  drop_holes(source, run);
  for (const base::Interval window : run.windows) {
    run.frame_ms.push_back(base::milliseconds(window.length()) / run.frames_a_window);
    if (const auto clock = summarise(run.analysis.clock, window)) {
      run.clock_hz.push_back(clock->mean_hz);
    }
  }
  if (run.clock_hz.size() != run.windows.size()) run.clock_hz.clear();
  run.mean_frame_ms = *base::mean(run.frame_ms);
  fill_counters(capture, source, run);
  fill_slices(capture, source, run);
  fill_typical(capture, source, run);
  run.content = hash_of(run);
  return run;
}

}  // namespace tilebound::analyze
