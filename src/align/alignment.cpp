#include "align/alignment.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "align/axis.h"
#include "align/frame_shape.h"
#include "align/pass_loads.h"
#include "align/pooling.h"
#include "align/queue_track.h"
#include "align/stages.h"
#include "base/statistics.h"
#include "devices/catalogue.h"

namespace tilebound::align {

namespace {

using analyze::Queue;

/// By method: exact, mix, none.
constexpr double kMostConfidence[] = {0.98, 0.7, 0};
/// Bytes of a beat on the external bus where a profile does not say.
constexpr double kUsualBeatBytes = 16;
/// A frame of the counters that does this much more or less than the API capture's is another
/// scene.
constexpr double kLeastRatio = 0.6;
constexpr double kMostRatio = 1.9;
/// Frames that counters show with less confidence say nothing of what a frame adds.
constexpr double kSureFrames = 0.5;
/// With fewer frames than this share alike, what was found is no frame.
constexpr double kLeastMatching = 0.3;

/// One queue on its way through the alignment.
struct QueueRun {
  QueueTrack track;
  QueuePlan plan;
  std::optional<Axis> axis;
  std::vector<std::vector<PassTime>> times;  // by frame of the axis
};

std::vector<base::Nanoseconds> frame_ends(const analyze::Frames& frames) {
  std::vector<base::Nanoseconds> out;
  for (const analyze::Frame& frame : frames.list) out.push_back(frame.end);
  return out;
}

/// Frames that an axis has finished at the end of sample `i`, counted as its list counts them.
double frames_done(const Axis& axis, std::size_t i) {
  return (axis.position[i] - axis.frames.front().origin) / axis.period;
}

bool whole(double frames) {
  constexpr double kWhole = 0.02;
  return std::abs(frames - std::round(frames)) < kWhole;
}

/// Samples in which neither queue worked.
std::vector<std::size_t> idle_samples(const QueueTrack& a, const QueueTrack& b) {
  constexpr double kIdleShare = 0.02;
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto length = static_cast<double>(a.interval[i].length().value);
    if (a.busy_ns[i] + b.busy_ns[i] <= kIdleShare * length) out.push_back(i);
  }
  return out;
}

/// Nothing is under way while the whole GPU is idle: where fragments are between two frames then,
/// so is the other queue. Its place on its own axis, if most such samples agree.
std::optional<double> origin_by_idle(const QueueRun& fragment, const QueueTrack& track,
                                     const AxisPlan& plan) {
  std::vector<double> position;
  double sum = 0;
  for (const double amount : plan.counter->amount) position.push_back(sum += amount);
  std::map<std::int64_t, std::size_t> votes;
  std::size_t all = 0;
  for (const std::size_t i : idle_samples(fragment.track, track)) {
    if (!whole(frames_done(*fragment.axis, i))) continue;
    ++votes[std::llround(std::fmod(position[i], plan.period))];
    ++all;
  }
  for (const auto& [place, count] : votes) {
    if (2 * count > all) return static_cast<double>(place);
  }
  return std::nullopt;
}

/// Places in a frame with work that is no pass's.
std::size_t gaps_of(const Axis& axis) {
  std::size_t out = 0;
  for (std::size_t p = 0; p < axis.pieces.size(); ++p)
    out += axis.pieces[p].pass == kNoPass ? 1 : 0;
  return out;
}

/// Fragment jobs of a frame that no pass of the API capture accounts for; 0 where they are not
/// counted.
double extra_passes(const std::vector<Comparison>& compared) {
  for (const Comparison& one : compared) {
    if (!one.counter.ends_with("FragQueueJob") && !one.counter.ends_with("MainQueueJob")) continue;
    if (!one.counter.starts_with("MaliNon") && one.measured) return *one.measured - one.expected;
  }
  return 0;
}

/// Whether the GPU is mostly idle at the ends of frames: then no queue is ahead of them.
bool idle_between(const QueueTrack& a, const QueueTrack& b,
                  std::span<const base::Nanoseconds> ends) {
  const std::vector<std::size_t> idle = idle_samples(a, b);
  std::size_t count = 0;
  for (const base::Nanoseconds end : ends) {
    const auto reach = static_cast<std::int64_t>(2 * a.period_ns);
    const auto after = std::lower_bound(idle.begin(), idle.end(), end, [&](std::size_t i, auto t) {
      return a.interval[i].end < t;
    });
    if (after != idle.end() && (a.interval[*after].begin - end).value < reach) ++count;
  }
  return 2 * count > ends.size();
}

/// `fragment` is the other queue where that one is laid already.
QueueRun lay_queue(QueueTrack track, const std::vector<PassWork>& works,
                   const model::ApiFrame& frame, const analyze::Frames& frames,
                   const std::optional<QueueRun>& fragment, QueueAlignment& result) {
  QueueRun run{std::move(track), {}, {}, {}};
  run.plan = plan_queue(run.track, works, frame, frames);
  result.reason = run.plan.reason;
  result.unaccounted_share = run.plan.unaccounted_share;
  if (run.plan.passes.empty()) return run;
  if (run.plan.axis) {
    if (fragment && fragment->axis && fragment->plan.axis && run.plan.unaccounted_share == 0) {
      run.plan.axis->origin = origin_by_idle(*fragment, run.track, *run.plan.axis);
    }
    run.axis = find_axis(run.track, *run.plan.axis);
    result.counter = run.plan.axis->counter->name;
    result.method = Method::exact;
  } else {
    const std::vector<base::Nanoseconds> ends = frame_ends(frames);
    const bool ahead = fragment && !idle_between(fragment->track, run.track, ends);
    run.axis = find_axis_by_mix(run.track, ends, hints(run.track, works, run.plan.passes),
                                run.plan.passes.size(), ahead);
    result.method = Method::mix;
    result.reason += "; passes lie where the mix of counters fits them best";
  }
  if (!run.axis) {
    result.method = Method::none;
    result.reason += "; the capture holds no whole frame of it";
    return run;
  }
  const AxisWork work = run.axis->work(run.track);
  for (const AxisFrame& one : run.axis->frames) {
    run.times.push_back(pass_times(work, one, run.axis->placement));
  }
  const double matching =
      static_cast<double>(std::count_if(run.axis->frames.begin(), run.axis->frames.end(),
                                        [](const AxisFrame& one) { return one.matches; })) /
      static_cast<double>(run.axis->frames.size());
  result.confidence = kMostConfidence[static_cast<std::size_t>(result.method)] * matching;
  // Where the work of others lies is a guess, the more so the more there is.
  if (result.unaccounted_share > 0) {
    const bool one = gaps_of(*run.axis) == 1 && extra_passes(run.plan.compared) < 1.5;
    const double sure = one ? 0.8 : 0.4;
    result.confidence *= sure * std::max(0.0, 1 - 2 * result.unaccounted_share);
  }
  result.passes = pooled(*run.axis, run.track, run.times, run.plan.passes);
  return run;
}

/// By idle samples, in which both queues have finished the same frames.
std::optional<std::ptrdiff_t> lead_by_idle(const QueueRun& fragment, const QueueRun& other) {
  std::map<std::ptrdiff_t, std::size_t> votes;
  std::size_t all = 0;
  for (const std::size_t i : idle_samples(fragment.track, other.track)) {
    const double lead = frames_done(*other.axis, i) - frames_done(*fragment.axis, i);
    if (!whole(lead)) continue;
    ++votes[std::lround(lead)];
    ++all;
  }
  for (const auto& [lead, count] : votes) {
    if (2 * count > all) return lead;
  }
  return std::nullopt;
}

/// The latest vertex work that is done before the fragment work that needs it.
std::ptrdiff_t lead_by_cause(const QueueRun& fragment, const QueueRun& other) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < fragment.plan.passes.size(); ++a) {
    for (std::size_t b = 0; b < other.plan.passes.size(); ++b) {
      if (fragment.plan.passes[a] == other.plan.passes[b]) pairs.emplace_back(a, b);
    }
  }
  // Interpolation inside samples is off by this much now and then.
  constexpr double kCausal = 0.8;
  const double slack = 0.15 * fragment.track.period_ns;
  const auto causal = [&](std::ptrdiff_t lead) {
    for (const auto& [a, b] : pairs) {
      double right = 0;
      double all = 0;
      for (std::size_t f = 0; f < fragment.times.size(); ++f) {
        const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(f) + lead;
        if (n < 0 || n >= static_cast<std::ptrdiff_t>(other.times.size())) continue;
        const PassTime& before = other.times[static_cast<std::size_t>(n)][b];
        ++all;
        if (before.end.ns <= fragment.times[f][a].begin.ns + slack) ++right;
      }
      if (right < kCausal * all) return false;
    }
    return true;
  };
  // From where the vertex work is surely too late.
  std::ptrdiff_t lead = 0;
  const double first = fragment.times.front().front().begin.ns;
  while (lead < static_cast<std::ptrdiff_t>(other.times.size()) &&
         other.times[static_cast<std::size_t>(lead)].front().begin.ns <= first) {
    ++lead;
  }
  constexpr std::ptrdiff_t kMostFramesAhead = 8;
  for (std::ptrdiff_t back = 0; back < kMostFramesAhead; ++back) {
    if (causal(lead - back)) return lead - back;
  }
  return lead;
}

