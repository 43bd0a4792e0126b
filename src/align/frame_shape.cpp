#include "align/frame_shape.h"

#include <algorithm>

namespace tilebound::align {

namespace {

using analyze::Queue;

struct Span {
  double begin = 0;
  double end = 0;
};

/// Time of all passes of all frames, without what overlaps.
std::vector<Span> covered(const Alignment& alignment) {
  std::vector<Span> spans;
  for (const FrameTimes& frame : alignment.frames) {
    for (const auto* times : {&frame.fragment, &frame.non_fragment}) {
      for (const PassTime& pass : *times) spans.push_back({pass.begin.ns, pass.end.ns});
    }
  }
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.begin < b.begin; });
  std::vector<Span> out;
  for (const Span& span : spans) {
    if (!out.empty() && span.begin <= out.back().end) {
      out.back().end = std::max(out.back().end, span.end);
    } else {
      out.push_back(span);
    }
  }
  return out;
}

double inside(const Span& a, const Span& b) {
  return std::max(0.0, std::min(a.end, b.end) - std::max(a.begin, b.begin));
}

}  // namespace

FrameShape frame_shape(const Alignment& alignment, const analyze::UnitSeries& series) {
  FrameShape out;
  const std::vector<Span> passes = covered(alignment);
  std::size_t sample = 0;
  std::size_t pass = 0;
  double frames = 0;
  for (std::size_t f = 1; f < alignment.frames.size(); ++f) {
    const FrameTimes& frame = alignment.frames[f];
    if (!frame.matches || !alignment.frames[f - 1].matches) continue;
    ++frames;
    const Span window{alignment.frames[f - 1].end_ns, frame.end_ns};
    double active = 0;
    while (sample < series.size() &&
           static_cast<double>(series.interval[sample].end.value) <= window.begin) {
      ++sample;
    }
    for (std::size_t i = sample; i < series.size(); ++i) {
      const Span at{static_cast<double>(series.interval[i].begin.value),
                    static_cast<double>(series.interval[i].end.value)};
      if (at.begin >= window.end) break;
      const double share = inside(at, window) / (at.end - at.begin);
      const double worked = share * series.active_ns[i];
      active += worked;
      const double fragment = series.fragment.empty() ? 0 : series.fragment[i];
      const double other = series.non_fragment.empty() ? 0 : series.non_fragment[i];
      out.fragment_ms += worked * fragment;
      out.non_fragment_ms += worked * other;
      out.overlap_ms += worked * std::max(0.0, fragment + other - 1);
    }
    double in_passes = 0;
    while (pass < passes.size() && passes[pass].end <= window.begin) ++pass;
    for (std::size_t p = pass; p < passes.size() && passes[p].begin < window.end; ++p) {
      in_passes += inside(passes[p], window);
    }
    out.active_ms += active;
    out.unattributed_ms += std::max(0.0, active - in_passes);
  }
  if (frames == 0) return {};
  for (double* ns : {&out.active_ms, &out.fragment_ms, &out.non_fragment_ms, &out.overlap_ms,
                     &out.unattributed_ms}) {
    *ns /= frames * 1e6;
  }
  return out;
}

std::vector<Step> critical_path(const Alignment& alignment, const FrameTimes& frame,
                                double sample_ns) {
  std::vector<Step> all;
  const auto add = [&](const QueueAlignment& queue, const std::vector<PassTime>& times) {
    for (std::size_t k = 0; k < times.size(); ++k) {
      all.push_back({queue.queue, queue.passes[k].work, times[k].begin.ns, times[k].end.ns});
    }
  };
  add(alignment.fragment, frame.fragment);
  add(alignment.non_fragment, frame.non_fragment);
  if (all.empty()) return {};
  const auto ends_later = [](const Step& a, const Step& b) { return a.end_ns < b.end_ns; };
  std::vector<Step> out{*std::max_element(all.begin(), all.end(), ends_later)};
  for (;;) {
    // Fragment work needs its own pass's vertex work; both need what ran before on their queue.
    const Step later = out.back();
    const Step* waited_for = nullptr;
    for (const Step& step : all) {
      if (step.begin_ns >= later.begin_ns || step.end_ns > later.begin_ns + sample_ns) continue;
      const bool same = step.queue == later.queue;
      const bool own = step.work == later.work || (later.queue == Queue::non_fragment);
      if (!same && !own) continue;
      if (waited_for == nullptr || step.end_ns > waited_for->end_ns ||
          (same && step.end_ns >= waited_for->end_ns - sample_ns &&
           waited_for->queue != later.queue)) {
        waited_for = &step;
      }
    }
    if (waited_for == nullptr) break;
    out.push_back(*waited_for);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace tilebound::align
