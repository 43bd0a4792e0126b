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

double wrapped(double place, double period) {
  return place - std::floor(place / period) * period;
}

/// Distance from a place on the circle to the nearest boundary, with sign.
double to_boundary(double place, const Placement& placement, double period) {
  double best = kInfinity;
  const auto consider = [&](double boundary) {
    double off = place - boundary;
    off -= std::round(off / period) * period;
    if (std::abs(off) < std::abs(best)) best = off;
  };
  for (const Stretch& pass : placement.passes) {
    consider(pass.from);
    consider(pass.to);
  }
  return best;
}

/// Places where the queue stood still for a whole sample, against the nearest boundary.
std::vector<double> pause_offsets(const QueueTrack& track, const AxisPlan& plan, double period,
                                  const std::vector<double>& position, const Placement& placement,
                                  Run run) {
  std::vector<double> out;
  double last = -kInfinity;
  for (std::size_t i = run.first; i < run.last; ++i) {
    const auto length = static_cast<double>(track.interval[i].length().value);
    const bool paused =
        plan.counter->amount[i] <= 1e-9 * period && track.busy_ns[i] < kPausedShare * length;
    if (!paused || position[i] <= last) continue;
    last = position[i];
    out.push_back(to_boundary(wrapped(position[i] - placement.origin, period), placement, period));
  }
  return out;
}

/// Shifts that keep every sample between the ends of the jobs finished before it and the next one;
/// nothing where jobs are not one a pass, or none is within [-reach, reach].
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

}  // namespace

double anchor_shift(const QueueTrack& track, const AxisPlan& plan, double period,
                    const std::vector<double>& position, const Placement& placement, Run run,
                    double reach) {
  constexpr double kReachBins = 8;
  const double far = kReachBins * reach;
  const std::vector<double> pauses = pause_offsets(track, plan, period, position, placement, run);
  std::vector<double> near;
  for (const double offset : pauses) {
    if (std::abs(offset) <= far) near.push_back(offset);
  }
  const bool pauses_agree = !near.empty() && 2 * near.size() > pauses.size();
  const double by_pauses = base::median(near).value_or(0);
  std::optional<Stretch> jobs;
  if (plan.jobs != nullptr) {
    jobs = shifts_by_jobs(plan, period, position, placement, run, far);
  }
  if (jobs) {
    // Between its bounds a pause says more.
    const double middle = (jobs->from + jobs->to) / 2;
    return pauses_agree ? std::clamp(by_pauses, jobs->from, jobs->to) : middle;
  }
  constexpr std::size_t kEnough = 3;
  return pauses_agree && near.size() >= kEnough ? by_pauses : 0;
}

}  // namespace tilebound::align