/// How many frames of the non-fragment axis to go on from one of the fragment axis for the same
/// frame.
std::ptrdiff_t frame_lead(const QueueRun& fragment, const QueueRun& other) {
  if (fragment.times.empty() || other.times.empty()) return 0;
  if (const auto lead = lead_by_idle(fragment, other)) return *lead;
  return lead_by_cause(fragment, other);
}

/// An axis pass stands for several works where the GPU did them as one.
std::vector<PassTime> by_work(const std::vector<PassTime>& times,
                              const std::vector<std::vector<std::size_t>>& passes) {
  std::vector<PassTime> out;
  for (std::size_t k = 0; k < times.size(); ++k) {
    out.insert(out.end(), passes[k].size(), times[k]);
  }
  return out;
}

void find_ends(FrameTimes& frame) {
  bool first = true;
  for (const auto* times : {&frame.fragment, &frame.non_fragment}) {
    for (const PassTime& pass : *times) {
      frame.begin_ns = first ? pass.begin.ns : std::min(frame.begin_ns, pass.begin.ns);
      frame.end_ns = first ? pass.end.ns : std::max(frame.end_ns, pass.end.ns);
      first = false;
    }
  }
}

/// Frames that end inside the window.
std::vector<FrameTimes> join_frames(const std::optional<QueueRun>& fragment,
                                    const std::optional<QueueRun>& other, base::Interval window) {
  std::vector<FrameTimes> out;
  const bool fragments = fragment && fragment->axis;
  const bool others = other && other->axis;
  const std::ptrdiff_t lead = fragments && others ? frame_lead(*fragment, *other) : 0;
  const QueueRun& lead_run = fragments ? *fragment : *other;
  for (std::size_t f = 0; f < lead_run.times.size(); ++f) {
    FrameTimes frame;
    frame.matches = lead_run.axis->frames[f].matches;
    if (fragments) frame.fragment = by_work(fragment->times[f], fragment->plan.passes);
    const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(f) + lead;
    if (others && n >= 0 && n < static_cast<std::ptrdiff_t>(other->times.size())) {
      frame.non_fragment = by_work(other->times[static_cast<std::size_t>(n)], other->plan.passes);
    }
    find_ends(frame);
    const double sample = lead_run.track.period_ns;
    if (frame.end_ns < static_cast<double>(window.begin.value) + sample ||
        frame.end_ns > static_cast<double>(window.end.value) + sample) {
      continue;
    }
    out.push_back(std::move(frame));
  }
  return out;
}

