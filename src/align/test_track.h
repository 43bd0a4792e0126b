#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "align/queue_track.h"

/// A queue that does the same passes in every frame, sampled, for tests.
namespace tilebound::align {

struct FakePass {
  double work = 0;    // that the progress counter counts
  double ms = 0;      // that it takes
  double mix = 1;     // of a second counter, for each ms
  double gap_ms = 0;  // the queue waits before it
};

struct FakeQueue {
  std::vector<FakePass> passes;
  double idle_ms = 0;  // between frames
  std::size_t frames = 60;
  double sample_ms = 1;
  double jitter = 0.02;  // of each frame's length, so that frames lie differently in samples
};

inline QueueTrack fake_track(const FakeQueue& queue) {
  struct Span {
    double begin;
    double end;
    const FakePass* pass;
  };
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Span> stretches;
  double t = 5;
  for (std::size_t f = 0; f < queue.frames; ++f) {
    for (const FakePass& pass : queue.passes) {
      t += pass.gap_ms;
      stretches.push_back({t, t + pass.ms, &pass});
      t += pass.ms;
    }
    t += queue.idle_ms * (1 + queue.jitter * uniform(random));
  }
  QueueTrack out;
  out.period_ns = queue.sample_ms * 1e6;
  const auto samples = static_cast<std::size_t>(std::ceil((t + 5) / queue.sample_ms));
  TrackCounter work{"MaliFragTile", std::vector<double>(samples, 0)};
  TrackCounter mix{"MaliFragRastQd", std::vector<double>(samples, 0)};
  for (std::size_t i = 0; i < samples; ++i) {
    const auto ns = [&](std::size_t at) {
      return base::Nanoseconds{std::llround(static_cast<double>(at) * queue.sample_ms * 1e6)};
    };
    out.interval.push_back({ns(i), ns(i + 1)});
    out.busy_ns.push_back(0);
    out.overlap_ns.push_back(0);
    out.after_gap.push_back(false);
  }
  for (const Span& s : stretches) {
    const auto first = static_cast<std::size_t>(s.begin / queue.sample_ms);
    for (std::size_t i = first; i < samples; ++i) {
      const double from = static_cast<double>(i) * queue.sample_ms;
      const double inside = std::min(s.end, from + queue.sample_ms) - std::max(s.begin, from);
      if (inside <= 0) break;
      out.busy_ns[i] += inside * 1e6;
      work.amount[i] += s.pass->work * inside / s.pass->ms;
      mix.amount[i] += s.pass->mix * inside;
    }
  }
  out.progress.push_back(std::move(work));
  out.mix.push_back(std::move(mix));
  return out;
}

}  // namespace tilebound::align
