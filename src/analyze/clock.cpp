#include "analyze/clock.h"

#include <algorithm>
#include <cmath>

#include "base/statistics.h"

namespace tilebound::analyze {

namespace {

/// Rates of neighbouring samples that differ by less are one operating point.
constexpr double kSameRate = 0.01;
/// Samples busy below this share of the highest rate say nothing about the clock.
constexpr double kBusyEnough = 0.2;
/// Of the envelope at its best: a plateau may be a constant partial load.
constexpr double kEnvelopeConfidence = 0.8;
constexpr double kGuessConfidence = 0.2;

std::vector<ClockStep> steps_of_events(const model::Capture& capture, std::uint32_t gpu) {
  std::vector<ClockStep> steps;
  for (const model::ClockEvent& event : capture.clock) {
    // 0 is "switched off", not a clock: the last operating point holds.
    if (event.gpu != gpu || event.frequency.value <= 0) continue;
    if (!steps.empty() && steps.back().frequency == event.frequency) continue;
    steps.push_back({{event.time_ns}, event.frequency});
  }
  return steps;
}

struct Rate {
  base::Interval interval;
  double hz;
};

std::vector<Rate> active_rates(const model::Capture& capture, const model::Counter& active) {
  std::vector<Rate> rates;
  const model::TimeAxis& axis = capture.axes[*active.axis];
  const Sampling sampling = sampling_of(axis);
  active.values.for_each([&](std::size_t i, double value) {
    const base::Interval interval = axis.interval(i);
    const auto length = static_cast<double>(interval.length().value);
    // Very short intervals turn the jitter of stamps into rates that no clock has.
    if (std::isnan(value) || length < 0.5 * sampling.median_ns ||
        length > kHolePeriods * sampling.median_ns) {
      return;
    }
    const double hz = active.kind == model::CounterKind::count ? value / (length * 1e-9) : value;
    rates.push_back({interval, hz});
  });
  return rates;
}

Clock envelope(const model::Capture& capture, const model::Counter& active) {
  Clock clock;
  const std::vector<Rate> rates = active_rates(capture, active);
  std::vector<double> values;
  values.reserve(rates.size());
  for (const Rate& rate : rates) values.push_back(rate.hz);
  const double highest = base::quantile(values, 0.999).value_or(0);
  if (highest <= 0) return clock;
  const auto same = [](double a, double b) { return std::abs(a - b) <= kSameRate * a; };
  std::size_t busy = 0;
  std::size_t on_plateau = 0;
  for (std::size_t i = 1; i + 1 < rates.size(); ++i) {
    const double hz = rates[i].hz;
    if (hz < kBusyEnough * highest) continue;
    ++busy;
    if (!same(hz, rates[i - 1].hz) || !same(hz, rates[i + 1].hz)) continue;
    ++on_plateau;
    const double smooth = (rates[i - 1].hz + hz + rates[i + 1].hz) / 3;
    if (clock.steps.empty() || !same(clock.steps.back().frequency.value, smooth)) {
      clock.steps.push_back({rates[i].interval.begin, {smooth}});
    }
  }
  if (clock.steps.empty()) {
    clock.steps.push_back({rates.front().interval.begin, {highest}});
    clock.source = "guessed: the highest rate of GPU-active cycles; no sample was busy throughout";
    clock.confidence = kGuessConfidence;
    return clock;
  }
  clock.source = "estimated from plateaus of GPU-active cycles per second";
  clock.confidence =
      kEnvelopeConfidence * static_cast<double>(on_plateau) / static_cast<double>(busy);
  return clock;
}

}  // namespace

std::optional<base::Cycles> Clock::cycles(base::Interval interval) const {
  if (!known()) return std::nullopt;
  if (interval.empty()) return base::Cycles{0};
  // The step that holds at the interval's begin.
  auto step = std::upper_bound(steps.begin(), steps.end(), interval.begin,
                               [](base::Nanoseconds t, const ClockStep& s) { return t < s.from; });
  if (step != steps.begin()) --step;
  base::Cycles total{0};
  base::Nanoseconds at = interval.begin;
  for (; at < interval.end; ++step) {
    const bool last = std::next(step) == steps.end();
    const base::Nanoseconds until =
        last ? interval.end : std::min(interval.end, std::next(step)->from);
    if (until > at) {
      total += base::cycles_in(step->frequency, until - at);
      at = until;
    }
    if (last) break;
  }
  return total;
}

Clock find_clock(const model::Capture& capture, std::uint32_t gpu, const model::Counter* active,
                 std::optional<base::Hertz> device_max, const std::string& device_max_source) {
  Clock clock;
  clock.steps = steps_of_events(capture, gpu);
  if (clock.known()) {
    clock.source = "GPU frequency events of the capture";
    clock.confidence = 1;
  } else if (active != nullptr && active->sampled()) {
    clock = envelope(capture, *active);
  }
  if (device_max) {
    clock.max = device_max;
    clock.max_source = device_max_source;
  } else if (clock.known()) {
    const auto highest = std::max_element(
        clock.steps.begin(), clock.steps.end(),
        [](const ClockStep& a, const ClockStep& b) { return a.frequency < b.frequency; });
    clock.max = highest->frequency;
    clock.max_source = "highest clock in this capture; the device may allow more";
  }
  return clock;
}

std::optional<ClockSummary> summarise(const Clock& clock, base::Interval window) {
  const auto cycles = clock.cycles(window);
  if (!cycles || window.empty()) return std::nullopt;
  ClockSummary out;
  out.mean_hz = cycles->value / base::seconds(window.length());
  out.min_hz = out.max_hz =
      clock.cycles({window.begin, window.begin + base::Nanoseconds{1}})->value * 1e9;
  for (const ClockStep& step : clock.steps) {
    if (step.from <= window.begin || step.from >= window.end) continue;
    ++out.changes;
    out.min_hz = std::min(out.min_hz, step.frequency.value);
    out.max_hz = std::max(out.max_hz, step.frequency.value);
  }
  if (clock.max) out.percent_of_max = 100 * out.mean_hz / clock.max->value;
  return out;
}

std::optional<base::Cycles> elapsed_cycles(const Clock& clock, const model::TimeAxis& axis,
                                           const Cover& cover, base::Interval window) {
  if (!clock.known()) return std::nullopt;
  base::Cycles total{0};
  for (const Piece& piece : cover.pieces) {
    const base::Interval run{axis.interval(piece.first).begin, axis.interval(piece.last - 1).end};
    // Samples of a piece follow each other without a gap unless the axis has its own begins.
    if (axis.begins_ns.empty()) {
      total += *clock.cycles(base::overlap(run, window));
      continue;
    }
    for (std::size_t i = piece.first; i < piece.last; ++i) {
      total += *clock.cycles(base::overlap(axis.interval(i), window));
    }
  }
  return total;
}

}  // namespace tilebound::analyze