/// The frame whose passes are closest to the medians of all.
std::optional<std::size_t> typical_frame(const std::vector<FrameTimes>& frames) {
  std::optional<std::size_t> best;
  double least = 0;
  std::vector<double> medians;
  const auto lengths = [](const FrameTimes& frame) {
    std::vector<double> out;
    for (const PassTime& pass : frame.fragment) out.push_back(pass.length_ns());
    for (const PassTime& pass : frame.non_fragment) out.push_back(pass.length_ns());
    return out;
  };
  std::size_t most = 0;
  for (const FrameTimes& frame : frames) most = std::max(most, lengths(frame).size());
  for (std::size_t k = 0; k < most; ++k) {
    std::vector<double> of_pass;
    for (const FrameTimes& frame : frames) {
      const std::vector<double> all = lengths(frame);
      if (frame.matches && all.size() == most) of_pass.push_back(all[k]);
    }
    medians.push_back(base::median(of_pass).value_or(0));
  }
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::vector<double> all = lengths(frames[f]);
    if (!frames[f].matches || all.size() != most) continue;
    double off = 0;
    for (std::size_t k = 0; k < most; ++k) off += std::abs(all[k] - medians[k]);
    if (!best || off < least) {
      best = f;
      least = off;
    }
  }
  return best;
}

