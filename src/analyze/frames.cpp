#include "analyze/frames.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/statistics.h"

namespace tilebound::analyze {

namespace {

/// A sample busy for less than this is idle; interrupts and polling stay below.
constexpr double kIdleShare = 0.01;
/// A sample longer than this many periods follows a lost one.
constexpr double kLongSamplePeriods = 1.5;
/// Work before and after a hole of up to so many periods is taken for one stretch.
constexpr double kLongestBridge = 8;
/// Frame ends of an even pace spread less than this around their median distance.
constexpr double kEvenSpread = 0.35;
constexpr std::size_t kFewestFrames = 3;
/// A gap of several samples is sure to be one; shorter ones may be a bubble inside a frame.
constexpr double kSureGapSamples = 3;
constexpr double kIdleGapConfidence = 0.95;
/// Lengths that take turns differ by so many times more from the next than from the next but one.
constexpr double kTurns = 4;
constexpr double kShortTurn = 0.35;  // of the long one
/// How far a rate that the user names may be from what is found.
constexpr double kExpectedTolerance = 0.35;

/// One uninterrupted stretch of work.
struct Burst {
  base::Nanoseconds begin;
  base::Nanoseconds end;
};

base::Nanoseconds part_of(base::Interval interval, double share) {
  return {std::llround(static_cast<double>(interval.length().value) * share)};
}

/// The share of a sample's time that the GPU was active, all of it where the clock is unknown.
double busy_share(const model::Counter& active, const Clock& clock, base::Interval sample,
                  double value) {
  const auto cycles = clock.cycles(sample);
  const double amount =
      active.kind == model::CounterKind::count ? value : value * base::seconds(sample.length());
  if (!cycles || cycles->value <= 0) return amount > 0 ? 1 : 0;
  return std::min(1.0, amount / cycles->value);
}

/// Stretches of work. A sample that is partly busy shows by its share how far the work reaches into
/// it, when its neighbour on the other side is idle. A sample longer than the others follows a lost
/// one, whose work its value may hold or not: the middle between both is at most half a period off.
std::vector<Burst> find_bursts(const model::Capture& capture, const model::Counter& active,
                               const Clock& clock, base::Interval window) {
  std::vector<Burst> bursts;
  const model::TimeAxis& axis = capture.axes[*active.axis];
  const Sampling sampling = sampling_of(axis);
  const base::Nanoseconds period{std::llround(sampling.median_ns)};
  bool open = false;
  bool full = false;  // the sample before was busy to its end
  active.values.for_each([&](std::size_t i, double value) {
    const base::Interval sample = axis.interval(i);
    if (sample.empty() || std::isnan(value) || sample.begin < window.begin ||
        sample.end > window.end) {
      return;
    }
    const auto length = static_cast<double>(sample.length().value);
    if (length > kHolePeriods * sampling.median_ns) {
      // What happened in a hole is unknown; a short one is no sign of idle time.
      if (length > kLongestBridge * sampling.median_ns) open = false;
      return;
    }
    const double share = busy_share(active, clock, sample, value);
    const base::Nanoseconds busy = part_of(sample, share);
    const base::Nanoseconds lost = length > kLongSamplePeriods * sampling.median_ns
                                       ? sample.length() - period
                                       : base::Nanoseconds{0};
    const base::Nanoseconds half_lost{lost.value / 2};
    const bool was_full = full;
    full = busy + lost + base::Nanoseconds{period.value / 100} >= sample.length();
    if (share < kIdleShare) {
      if (open && was_full) bursts.back().end = sample.begin + half_lost;
      open = false;
    } else if (!open) {
      bursts.push_back({sample.end - busy - (full ? half_lost : base::Nanoseconds{0}), sample.end});
      open = true;
    } else {
      // Work runs from the begin of this sample; it ends inside when the next one is idle.
      bursts.back().end = std::min(sample.end, sample.begin + half_lost + busy);
    }
  });
  return bursts;
}

/// Bursts joined over gaps shorter than `least`.
std::vector<Burst> join(const std::vector<Burst>& bursts, base::Nanoseconds least) {
  std::vector<Burst> out;
  for (const Burst& burst : bursts) {
    if (!out.empty() && burst.begin - out.back().end < least) {
      out.back().end = burst.end;
    } else {
      out.push_back(burst);
    }
  }
  return out;
}

std::vector<double> distances_ms(const std::vector<Burst>& bursts) {
  std::vector<double> out;
  for (std::size_t i = 1; i < bursts.size(); ++i) {
    out.push_back(base::milliseconds(bursts[i].end - bursts[i - 1].end));
  }
  return out;
}

/// Between frames, in ns; short of the few shortest, which a lost sample may have made.
double shortest_gap(const std::vector<Burst>& frames) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < frames.size(); ++i) {
    gaps.push_back(static_cast<double>((frames[i].begin - frames[i - 1].end).value));
  }
  return base::quantile(gaps, 0.05).value_or(0);
}

/// Median absolute deviation over the median: robust to a hitch.
double spread_of(const std::vector<double>& distances) {
  const double middle = base::median(distances).value_or(0);
  if (middle <= 0) return 1;
  std::vector<double> deviations;
  for (const double d : distances) deviations.push_back(std::abs(d - middle));
  return *base::median(deviations) / middle;
}

