#include "align/axis.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "align/anchors.h"
#include "align/costs.h"
#include "align/mix_placement.h"
#include "base/statistics.h"

namespace tilebound::align {

namespace {

/// The profile of more frames than this is not sharper.
constexpr std::size_t kProfileFrames = 300;
constexpr double kBinsPerSample = 4;
constexpr std::size_t kLeastBins = 64;
constexpr std::size_t kMostBins = 1024;
/// Samples that origins are tried with.
constexpr std::size_t kTriedSamples = 2000;
/// Pieces of a frame: what one can tell apart, and what one can compute.
constexpr std::size_t kMostPieces = 400;
/// Frames whose busy time fits this much worse than the median frame's do other work.
constexpr double kMisfitTimes = 4;
constexpr double kMisfitLeast = 0.15;
/// A boundary that was found by the mix lies at a pause of the queue this near.
constexpr double kSnapShare = 0.03;
/// How far off the origin of the best cut may be, as finished jobs see it.
constexpr double kJobsReachBins = 8;
/// Share of a period that counts as progress.
constexpr double kLeastStep = 1e-6;

using Columns = std::vector<const std::vector<double>*>;

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

Columns mix_columns(const QueueTrack& track, const std::string& axis) {
  Columns out{&track.busy_ns};
  for (const TrackCounter& counter : track.mix) {
    if (counter.name != axis) out.push_back(&counter.amount);
  }
  return out;
}

/// How badly a counter's amounts follow from where passes lie: 0 perfectly, 1 not at all. Its scale
/// is free, and so is what comes between passes.
double residual(const Known& known, const std::vector<double>& position, Run run,
                const Pieces& pieces, double origin) {
  double squares = 0;
  double sum = 0;
  double count = 0;
  // Amounts = scale * foretold + between * gap: normal equations of two unknowns.
  double ff = 0;
  double fg = 0;
  double gg = 0;
  double fa = 0;
  double ga = 0;
  for (std::size_t i = run.first; i < run.last; ++i) {
    const double from = place_before(position, i);
    if (position[i] <= from) continue;
    double foretold = 0;
    double gap = 0;
    pieces.for_shares(from - origin, position[i] - origin, [&](std::size_t piece, double share) {
      const std::size_t pass = pieces[piece].pass;
      if (pass == kNoPass) {
        gap += share;
      } else {
        foretold += share * known.expected[pass];
      }
    });
    const double amount = known.counter->amount[i];
    squares += amount * amount;
    sum += amount;
    ++count;
    ff += foretold * foretold;
    fg += foretold * gap;
    gg += gap * gap;
    fa += foretold * amount;
    ga += gap * amount;
  }
  const double variance = squares - sum * sum / std::max(1.0, count);
  if (variance <= 0 || ff <= 0) return 1;
  const double determinant = ff * gg - fg * fg;
  double explained = fa * fa / ff;
  if (determinant > 1e-9 * ff * std::max(gg, 1e-300)) {
    const double scale = (fa * gg - ga * fg) / determinant;
    const double between = (ga * ff - fa * fg) / determinant;
    if (scale > 0 && between >= 0) explained = scale * fa + between * ga;
  }
  return std::clamp((squares - explained) / variance, 0.0, 1.0);
}

/// Where the work of a frame is not known exactly: the period that lays all frames best on one
/// another, within three errors of the plan's.
double sharpest_period(const std::vector<double>& position, Run run, const Columns& columns,
                       const std::vector<double>& paused, const AxisPlan& plan, std::size_t bins) {
  if (plan.period_error <= 0) return plan.period;
  const double agreed = period_by_pauses(paused, plan.period, 3 * plan.period_error);
  if (agreed != plan.period) return agreed;
  if (const auto by_jobs = period_by_jobs(plan, position, run, 3 * plan.period_error)) {
    return *by_jobs;
  }
  constexpr int kSteps = 30;
  double best = plan.period;
  double most = 0;
  for (int step = -kSteps; step <= kSteps; ++step) {
    const double period = plan.period * (1 + 3 * plan.period_error * step / kSteps);
    const Profile profile(position, place_before(position, run.first), run, columns, period, bins);
    const double spread = profile.spread(0, period);
    if (spread > most) {
      most = spread;
      best = period;
    }
  }
  return best;
}

/// Frames between the first and the last place that the samples show.
std::vector<AxisFrame> frames_on(const Axis& axis) {
  std::vector<AxisFrame> out;
  const std::vector<double>& position = axis.position;
  const double origin = axis.placement.origin;
  const double period = axis.period;
  const double first = std::ceil((position.front() - origin) / period - kLeastStep);
  for (double f = first; origin + (f + 1) * period <= position.back() + axis.least_step; ++f) {
    AxisFrame frame;
    frame.origin = origin + f * period;
    const auto begin =
        std::upper_bound(position.begin(), position.end(), frame.origin + axis.least_step);
    const auto end =
        std::lower_bound(position.begin(), position.end(), frame.origin + period - axis.least_step);
    frame.first = static_cast<std::size_t>(begin - position.begin());
    frame.last = std::min(position.size(), static_cast<std::size_t>(end - position.begin()) + 1);
    out.push_back(frame);
  }
  return out;
}

/// A pass that lasts for several samples is cut, so that what happens at one end is not spread over
/// all of it.
std::vector<std::vector<double>> cuts_of(const std::vector<double>& pass_ns, double sample_ns) {
  double samples = 1;
  for (const double ns : pass_ns) samples += ns / sample_ns;
  const double piece = std::max(1.0, samples / static_cast<double>(kMostPieces)) * sample_ns;
  std::vector<std::vector<double>> out;
  for (const double ns : pass_ns) {
    std::vector<double> cuts;
    const auto parts = static_cast<std::size_t>(ns / piece);
    for (std::size_t p = 1; p < parts; ++p) {
      cuts.push_back(static_cast<double>(p) / static_cast<double>(parts));
    }
    out.push_back(std::move(cuts));
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

/// An axis with its frames, what pieces take, and which frames do the passes' work.
std::optional<Axis> finished(const QueueTrack& track, Placement placement, double period,
                             std::vector<double> position, double quantum) {
  Pieces pieces(placement, period);
  Axis axis{std::move(placement),
            period,
            std::move(position),
            std::move(pieces),
            {},
            kLeastStep * period,
            quantum,
            {},
            {},
            {}};
  if (!axis.placement.begins.empty()) axis.snap = kSnapShare * period;
  axis.frames = frames_on(axis);
  if (axis.frames.empty()) return std::nullopt;
  find_costs(track, axis);
  axis.pieces = Pieces(axis.placement, period, cuts_of(axis.pass_ns, track.period_ns));
  find_costs(track, axis);
  judge_frames(track, axis);
  find_costs(track, axis);
  return axis;
}

/// Samples that lie inside a window.
Run run_of(const QueueTrack& track, base::Interval window) {
  Run out{track.size(), 0};
  for (std::size_t i = 0; i < track.size(); ++i) {
    if (track.interval[i].begin < window.begin || track.interval[i].end > window.end) continue;
    out.first = std::min(out.first, i);
    out.last = i + 1;
  }
  return out.first < out.last ? out : Run{};
}

/// Busy time until a moment inside sample `i`, from the sample's begin. Where the queue pauses next
/// to the sample, what it did in it lies on the other side of the moment.
double busy_until(const QueueTrack& track, std::size_t i, base::Nanoseconds moment) {
  constexpr double kPaused = 0.02;
  const auto paused = [&](std::size_t at) {
    const auto length = static_cast<double>(track.interval[at].length().value);
    return track.busy_ns[at] < kPaused * length;
  };
  if (i + 1 < track.size() && paused(i + 1)) return track.busy_ns[i];
  if (i > 0 && paused(i - 1)) return 0;
  const base::Interval sample = track.interval[i];
  const auto inside = static_cast<double>((moment - sample.begin).value);
  return track.busy_ns[i] * std::max(0.0, inside) / static_cast<double>(sample.length().value);
}

/// Busy time as an axis on which each frame is one; outside of frames it stands still.
std::vector<double> frame_position(const QueueTrack& track,
                                   std::span<const base::Nanoseconds> ends) {
  std::vector<double> at_end;
  std::vector<double> busy;
  double sum = 0;
  for (std::size_t i = 0; i < track.size(); ++i) {
    while (at_end.size() < ends.size() && ends[at_end.size()] <= track.interval[i].end) {
      at_end.push_back(sum + busy_until(track, i, ends[at_end.size()]));
    }
    busy.push_back(sum += track.busy_ns[i]);
  }
  std::vector<double> out;
  std::size_t frame = 0;
  for (const double b : busy) {
    while (frame + 2 < at_end.size() && b > at_end[frame + 1]) ++frame;
    const double length = frame + 1 < at_end.size() ? at_end[frame + 1] - at_end[frame] : 0;
    const double share = length > 0 ? (b - at_end[frame]) / length : 0;
    out.push_back(static_cast<double>(frame) + std::clamp(share, 0.0, 1.0));
  }
  return out;
}

/// Of the shifts in question: one that puts a pause on the frame's begin, else the middle.
double nearest_pause(const std::vector<double>& paused, const Placement& placement, double period,
                     const Stretch& shifts) {
  for (const double place : paused) {
    double off = place - placement.origin;
    off -= std::round(off / period) * period;
    if (off >= shifts.from - 1 && off <= shifts.to + 1) return off;
  }
  return (shifts.from + shifts.to) / 2;
}

}  // namespace

std::optional<Axis> find_axis(const QueueTrack& track, const AxisPlan& plan) {
  const std::vector<double>& amounts = plan.counter->amount;
  Run run = longest_run(track);
  const double step = typical_step(amounts, run);
  if (step <= 0 || plan.period <= 0) return std::nullopt;
  std::vector<double> position = running_sum(amounts);
  const double start = place_before(position, run.first);
  const double most = start + static_cast<double>(kProfileFrames) * plan.period;
  while (run.last > run.first + 1 && position[run.last - 1] > most) --run.last;
  if (position[run.last - 1] - start < plan.period) return std::nullopt;

  const double wanted = kBinsPerSample * plan.period / step;
  const std::size_t bins = std::clamp(static_cast<std::size_t>(wanted), kLeastBins, kMostBins);
  const Columns columns = mix_columns(track, plan.counter->name);
  const std::vector<double> paused = pauses(track, plan, position, run);
  const double period = sharpest_period(position, run, columns, paused, plan, bins);
  const Profile profile(position, start, run, columns, period, bins);

  const Run tried{run.first, std::min(run.last, run.first + kTriedSamples)};
  const CutCost known = [&](const std::vector<Stretch>& passes, double origin) {
    Placement cut;
    cut.passes = passes;
    const Pieces pieces(cut, period);
    double cost = 0;
    for (const Known& k : plan.known) cost += residual(k, position, tried, pieces, origin);
    return cost;
  };
  bool anchored = false;
  Placement placement =
      place(profile, plan.lengths, known, [&](const std::vector<Stretch>& passes) {
        std::vector<double> origins = plan.origin ? std::vector<double>{*plan.origin}
                                                  : origins_by_pauses(paused, passes, period);
        anchored = anchored || (!passes.empty() && !origins.empty());
        return origins;
      });
  if (!anchored) {
    Stretch shifts{-step, step};  // samples blur the profile this far
    if (plan.jobs != nullptr) {
      const double reach = kJobsReachBins * profile.bin();
      shifts = shifts_by_jobs(plan, period, position, placement, run, reach).value_or(shifts);
    }
    placement.origin += nearest_pause(paused, placement, period, shifts);
  }
  return finished(track, std::move(placement), period, std::move(position), plan.by_jobs ? 0 : 1);
}

std::optional<Axis> find_axis_by_mix(const QueueTrack& track,
                                     std::span<const base::Nanoseconds> ends,
                                     const std::vector<Known>& shares, std::size_t passes,
                                     bool any_origin) {
  constexpr std::size_t kLeastFrames = 3;
  const bool fragment = track.queue == analyze::Queue::fragment;
  const std::size_t bins =
      fragment ? 400 : 200;  // the other queue's origin is searched for as well
  if (ends.size() < kLeastFrames + 1) return std::nullopt;
  std::vector<double> position = frame_position(track, ends);
  const Run run = run_of(track, {ends.front(), ends.back()});
  if (run.last <= run.first) return std::nullopt;
  Columns columns = mix_columns(track, {});
  const std::size_t mixed = columns.size();
  for (const Known& known : shares) columns.push_back(&known.counter->amount);
  const Profile profile(position, place_before(position, run.first), run, columns, 1, bins);
  std::vector<Expectation> expectations;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    expectations.push_back({profile.amounts(mixed + k), shares[k].expected, shares[k].tolerance});
  }
  std::vector<double> steps;
  for (std::size_t i = run.first; i < run.last; ++i) {
    steps.push_back(position[i] - place_before(position, i));
  }
  const double step = typical_step(steps, {0, steps.size()});
  Placement placement =
      place_by_mix(profile, expectations, {any_origin, passes, step > 0 ? 1 / step : 1});
  return finished(track, std::move(placement), 1, std::move(position), 0);
}

}  // namespace tilebound::align