/// Why the frames of the counters cannot be the API capture's; empty where they can.
std::string mismatch(const std::vector<Comparison>& compared) {
  std::size_t fitting = 0;
  std::size_t judged = 0;
  std::string worst;
  double furthest = 0;
  for (const Comparison& one : compared) {
    const auto ratio = one.ratio();
    if (!ratio || *ratio <= 0) continue;
    ++judged;
    if (*ratio >= kLeastRatio && *ratio <= kMostRatio) {
      ++fitting;
    } else if (std::abs(std::log(*ratio)) > furthest) {
      furthest = std::abs(std::log(*ratio));
      worst = fmt::format("a frame of the counters adds {:.0f} to {}, the API capture's {:.0f}",
                          *one.measured, one.counter, one.expected);
    }
  }
  return judged > 0 && 2 * fitting < judged ? worst : std::string();
}

void take_loads(const std::vector<PassLoad>& loads,
                const std::vector<std::vector<std::size_t>>& passes, QueueAlignment& result) {
  std::size_t at = 0;
  for (std::size_t k = 0; k < loads.size(); ++k) {
    for (std::size_t member = 0; member < passes[k].size(); ++member, ++at) {
      result.passes[at].units = loads[k].units;
      result.passes[at].limiters = loads[k].limiters;
      result.passes[at].read_bytes = loads[k].read_bytes;
      result.passes[at].written_bytes = loads[k].written_bytes;
    }
  }
}

void attribute_loads(const std::optional<QueueRun>& fragment, const std::optional<QueueRun>& other,
                     const analyze::UnitSeries& series, analyze::Columns& columns,
                     double beat_bytes, Alignment& out) {
  Queues queues;
  const auto axis_of = [](const std::optional<QueueRun>& run) {
    return run && run->axis ? &*run->axis : nullptr;
  };
  queues.fragment = axis_of(fragment);
  queues.non_fragment = axis_of(other);
  if (fragment) queues.fragment_track = &fragment->track;
  if (other) queues.non_fragment_track = &other->track;
  const PassLoads loads = pass_loads(queues, series, columns, beat_bytes);
  if (queues.fragment != nullptr) take_loads(loads.fragment, fragment->plan.passes, out.fragment);
  if (queues.non_fragment != nullptr) {
    take_loads(loads.non_fragment, other->plan.passes, out.non_fragment);
  }
}

}  // namespace

Alignment align(const model::Capture& capture, const analyze::Analysis& analysis,
                const lint::Context& context) {
  Alignment out;
  out.works = expected_work(context);
  out.non_fragment.queue = Queue::non_fragment;
  const devices::Binding binding = devices::bind(capture, analysis.gpu);
  const auto active = analyze::active_cycles_counter(capture, binding);
  if (!active) {
    out.reason = "GPU-active cycles are not recorded";
    return out;
  }
  const auto samplings = analyze::samplings_of(capture);
  const analyze::Totals totals(capture, binding, analysis.cores, samplings, {analysis.window});
  const analyze::UnitSeries series =
      unit_series(totals, analysis.clock, analysis.device, analysis.units);
  analyze::Columns columns(totals, *capture.counters[*active].axis);

  const analyze::Frames sure =
      analysis.frames.confidence >= kSureFrames ? analysis.frames : analyze::Frames();
  std::optional<QueueRun> runs[2];
  const Queue queues[] = {Queue::fragment, Queue::non_fragment};
  for (std::size_t q = 0; q < 2; ++q) {
    QueueAlignment& result = q == 0 ? out.fragment : out.non_fragment;
    auto track = queue_track(queues[q], totals, columns, series);
    if (!track) {
      result.reason = "the queue's active cycles are not recorded";
      continue;
    }
    runs[q] = lay_queue(std::move(*track), out.works, context.frame, sure, runs[0], result);
    out.compared.insert(out.compared.end(), runs[q]->plan.compared.begin(),
                        runs[q]->plan.compared.end());
  }
  out.reason = mismatch(out.compared);
  if (!out.reason.empty()) return out;
  const bool any = (runs[0] && runs[0]->axis) || (runs[1] && runs[1]->axis);
  if (!any) {
    out.reason = fmt::format("fragment queue: {}; non-fragment queue: {}", out.fragment.reason,
                             out.non_fragment.reason);
    return out;
  }
  out.frames = join_frames(runs[0], runs[1], analysis.window);
  out.matching = static_cast<std::size_t>(std::count_if(
      out.frames.begin(), out.frames.end(), [](const FrameTimes& f) { return f.matches; }));
  if (static_cast<double>(out.matching) < kLeastMatching * static_cast<double>(out.frames.size())) {
    out.reason = fmt::format("only {} of {} frames do what the API capture's frame does",
                             out.matching, out.frames.size());
    return out;
  }
  for (const QueueAlignment* queue : {&out.fragment, &out.non_fragment}) {
    if (queue->unaccounted_share <= 0 || queue->method == Method::none) continue;
    model::add_note(
        out.notes, "work_of_others", model::Severity::warning,
        fmt::format("{:.1f} % of a frame's work on the {} queue is in no pass of the API "
                    "capture: a driver's, another program's, or passes that its frame "
                    "lacks; where it lies is a guess, and so are passes next to it",
                    100 * queue->unaccounted_share,
                    queue->queue == Queue::fragment ? "fragment" : "non-fragment"));
  }
  if (out.matching < out.frames.size()) {
    model::add_note(out.notes, "frames_left_out", model::Severity::info,
                    "frames that do other work than the API capture's, or miss samples; no time "
                    "comes from them",
                    out.frames.size() - out.matching);
  }
  attribute_loads(runs[0], runs[1], series, columns,
                  analysis.device.external_beat_bytes.value_or(kUsualBeatBytes), out);
  use_stages(capture.render_stages, analysis.gpu, out);
  out.typical = typical_frame(out.frames);
  out.shape = frame_shape(out, series);
  if (out.typical) {
    out.critical_path = critical_path(out, out.frames[*out.typical], columns.period_ns());
  }
  out.aligned = true;
  return out;
}

