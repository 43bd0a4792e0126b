#include "align/alignment.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "align/axis.h"
#include "align/queue_track.h"
#include "base/statistics.h"
#include "devices/catalogue.h"

namespace tilebound::align {

namespace {

using analyze::Queue;

/// What a frame adds to a counter, from frames that the counters alone showed.
std::optional<double> per_frame(const QueueTrack& track, const TrackCounter& counter,
                                const analyze::Frames& frames) {
  if (frames.list.size() < 3) return std::nullopt;
  std::vector<double> totals;
  double sum = 0;
  std::size_t count = 0;
  std::size_t i = 0;
  for (std::size_t f = 1; f < frames.list.size(); ++f) {
    const base::Interval window = frames.window(f);
    double total = 0;
    bool gap = false;
    while (i < track.size() && track.interval[i].end <= window.begin) ++i;
    for (std::size_t j = i; j < track.size() && track.interval[j].begin < window.end; ++j) {
      const base::Interval common = base::overlap(track.interval[j], window);
      const auto length = static_cast<double>(track.interval[j].length().value);
      total += counter.amount[j] * static_cast<double>(common.length().value) / length;
      gap = gap || track.after_gap[j];
    }
    if (gap) continue;
    totals.push_back(total);
    sum += total;
    ++count;
  }
  if (count == 0) return std::nullopt;
  const auto middle = base::median(totals);
  const double mean = sum / static_cast<double>(count);
  // A few odd frames pull the mean; cut edges scatter the middle.
  return std::abs(mean / *middle - 1) < 0.05 ? mean : *middle;
}

const Amount& amount_of(const PassWork& work, const std::string& counter) {
  if (counter == "MaliFragTile") return work.tiles;
  if (counter == "MaliFragQueueTask" || counter == "MaliMainQueueTask") return work.tasks;
  return work.jobs;
}

/// Counters that show an amount of a pass, but for one scale.
constexpr std::pair<const char*, Amount PassWork::*> kKnownAmounts[] = {
    {"MaliGeomTrianglePrim", &PassWork::primitives},
    {"MaliGeomPosShadTask", &PassWork::vertices},
    {"MaliSCBusTileWrBt", &PassWork::stored_bytes},
};

std::optional<AxisPlan> plan_for(const QueueTrack& track, const std::vector<PassWork>& works,
                                 const std::vector<std::size_t>& on_queue,
                                 const analyze::Frames& frames, std::string& why) {
  for (const TrackCounter& counter : track.progress) {
    const bool per_pass = track.queue == Queue::fragment && counter.name.ends_with("Job");
    AxisPlan plan;
    plan.counter = &counter;
    bool known = true;
    for (const std::size_t w : on_queue) {
      const Amount one{1, Certainty::exact};
      const Amount& amount = per_pass ? one : amount_of(works[w], counter.name);
      known = known && amount.known();
      plan.lengths.push_back(amount.value);
      plan.period += amount.value;
    }
    if (!known || plan.period <= 0) continue;
    const auto measured = per_frame(track, counter, frames);
    if (measured) {
      const double ratio = *measured / plan.period;
      fmt::print(stderr, "{}: measured {:.1f} expected {:.1f} ratio {:.4f}\n", counter.name,
                 *measured, plan.period, ratio);
    }
    for (const auto& [name, amount] : kKnownAmounts) {
      for (const TrackCounter& mix : track.mix) {
        if (mix.name != name || mix.name == counter.name) continue;
        Known one{&mix, {}};
        bool all = true;
        for (const std::size_t w : on_queue) {
          all = all && (works[w].*amount).known();
          one.expected.push_back((works[w].*amount).value);
        }
        if (all) plan.known.push_back(std::move(one));
      }
    }
    for (const TrackCounter& jobs : track.progress) {
      if (jobs.name.ends_with("Job") && track.queue == Queue::fragment) plan.jobs = &jobs;
    }
    return plan;
  }
  why = "no counter adds up work that the API capture tells";
  return std::nullopt;
}

/// Frames on both axes that are one frame: the latest vertex work that is done before the fragment
/// work that needs it.
std::ptrdiff_t frame_lead(const std::vector<std::vector<PassTime>>& fragment,
                          const std::vector<std::vector<PassTime>>& non_fragment,
                          const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                          double sample_ns) {
  if (fragment.empty() || non_fragment.empty() || pairs.empty()) return 0;
  const auto causal = [&](std::ptrdiff_t lead) {
    std::size_t right = 0;
    std::size_t all = 0;
    for (std::size_t f = 0; f < fragment.size(); ++f) {
      const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(f) + lead;
      if (n < 0 || n >= static_cast<std::ptrdiff_t>(non_fragment.size())) continue;
      for (const auto& [a, b] : pairs) {
        ++all;
        const PassTime& before = non_fragment[static_cast<std::size_t>(n)][b];
        if (before.end.ns <= fragment[f][a].begin.ns + sample_ns) ++right;
      }
    }
    return all > 0 && right >= 0.97 * static_cast<double>(all);
  };
  // From the latest that overlaps at all down to the first that is causal.
  const auto span = static_cast<std::ptrdiff_t>(non_fragment.size());
  for (std::ptrdiff_t lead = span - 1; lead > -static_cast<std::ptrdiff_t>(fragment.size());
       --lead) {
    if (causal(lead)) return lead;
  }
  return 0;
}

}  // namespace

Alignment align(const model::Capture& capture, const analyze::Analysis& analysis,
                const lint::Context& context) {
  Alignment out;
  out.works = expected_work(context);
  const devices::Binding binding = devices::bind(capture, analysis.gpu);
  const auto samplings = analyze::samplings_of(capture);
  const analyze::Totals totals(capture, binding, analysis.cores, samplings, {analysis.window});
  const auto active = analyze::active_cycles_counter(capture, binding);
  if (!active) {
    out.reason = "GPU-active cycles are not recorded";
    return out;
  }
  const analyze::UnitSeries series =
      unit_series(totals, analysis.clock, analysis.device, analysis.units);
  analyze::Columns columns(totals, *capture.counters[*active].axis);
  std::vector<std::vector<PassTime>> times[2];
  std::optional<Axis> axes[2];
  for (const Queue queue : {Queue::fragment, Queue::non_fragment}) {
    const bool fragment = queue == Queue::fragment;
    QueueAlignment& result = fragment ? out.fragment : out.non_fragment;
    result.queue = queue;
    std::vector<std::size_t> on_queue;
    for (std::size_t w = 0; w < out.works.size(); ++w) {
      if (fragment ? out.works[w].fragment : out.works[w].non_fragment) on_queue.push_back(w);
    }
    const auto track = queue_track(queue, totals, columns, series);
    if (!track) {
      result.reason = "not recorded";
      continue;
    }
    const auto plan = plan_for(*track, out.works, on_queue, analysis.frames, result.reason);
    if (!plan) continue;
    auto axis = find_axis(*track, *plan);
    if (!axis) continue;
    result.method = Method::exact;
    result.counter = plan->counter->name;
    fmt::print(
        stderr,
        "{} explained {:.3f} spread {:.3f} runner {:.3f} origin {:.1f} period {:.1f} frames {}\n",
        result.counter, axis->placement.explained, axis->placement.spread,
        axis->placement.runner_up, axis->placement.origin, axis->period, axis->frames.size());
    const AxisWork work = axis->work(*track);
    for (const AxisFrame& frame : axis->frames) {
      times[fragment ? 0 : 1].push_back(pass_times(work, frame, axis->placement));
    }
    for (std::size_t k = 0; k < on_queue.size(); ++k) {
      PassOnQueue pass;
      pass.work = on_queue[k];
      pass.ms.estimate = axis->pass_ns[k] / 1e6;
      pass.error_ms = axis->pass_error_ns[k] / 1e6;
      result.passes.push_back(pass);
    }
    axes[fragment ? 0 : 1] = std::move(axis);
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < out.fragment.passes.size(); ++a) {
    for (std::size_t b = 0; b < out.non_fragment.passes.size(); ++b) {
      if (out.fragment.passes[a].work == out.non_fragment.passes[b].work) pairs.emplace_back(a, b);
    }
  }
  const std::ptrdiff_t lead = frame_lead(times[0], times[1], pairs, columns.period_ns());
  fmt::print(stderr, "lead {}\n", lead);
  for (std::size_t f = 0; f < times[0].size(); ++f) {
    FrameTimes frame;
    frame.fragment = times[0][f];
    frame.matches = axes[0]->frames[f].matches;
    const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(f) + lead;
    if (n >= 0 && n < static_cast<std::ptrdiff_t>(times[1].size())) {
      frame.non_fragment = times[1][static_cast<std::size_t>(n)];
    }
    frame.end_ns = frame.fragment.back().end.ns;
    out.matching += frame.matches ? 1 : 0;
    out.frames.push_back(std::move(frame));
  }
  out.aligned = !out.frames.empty();
  return out;
}

}  // namespace tilebound::align
