#include "analyze/segments.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analyze/advice.h"
#include "analyze/change_points.h"
#include "base/statistics.h"

namespace tilebound::analyze {

namespace {

constexpr std::size_t kShortest = 2;  // samples
/// The squared change of the mix that a cut must explain. Loads enter as square roots of shares of
/// peak, as their noise grows with them: 7 % to 25 % counts like 40 % to 75 %.
constexpr double kLeastPenalty = 0.15;
/// Noise costs this many variances a cut.
constexpr double kNoisePenalty = 6;
/// Samples with less busy time than this share belong to no segment.
constexpr double kIdleShare = 0.02;
/// Loads above are faults of a peak or of a sample's length.
constexpr double kMostLoad = 1.2;

constexpr double kFewFragments = 10;     // percent of a segment's busy time with the fragment queue
constexpr double kFewWarps = 0.02;       // fragment warps a rasterised quad of a depth-only pass
constexpr double kFullScreenQuads = 64;  // quads a primitive that enters tiles, of full-screen work

/// Frames on either side that a cut is looked for in.
constexpr std::size_t kAround = 16;
/// A cut that fewer of them show is dropped unless it pays for itself this many times over.
constexpr double kLeastSupport = 0.5;
constexpr double kStrongCut = 6;

/// How much of a unit's load in a sample belongs to the frame's critical queue. What serves only
/// the other queue counts while the critical one has nothing to do: the next frame's geometry under
/// this one's fragments is no change of this frame's work.
double belongs(const UnitSeries& series, std::size_t unit, std::size_t sample, Queue critical) {
  if (serves(series.units[unit], critical)) return 1;
  const std::vector<double>& busy =
      critical == Queue::fragment ? series.fragment : series.non_fragment;
  return busy.empty() ? 1 : 1 - busy[sample];
}

/// A frame's busy samples as the change points see them.
struct FrameSamples {
  std::vector<std::size_t> sample;  // into the series
  Series mix;
  std::vector<double> until;  // busy time up to the end of each sample, as a share of the frame's
};

FrameSamples samples_of(const UnitSeries& series, const FrameResult& frame) {
  // The idle time before a frame's first work may hold the end of the last one's.
  const base::Interval window = {std::max(frame.window.begin, frame.frame.begin), frame.window.end};
  FrameSamples out;
  out.mix.width = series.units.size() + 1;
  const auto first = std::partition_point(series.interval.begin(), series.interval.end(),
                                          [&](const auto& i) { return i.end <= window.begin; });
  const auto after = std::partition_point(first, series.interval.end(),
                                          [&](const auto& i) { return i.begin < window.end; });
  const auto begin = static_cast<std::size_t>(first - series.interval.begin());
  const auto end = static_cast<std::size_t>(after - series.interval.begin());
  const Queue critical = critical_queue(series, begin, end);
  const std::vector<double>& queue =
      critical == Queue::fragment ? series.fragment : series.non_fragment;
  double busy = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const base::Interval sample = series.interval[i];
    const double length = static_cast<double>(sample.length().value);
    const double inside =
        static_cast<double>(base::overlap(sample, window).length().value) / length;
    // A sample that a frame's end cuts belongs to the frame that has more of it.
    if (inside < 0.5 || series.active_ns[i] < kIdleShare * length) continue;
    out.sample.push_back(i);
    for (std::size_t u = 0; u < series.units.size(); ++u) {
      const double load = series.percent[u][i] / 100 * belongs(series, u, i, critical);
      out.mix.values.push_back(load > 0 ? std::sqrt(std::min(load, kMostLoad)) : 0);
    }
    out.mix.values.push_back(queue.empty() ? 0 : queue[i]);
    out.mix.weights.push_back(series.active_ns[i] / series.period_ns);
    busy += series.active_ns[i];
    out.until.push_back(busy);
  }
  for (double& share : out.until) share /= busy;
  return out;
}

/// Cuts of one frame: rows that begin a stretch, and how far into the frame's busy time they lie.
struct Cuts {
  std::vector<std::size_t> row;
  std::vector<double> phase;
  std::vector<double> support;  // share of the frames around that show it
};

Cuts with_phases(const FrameSamples& frame, std::vector<std::size_t> rows) {
  Cuts out;
  for (const std::size_t row : rows) out.phase.push_back(frame.until[row - 1]);
  out.row = std::move(rows);
  return out;
}

/// How far apart cuts of two frames may lie to be the same one.
double tolerance(const FrameSamples& frame) {
  return std::max(0.03, 1.5 / static_cast<double>(frame.sample.size()));
}

void find_support(const std::vector<FrameSamples>& frames, std::vector<Cuts>& cuts) {
  for (std::size_t f = 0; f < cuts.size(); ++f) {
    const std::size_t first = f > kAround ? f - kAround : 0;
    const std::size_t last = std::min(cuts.size(), f + kAround + 1);
    cuts[f].support.assign(cuts[f].row.size(), 0);
    const double near = tolerance(frames[f]);
    std::size_t counted = 0;
    for (std::size_t other = first; other < last; ++other) {
      if (frames[other].sample.empty()) continue;
      ++counted;
      for (std::size_t c = 0; c < cuts[f].row.size(); ++c) {
        const auto& phases = cuts[other].phase;
        const auto at = std::lower_bound(phases.begin(), phases.end(), cuts[f].phase[c] - near);
        if (at != phases.end() && *at <= cuts[f].phase[c] + near) cuts[f].support[c] += 1;
      }
    }
    for (double& support : cuts[f].support) support /= static_cast<double>(counted);
  }
}

void drop_lone_cuts(const FrameSamples& frame, double penalty, Cuts& cuts) {
  for (std::size_t c = cuts.row.size(); c-- > 0;) {
    if (cuts.support[c] >= kLeastSupport) continue;
    const std::size_t first = c > 0 ? cuts.row[c - 1] : 0;
    const std::size_t last = c + 1 < cuts.row.size() ? cuts.row[c + 1] : frame.sample.size();
    if (gain_of_cut(frame.mix, first, cuts.row[c], last) > kStrongCut * penalty) continue;
    const auto at = static_cast<std::ptrdiff_t>(c);
    cuts.row.erase(cuts.row.begin() + at);
    cuts.phase.erase(cuts.phase.begin() + at);
    cuts.support.erase(cuts.support.begin() + at);
  }
}

/// The middle one of the samples' ratios, which a sample that reaches into the next segment does
/// not move.
double middle_ratio(const std::vector<double>& over, const std::vector<double>& under,
                    std::span<const std::size_t> samples) {
  std::vector<double> ratios;
  for (const std::size_t i : samples) {
    if (over[i] > 0 || under[i] > 0) ratios.push_back(over[i] / std::max(under[i], 1e-9));
  }
  return base::median(ratios).value_or(0);
}

double sum_over(const std::vector<double>& values, std::span<const std::size_t> samples) {
  double sum = 0;
  for (const std::size_t i : samples) sum += values[i];
  return sum;
}

/// Percent of the samples' busy time in which a queue was busy.
std::optional<double> queue_percent(const UnitSeries& series, const std::vector<double>& queue,
                                    std::span<const std::size_t> samples) {
  if (queue.empty()) return std::nullopt;
  double busy = 0;
  double total = 0;
  for (const std::size_t i : samples) {
    busy += series.active_ns[i] * queue[i];
    total += series.active_ns[i];
  }
  return 100 * busy / total;
}

Work work_of(const UnitSeries& series, const Segment& segment,
             std::span<const std::size_t> samples) {
  if (segment.fragment_percent && *segment.fragment_percent < kFewFragments) return Work::geometry;
  if (series.quads.empty()) return Work::mixed;
  const double quads = sum_over(series.quads, samples);
  if (quads <= 0) return segment.fragment_percent ? Work::mixed : Work::geometry;
  if (!series.warps.empty() && middle_ratio(series.warps, series.quads, samples) < kFewWarps) {
    return Work::depth;
  }
  if (series.primitives.empty()) return Work::mixed;
  return middle_ratio(series.quads, series.primitives, samples) > kFullScreenQuads
             ? Work::full_screen
             : Work::shading;
}

Segment segment_of(const UnitSeries& series, std::span<const std::size_t> samples,
                   const FrameResult& frame) {
  Segment out;
  out.interval = {series.interval[samples.front()].begin, series.interval[samples.back()].end};
  double busy = 0;
  std::vector<double> loads(series.units.size(), 0);
  std::vector<double> known(series.units.size(), 0);
  for (const std::size_t i : samples) {
    busy += series.active_ns[i];
    for (std::size_t u = 0; u < series.units.size(); ++u) {
      if (std::isnan(series.percent[u][i])) continue;
      loads[u] += series.active_ns[i] * series.percent[u][i];
      known[u] += series.active_ns[i];
    }
  }
  out.active_ms = busy * 1e-6;
  out.fragment_percent = queue_percent(series, series.fragment, samples);
  out.non_fragment_percent = queue_percent(series, series.non_fragment, samples);
  for (std::size_t u = 0; u < series.units.size(); ++u) {
    if (known[u] > 0) out.units.push_back({series.units[u], loads[u] / known[u]});
  }
  const Verdict verdict = judge(out.units, {});
  std::stable_sort(out.units.begin(), out.units.end(),
                   [](const auto& a, const auto& b) { return a.percent > b.percent; });
  out.kind = verdict.kind;
  out.max_gain = verdict.max_gain;
  out.limiters = critical_path(series, out.interval).limiters;
  out.work = work_of(series, out, samples);
  for (const Advice& advice : advise(situation_of(out, {}))) out.advice.push_back(advice.id);
  if (out.max_gain && frame.gpu_active_ms && *frame.gpu_active_ms > 0) {
    const double saved =
        std::min(1.0, out.active_ms / *frame.gpu_active_ms) * (1 - 1 / *out.max_gain);
    if (saved < 1) out.frame_gain = 1 / (1 - saved);
  }
  return out;
}

}  // namespace

