#include "align/anchors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/statistics.h"

namespace tilebound::align {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A sample of a queue that is busy for less than this did not work.
constexpr double kPausedShare = 0.2;
/// Bounds from jobs that contradict the others: counters read at slightly different moments.
constexpr double kBoundQuantile = 0.01;
/// Jobs a frame may differ from the passes by this much before they mean something else.
constexpr double kJobsTolerance = 0.02;

/// Pauses that are as near are one place.
constexpr double kSamePlace = 0.5;
/// Pauses that come in fewer frames than this are accidents.
constexpr double kFrequent = 0.3;

double wrapped(double place, double period) {
  return place - std::floor(place / period) * period;
}

/// Distance on the circle.
double apart(double a, double b, double period) {
  const double off = a - b;
  return std::abs(off - std::round(off / period) * period);
}

struct Cluster {
  double place = 0;
  std::size_t count = 0;
};

std::vector<Cluster> clusters(const std::vector<double>& places, double period) {
  std::vector<Cluster> out;
  for (const double place : places) {
    const double at = wrapped(place, period);
    const auto same = std::find_if(out.begin(), out.end(), [&](const Cluster& cluster) {
      return apart(cluster.place, at, period) <= kSamePlace;
    });
    if (same == out.end()) {
      out.push_back({at, 1});
    } else {
      ++same->count;
    }
  }
  return out;
}

}  // namespace

std::vector<double> pauses(const QueueTrack& track, const AxisPlan& plan,
                           const std::vector<double>& position, Run run) {
  std::vector<double> out;
  for (std::size_t i = run.first; i < run.last; ++i) {
    const auto length = static_cast<double>(track.interval[i].length().value);
    const bool paused =
        plan.counter->amount[i] <= 1e-9 * plan.period && track.busy_ns[i] < kPausedShare * length;
    if (paused && (out.empty() || position[i] > out.back() + kSamePlace)) {
      out.push_back(position[i]);
    }
  }
  return out;
}

double period_by_pauses(const std::vector<double>& pauses, double guess, double tolerance) {
  double best = guess;
  std::size_t most = 1;
  const double reach = std::floor(tolerance * guess);
  for (double off = 0; off <= reach; ++off) {
    for (const double period : {std::round(guess) - off, std::round(guess) + off}) {
      std::size_t count = 0;
      for (const Cluster& cluster : clusters(pauses, period)) {
        count = std::max(count, cluster.count);
      }
      if (count > most) {
        most = count;
        best = period;
      }
    }
  }
  return best;
}

std::optional<double> period_by_jobs(const AxisPlan& plan, const std::vector<double>& position,
                                     Run run, double tolerance) {
  if (plan.jobs == nullptr) return std::nullopt;
  std::vector<double> finished;
  double done = 0;
  for (std::size_t i = run.first; i < run.last; ++i) {
    finished.push_back(std::round(done += plan.jobs->amount[i]));
  }
  const double frames = (position[run.last - 1] - place_before(position, run.first)) / plan.period;
  const double per_frame = std::round(done / frames);
  if (per_frame < 1 || std::abs(done / frames - per_frame) > 0.2 + per_frame / frames) {
    return std::nullopt;
  }
  const auto spread = [&](double period) {
    std::vector<Stretch> ranges(static_cast<std::size_t>(per_frame), {kInfinity, -kInfinity});
    for (std::size_t i = run.first; i < run.last; ++i) {
      const double turn = std::floor(finished[i - run.first] / per_frame);
      const auto job = static_cast<std::size_t>(finished[i - run.first] - turn * per_frame);
      Stretch& range = ranges[std::min(job, ranges.size() - 1)];
      range.from = std::min(range.from, position[i] - turn * period);
      range.to = std::max(range.to, position[i] - turn * period);
    }
    double sum = 0;
    for (const Stretch& range : ranges) sum += std::max(0.0, range.length());
    return sum;
  };
  double best = std::round(plan.period);
  double least = spread(best);
  const double reach = std::floor(tolerance * plan.period);
  for (double off = -reach; off <= reach; ++off) {
    const double period = std::round(plan.period) + off;
    const double here = spread(period);
    if (here < least) {
      least = here;
      best = period;
    }
  }
  return best;
}

std::vector<double> origins_by_pauses(const std::vector<double>& pauses,
                                      const std::vector<Stretch>& passes, double period) {
  std::vector<Cluster> frequent;
  if (pauses.empty()) return {};
  const double frames = (pauses.back() - pauses.front()) / period + 1;
  constexpr std::size_t kMostClusters = 100;
  for (const Cluster& cluster : clusters(pauses, period)) {
    if (static_cast<double>(cluster.count) >= kFrequent * frames) frequent.push_back(cluster);
    if (frequent.size() > kMostClusters) return {};
  }
  if (frequent.empty()) return {};
  std::vector<double> out;
  if (passes.empty()) {
    for (const Cluster& cluster : frequent) out.push_back(cluster.place);
    return out;
  }
  for (const Stretch& pass : passes) {
    const double origin = wrapped(frequent.front().place - pass.from, period);
    const bool all = std::all_of(frequent.begin(), frequent.end(), [&](const Cluster& cluster) {
      return std::any_of(passes.begin(), passes.end(), [&](const Stretch& at) {
        return apart(cluster.place, origin + at.from, period) <= 2 * kSamePlace;
      });
    });
    if (all) out.push_back(origin);
  }
  return out;
}

std::optional<Stretch> shifts_by_jobs(const AxisPlan& plan, double period,
                                      const std::vector<double>& position,
                                      const Placement& placement, Run run, double reach) {
  const auto passes = static_cast<double>(placement.passes.size());
  const double start = place_before(position, run.first);
  const double frames = (position[run.last - 1] - start) / period;
  double jobs = 0;
  for (std::size_t i = run.first; i < run.last; ++i) jobs += plan.jobs->amount[i];
  if (std::abs(jobs / frames / passes - 1) > kJobsTolerance + 1 / frames) return std::nullopt;

  // Index of the pass at work by the placement, against jobs finished: their difference is
  // constant.
  std::vector<double> finished;
  std::vector<double> offset;
  double done = 0;
  const auto end_of = [&](double index) {
    const double turn = std::floor(index / passes);
    const auto pass = static_cast<std::size_t>(index - turn * passes);
    return turn * period + placement.passes[pass].to;
  };
  for (std::size_t i = run.first; i < run.last; ++i) {
    done += plan.jobs->amount[i];
    finished.push_back(std::round(done));
    const double place = position[i] - placement.origin;
    const double turn = std::floor(place / period);
    double ended = turn * passes;
    for (const Stretch& pass : placement.passes) {
      if (pass.to <= place - turn * period) ++ended;
    }
    offset.push_back(ended - finished.back());
  }
  const double base = std::round(base::median(offset).value_or(0));
  std::vector<double> low;
  std::vector<double> high;
  for (std::size_t i = run.first; i < run.last; ++i) {
    const double index = finished[i - run.first] + base;
    const double place = position[i] - placement.origin;
    // The end of pass index - 1 is passed, that of pass index is not.
    low.push_back(place - end_of(index));
    high.push_back(place - end_of(index - 1));
  }
  double from = *std::max_element(low.begin(), low.end());
  double to = *std::min_element(high.begin(), high.end());
  if (from > to) {
    from = base::quantile(low, 1 - kBoundQuantile).value_or(-kInfinity);
    to = base::quantile(high, kBoundQuantile).value_or(kInfinity);
  }
  if (from > to + 0.1 * reach || from > reach || to < -reach) return std::nullopt;
  return Stretch{from, std::max(from, to)};
}

}  // namespace tilebound::align