std::optional<analyze::Frames> guided_frames(const Alignment& alignment) {
  const QueueAlignment& queue = alignment.fragment;
  constexpr std::size_t kLeastFrames = 3;
  if (!alignment.aligned || queue.method != Method::exact ||
      alignment.frames.size() < kLeastFrames) {
    return std::nullopt;
  }
  analyze::Frames out;
  out.method = "api_guided";
  out.confidence = queue.confidence;
  out.reason =
      fmt::format("the sum of {} reaches what the API capture's frame adds", queue.counter);
  for (const FrameTimes& frame : alignment.frames) {
    const auto ns = [](double t) { return base::Nanoseconds{std::llround(t)}; };
    out.list.push_back({ns(frame.begin_ns), ns(frame.end_ns)});
  }
  out.period_ms = out.mean_distance_ms();
  return out;
}

std::string work_name(const lint::Context& context, const PassWork& work) {
  const model::Pass& pass = context.frame.passes[work.pass];
  if (!pass.label.empty()) return pass.label;
  if (!pass.name.empty()) return pass.name;
  if (pass.kind != model::PassKind::render) return fmt::format("pass {}", work.pass + 1);
  return fmt::format("pass {} {}x{}", work.pass + 1, pass.area.width, pass.area.height);
}

std::vector<analyze::Lane> lanes(const Alignment& alignment, const lint::Context& context) {
  constexpr std::size_t kMostSpans = 20'000;
  std::vector<analyze::Lane> out;
  for (const QueueAlignment* queue : {&alignment.fragment, &alignment.non_fragment}) {
    if (queue->passes.empty()) continue;
    const bool fragment = queue->queue == Queue::fragment;
    analyze::Lane lane{fragment ? "fragment passes" : "non-fragment passes", {}};
    for (const FrameTimes& frame : alignment.frames) {
      const std::vector<PassTime>& times = fragment ? frame.fragment : frame.non_fragment;
      if (!frame.matches) continue;
      for (std::size_t k = 0; k < times.size() && lane.spans.size() < kMostSpans; ++k) {
        const auto ns = [](double t) { return base::Nanoseconds{std::llround(t)}; };
        const base::Interval at{ns(times[k].begin.ns), ns(times[k].end.ns)};
        if (!at.empty()) {
          lane.spans.push_back({at, work_name(context, alignment.works[queue->passes[k].work])});
        }
      }
    }
    std::stable_sort(lane.spans.begin(), lane.spans.end(), [](const auto& a, const auto& b) {
      return a.interval.begin < b.interval.begin;
    });
    out.push_back(std::move(lane));
  }
  return out;
}

}  // namespace tilebound::align