const char* work_name(Work work) {
  switch (work) {
    case Work::geometry:
      return "geometry";
    case Work::depth:
      return "depth";
    case Work::shading:
      return "shading";
    case Work::full_screen:
      return "full_screen";
    case Work::mixed:
      break;
  }
  return "mixed";
}

const char* work_title(Work work) {
  switch (work) {
    case Work::geometry:
      return "geometry";
    case Work::depth:
      return "depth only";
    case Work::shading:
      return "shading";
    case Work::full_screen:
      return "full screen";
    case Work::mixed:
      break;
  }
  return "mixed work";
}

std::vector<std::vector<Segment>> frame_segments(const UnitSeries& series,
                                                 const std::vector<FrameResult>& frames) {
  std::vector<FrameSamples> samples;
  Series all;  // of neighbours inside frames, for what noise there is
  for (const FrameResult& frame : frames) {
    samples.push_back(samples_of(series, frame));
    const Series& mix = samples.back().mix;
    all.width = mix.width;
    all.values.insert(all.values.end(), mix.values.begin(), mix.values.end());
    all.weights.insert(all.weights.end(), mix.weights.begin(), mix.weights.end());
  }
  const double penalty = std::max(kLeastPenalty, kNoisePenalty * local_variance(all));
  std::vector<Cuts> cuts;
  for (const FrameSamples& frame : samples) {
    cuts.push_back(with_phases(frame, change_points(frame.mix, penalty, kShortest)));
  }
  find_support(samples, cuts);
  for (std::size_t f = 0; f < cuts.size(); ++f) drop_lone_cuts(samples[f], penalty, cuts[f]);

  std::vector<std::vector<Segment>> out(frames.size());
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::vector<std::size_t>& rows = cuts[f].row;
    if (samples[f].sample.empty()) continue;
    for (std::size_t c = 0; c <= rows.size(); ++c) {
      const std::size_t first = c > 0 ? rows[c - 1] : 0;
      const std::size_t last = c < rows.size() ? rows[c] : samples[f].sample.size();
      out[f].push_back(
          segment_of(series, std::span(samples[f].sample).subspan(first, last - first), frames[f]));
      const double before = c > 0 ? cuts[f].support[c - 1] : 1;
      const double after = c < rows.size() ? cuts[f].support[c] : 1;
      out[f].back().confidence = std::min(before, after);
    }
    // A capped frame's first sample begins in idle time.
    base::Interval& opening = out[f].front().interval;
    opening.begin = std::max(opening.begin, std::min(frames[f].frame.begin, opening.end));
  }
  return out;
}

}  // namespace tilebound::analyze