/// Whether long and short stretches of work take turns, the short ones too short for a frame: then
/// two of them may be one frame, with a compositor's or another program's work after it.
bool takes_turns(const std::vector<Burst>& bursts) {
  std::vector<double> lengths;
  std::vector<double> to_next;
  std::vector<double> to_next_but_one;
  for (std::size_t i = 0; i < bursts.size(); ++i) {
    lengths.push_back(base::milliseconds(bursts[i].end - bursts[i].begin));
    if (i >= 1) to_next.push_back(std::abs(lengths[i] - lengths[i - 1]));
    if (i >= 2) to_next_but_one.push_back(std::abs(lengths[i] - lengths[i - 2]));
  }
  if (to_next_but_one.empty()) return false;
  return *base::median(to_next) > kTurns * *base::median(to_next_but_one) &&
         *base::quantile(lengths, 0.25) < kShortTurn * *base::quantile(lengths, 0.75);
}

/// Gap lengths at which the number of frames changes most: between bubbles inside frames and the
/// gaps between them.
std::vector<base::Nanoseconds> candidate_gaps(const std::vector<Burst>& bursts, double period_ns) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < bursts.size(); ++i) {
    gaps.push_back(static_cast<double>((bursts[i].begin - bursts[i - 1].end).value));
  }
  std::sort(gaps.begin(), gaps.end());
  std::vector<base::Nanoseconds> out = {{static_cast<std::int64_t>(period_ns / 2)}};
  for (std::size_t i = 1; i < gaps.size(); ++i) {
    if (gaps[i] > 2 * std::max(gaps[i - 1], period_ns)) {
      out.push_back(
          {static_cast<std::int64_t>(std::sqrt(gaps[i] * std::max(gaps[i - 1], period_ns)))});
    }
  }
  return out;
}

}  // namespace

std::optional<double> Frames::fps() const {
  if (!period_ms) return std::nullopt;
  return base::ratio(1000, *period_ms);
}

double Frames::mean_distance_ms() const {
  return base::milliseconds(list.back().end - list.front().end) /
         static_cast<double>(list.size() - 1);
}

std::optional<base::Interval> Frames::complete() const {
  if (list.size() < 2) return std::nullopt;
  return base::Interval{list.front().end, list.back().end};
}

Frames frames_by_idle_gaps(const model::Capture& capture, const model::Counter& active,
                           const Clock& clock, base::Interval window,
                           std::optional<double> expected_fps) {
  Frames best;
  best.method = "none";
  best.reason = "the GPU is not idle between frames at an even pace";
  const std::vector<Burst> bursts = find_bursts(capture, active, clock, window);
  const double period_ns = sampling_of(capture.axes[*active.axis]).median_ns;
  double best_score = 0;
  for (const base::Nanoseconds gap : candidate_gaps(bursts, period_ns)) {
    const std::vector<Burst> frames = join(bursts, gap);
    if (frames.size() < kFewestFrames) continue;
    const std::vector<double> distances = distances_ms(frames);
    const double spread = spread_of(distances);
    if (spread > kEvenSpread) continue;
    const double middle = *base::median(distances);
    // Frames of an even pace: few distances are far from the middle one.
    const auto even = std::count_if(distances.begin(), distances.end(), [middle](double d) {
      return std::abs(d - middle) < kEvenSpread * middle;
    });
    // An odd one among few says more than one among many.
    const auto count = static_cast<double>(distances.size());
    const double even_share =
        even == std::ssize(distances) ? 1 : base::share_at_least(static_cast<double>(even), count);
    double score = kIdleGapConfidence * even_share * (1 - spread);
    if (shortest_gap(frames) < kSureGapSamples * period_ns) {
      // With few samples a frame, the gap may be one of several that a frame has.
      score *= middle * 1e6 < kUnambiguousSamples * period_ns ? 0.5 : 0.9;
    }
    const bool turns = takes_turns(frames);
    if (turns) score *= 0.5;
    if (expected_fps) {
      const double off = std::abs(middle * *expected_fps / 1000 - 1);
      if (off > kExpectedTolerance) score *= 0.5;
    }
    if (score <= best_score) continue;
    best_score = score;
    best.method = "idle_gaps";
    best.confidence = score;
    best.period_ms = base::mean(distances);
    best.reason = fmt::format("idle gaps of {:.2f} ms and more recur every {:.2f} ms",
                              base::milliseconds(gap), middle);
    if (turns) best.reason += "; long and short work take turns, so that two may be one frame";
    best.alternatives_ms = {0.5 * *best.period_ms, 2 * *best.period_ms};
    best.list.clear();
    for (const Burst& f : frames) best.list.push_back({f.begin, f.end});
    // Work that reaches the end of the range is a frame cut short.
    if (window.end - best.list.back().end < base::Nanoseconds{std::llround(2 * period_ns)}) {
      best.list.pop_back();
    }
  }
  if (best.confidence < kLeastConfidence) {
    best.list.clear();
    best.method = "none";
    best.period_ms.reset();
    best.confidence = 0;
  }
  return best;
}

base::Interval trim_idle(const model::Capture& capture, const model::Counter& active,
                         const Clock& clock, base::Interval window) {
  const model::TimeAxis& axis = capture.axes[*active.axis];
  base::Interval work = {window.end, window.begin};
  active.values.for_each([&](std::size_t i, double value) {
    const base::Interval whole = axis.interval(i);
    const base::Interval sample = base::overlap(whole, window);
    if (sample.empty() || std::isnan(value) ||
        busy_share(active, clock, whole, value) < kIdleShare) {
      return;
    }
    work.begin = std::min(work.begin, sample.begin);
    work.end = std::max(work.end, sample.end);
  });
  return work.empty() ? window : work;
}

}  // namespace tilebound::analyze
