#include "align/axis.h"

#include <algorithm>
#include <cmath>

#include "align/anchors.h"
#include "align/costs.h"
#include "base/statistics.h"

namespace tilebound::align {

namespace {

/// The profile of more frames than this is not sharper.
constexpr std::size_t kProfileFrames = 300;
constexpr double kBinsPerSample = 4;
constexpr std::size_t kLeastBins = 64;
constexpr std::size_t kMostBins = 1024;
/// Pieces of a frame: what one can tell apart, and what one can compute.
constexpr std::size_t kMostPieces = 400;
/// Frames whose busy time fits this much worse than the median frame's do other work.
constexpr double kMisfitTimes = 4;
constexpr double kMisfitLeast = 0.15;

std::vector<double> running_sum(const std::vector<double>& amounts) {
  std::vector<double> out;
  double sum = 0;
  for (const double amount : amounts) out.push_back(sum += amount);
  return out;
}

/// The longest stretch of samples without a gap.
Run longest_run(const QueueTrack& track) {
  Run best;
  std::size_t first = 0;
  for (std::size_t i = 1; i <= track.size(); ++i) {
    if (i < track.size() && !track.after_gap[i]) continue;
    if (i - first > best.last - best.first) best = {first, i};
    first = i;
  }
  return best;
}

double typical_step(const std::vector<double>& amounts, Run run) {
  std::vector<double> steps;
  for (std::size_t i = run.first; i < run.last; ++i) {
    if (amounts[i] > 0) steps.push_back(amounts[i]);
  }
  return base::median(steps).value_or(0);
}

std::vector<const std::vector<double>*> mix_columns(const QueueTrack& track,
                                                    const TrackCounter* axis) {
  std::vector<const std::vector<double>*> out{&track.busy_ns};
  for (const TrackCounter& counter : track.mix) {
    if (counter.name != axis->name) out.push_back(&counter.amount);
  }
  return out;
}

/// Frames between the first and the last place that the samples show.
std::vector<AxisFrame> frames_on(const std::vector<double>& position, double start, double origin,
                                 double period) {
  std::vector<AxisFrame> out;
  double at = origin + std::ceil((start - origin) / period - 1e-9) * period;
  for (; at + period <= position.back() * (1 + 1e-12); at += period) {
    AxisFrame frame;
    frame.origin = at;
    const auto begin = std::upper_bound(position.begin(), position.end(), at);
    const auto end = std::lower_bound(position.begin(), position.end(), at + period);
    frame.first = static_cast<std::size_t>(begin - position.begin());
    frame.last = std::min(position.size(), static_cast<std::size_t>(end - position.begin()) + 1);
    out.push_back(frame);
  }
  return out;
}

/// A pass that lasts for several samples is cut, so that what happens at its end is not spread over
/// all of it.
std::vector<std::size_t> parts_of(const std::vector<double>& pass_ns, double sample_ns) {
  double samples = 1;
  for (const double ns : pass_ns) samples += ns / sample_ns;
  const double scale = std::min(1.0, static_cast<double>(kMostPieces) / samples);
  std::vector<std::size_t> out;
  for (const double ns : pass_ns) {
    out.push_back(std::max<std::size_t>(1, static_cast<std::size_t>(scale * ns / sample_ns)));
  }
  return out;
}

void judge_frames(const QueueTrack& track, Axis& axis) {
  std::vector<double> misfits;
  for (AxisFrame& frame : axis.frames) {
    frame.misfit = misfit(track, axis, frame);
    misfits.push_back(frame.misfit);
  }
  const double usual = base::median(misfits).value_or(0);
  for (AxisFrame& frame : axis.frames) {
    frame.matches = frame.misfit <= std::max(kMisfitLeast, kMisfitTimes * usual);
    for (std::size_t i = frame.first; i < frame.last; ++i) {
      if (track.after_gap[i]) frame.matches = false;
    }
  }
}

}  // namespace

std::optional<Axis> find_axis(const QueueTrack& track, const AxisPlan& plan) {
  const std::vector<double>& amounts = plan.counter->amount;
  Run run = longest_run(track);
  const double step = typical_step(amounts, run);
  if (step <= 0 || plan.period <= 0) return std::nullopt;
  std::vector<double> position = running_sum(amounts);
  const double start = run.first == 0 ? 0 : position[run.first - 1];
  const double most = start + static_cast<double>(kProfileFrames) * plan.period;
  while (run.last > run.first + 1 && position[run.last - 1] > most) --run.last;
  if (position[run.last - 1] - start < plan.period) return std::nullopt;

  const double wanted = kBinsPerSample * plan.period / step;
  const std::size_t bins = std::clamp(static_cast<std::size_t>(wanted), kLeastBins, kMostBins);
  const Profile profile(position, start, run, mix_columns(track, plan.counter), plan.period, bins);
  Placement placement = place(profile, plan.lengths);
  const double least_step = 1e-6 * plan.period;
  placement.origin += anchor_shift(track, plan, position, placement, run, profile.bin());

  const std::vector<std::size_t> whole(plan.lengths.size(), 1);
  Axis axis{placement, plan.period, position, Pieces(placement, plan.period, whole), {}, least_step,
            {},        {},          {}};
  axis.frames =
      frames_on(position, amounts.empty() ? 0 : position[0], placement.origin, plan.period);
  if (axis.frames.empty()) return std::nullopt;
  find_costs(track, axis);
  axis.pieces = Pieces(placement, plan.period, parts_of(axis.pass_ns, track.period_ns));
  find_costs(track, axis);
  judge_frames(track, axis);
  find_costs(track, axis);
  return axis;
}

}  // namespace tilebound::align
