#include "analyze/frames_period.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

#include "analyze/periods.h"
#include "base/statistics.h"

namespace tilebound::analyze {

namespace {

/// Fewer samples than this a frame cannot be cut.
constexpr double kFewestSamplesPerFrame = 4;
/// A half period that correlates by more than this share of the whole makes both possible.
constexpr double kSecondRhythm = 0.5;
/// So many frames with a cue in their middle as well could be two frames each.
constexpr double kHalvedFrames = 0.7;
constexpr std::size_t kFewFrames = 8;
constexpr double kPrior = 0.35;
/// Correlation of a pattern that leaves no doubt.
constexpr double kClearPattern = 0.25;
constexpr std::size_t kMostAlternatives = 6;
/// Frames that begin with so much of a full cue on average show where they begin.
constexpr double kSeenPhase = 0.3;
/// A change of the fragment work at a frame's end below this share of the largest inside is none.
constexpr double kUnchangedMix = 0.25;

/// Costs of a frame in the dynamic programming, in the same arbitrary unit.
constexpr double kLengthSigma = 0.10;   // of the logarithm of length over period
constexpr double kShortestFrame = 0.6;  // of the period
constexpr double kLongestFrame = 1.35;
constexpr double kLongestHitch = 8;
constexpr double kHitchCost = 3.5;
constexpr double kHitchCostPerPeriod = 1.2;
/// Without a cue: dearer than a hitch, unless a lost sample may hide the cue or there are no cues.
constexpr double kNoCueCost = 8;
constexpr double kHiddenCueCost = 2;
constexpr double kSkippedCueCost = 1.5;
constexpr double kStrongCue = 0.8;  // of the usual strength
/// Share of the usual strength from which on a cue is a full one.
constexpr double kFullCue = 0.6;
/// Longer gaps are looked at in so many places.
constexpr double kMostLost = 8;
/// Geometry that fills so much of a sample may have begun before it.
constexpr double kFills = 0.95;
/// Share of the usual strength from which on what sets in is all there.
constexpr double kWhole = 0.9;
/// Geometry that rises by less is noise.
constexpr double kLeastRise = 0.03;
constexpr std::size_t kSmoothFrames = 10;  // to each side, for the local period

/// Lengths of a frame in GPU-active cycles: of two scenes where one may have given way to the
/// other, else twice the same.
struct Expected {
  double before = 0;
  double after = 0;

  double longest() const { return std::max(before, after); }
  double nearest(double length) const {
    return std::abs(std::log(length / before)) < std::abs(std::log(length / after)) ? before
                                                                                    : after;
  }
};

/// A place where a frame may begin.
struct Cue {
  double position = 0;  // GPU-active cycles
  base::Nanoseconds time;
  std::size_t sample = 0;
  double strength = 0;          // 0..1
  bool hidden = false;          // inside a lost sample
  double filled = 0;            // share of the sample, at its end, that what sets in fills
  base::Nanoseconds after_gap;  // the time lost right before the sample
};

/// Puts a cue where the last share `filled` of sample `i` begins.
void place(const FrameSignals& s, std::size_t i, double filled, Cue& cue) {
  const base::Interval sample = s.interval[i];
  cue.time = sample.end -
             base::Nanoseconds{std::llround(static_cast<double>(sample.length().value) * filled)};
  cue.position = s.position[i] - s.amount[i] * filled;
}

/// Adds a cue in the middle of each sample that was lost before sample `i`, where a frame may begin
/// unseen.
void add_hidden_cues(const FrameSignals& s, std::size_t i, std::vector<Cue>& cues) {
  const base::Nanoseconds begin = s.interval[i - 1].end;
  const auto gap = static_cast<double>((s.interval[i].begin - begin).value);
  const double cycles = s.position[i] - s.amount[i] - s.position[i - 1];
  const double lost = std::clamp(std::round(gap / s.period_ns), 1.0, kMostLost);
  for (double k = 0.5; k < lost; ++k) {
    Cue cue;
    cue.position = s.position[i - 1] + cycles * k / lost;
    cue.time = begin + base::Nanoseconds{std::llround(gap * k / lost)};
    cue.sample = i;
    cue.hidden = true;
    cues.push_back(cue);
  }
}

/// One candidate a sample, and one for each lost sample. Where geometry sets in, the share of the
/// sample that it fills says when.
std::vector<Cue> find_cues(const FrameSignals& s) {
  std::vector<Cue> cues;
  cues.reserve(s.size());
  for (std::size_t i = 0; i < s.size(); ++i) {
    const base::Interval sample = s.interval[i];
    Cue cue;
    cue.position = s.position[i];
    cue.time = sample.end;
    cue.sample = i;
    const double before = i > 0 ? s.geometry[i - 1] : 1;
    const double now = s.geometry[i];
    const double next = i + 1 < s.size() ? s.geometry[i + 1] : now;
    const base::Nanoseconds gap =
        i > 0 ? sample.begin - s.interval[i - 1].end : base::Nanoseconds{0};
    if (gap.value > 0) add_hidden_cues(s, i, cues);
    // What sets in may fill this sample or begin late in it, so both count.
    const double rise = std::min(1.0, now + next - 2 * before);
    if (i > 0 && now > before + kLeastRise / 3 && rise > kLeastRise) {
      const double dip = s.has_fragment ? 1 - std::min(s.fragment[i], s.fragment[i - 1]) : 0;
      const double idle = 1 - std::min(s.busy[i], s.busy[i - 1]);
      cue.strength = std::min(1.0, 0.75 * rise + 0.15 * dip + 0.35 * idle);
      const double level = std::max({now, next, s.busy[i], 1e-9});
      cue.filled = std::clamp((now - before) / std::max(1e-9, level - before), 0.0, 1.0);
      cue.after_gap = gap;
      place(s, i, cue.filled, cue);
    }
    // Or the last fragment work ends while the next frame's geometry keeps the tiler busy.
    const double f_before = i > 0 ? s.fragment[i - 1] : 0;
    const double f_next = i + 1 < s.size() ? s.fragment[i + 1] : 1;
    const double fall = std::max(f_before, s.fragment[i]) - f_next;
    if (i > 0 && f_next < 0.05 && s.fragment[i] > 0.02 && fall > kLeastRise && now > 0.5) {
      const double strength = 0.6 * fall;
      if (strength > cue.strength) {
        cue.strength = strength;
        cue.after_gap = {};
        place(s, i, f_before > 0.02 ? 1 - s.fragment[i] : 0, cue);
      }
    }
    cues.push_back(cue);
  }
  return cues;
}

/// What sets in right behind a lost sample may have begun in it, unless the sample holds as much of
/// it as usual: then its begin is in the middle of where it may be.
void place_after_gaps(const FrameSignals& s, double reference, std::vector<Cue>& cues) {
  for (Cue& cue : cues) {
    if (cue.after_gap.value == 0 || (cue.filled < kFills && cue.strength > kWhole * reference)) {
      continue;
    }
    place(s, cue.sample, 1, cue);
    if (cue.filled >= kFills) cue.time = cue.time - base::Nanoseconds{cue.after_gap.value / 2};
  }
}

double length_cost(double ratio) {
  if (ratio > kLongestFrame) return kHitchCost + kHitchCostPerPeriod * ratio;
  const double off = std::log(ratio) / kLengthSigma;
  return 0.5 * off * off;
}

/// Cost of a frame that is as long as either scene's or a hitch; nothing where it is too short.
std::optional<double> frame_cost(double length, const Expected& expected) {
  std::optional<double> cost;
  for (const double period : {expected.before, expected.after}) {
    if (length < kShortestFrame * period) continue;
    const double one = length_cost(length / period);
    cost = std::min(cost.value_or(one), one);
  }
  return cost;
}

/// Cheapest chain of cues; `expected` is parallel to them.
std::vector<std::size_t> best_chain(const std::vector<Cue>& cues, double reference,
                                    const std::vector<Expected>& expected) {
  constexpr double kUnreached = std::numeric_limits<double>::max();
  const std::size_t n = cues.size();
  std::vector<double> cost(n, kUnreached);
  std::vector<std::size_t> from(n, n);
  const bool any_cue =
      std::any_of(cues.begin(), cues.end(), [](const Cue& cue) { return cue.strength > 0; });
  const auto cue_cost = [&](std::size_t i) {
    const double missing = 1 - std::min(1.0, cues[i].strength / (kFullCue * reference));
    return (any_cue && !cues[i].hidden ? kNoCueCost : kHiddenCueCost) * missing;
  };
  // Full cues before each: a frame that holds one inside could as well be two.
  std::vector<double> full(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    full[i + 1] = full[i] + (cues[i].strength > kStrongCue * reference ? 1 : 0);
  }
  const double last = cues.back().position;
  for (std::size_t i = 0; i < n; ++i) {
    const double p = expected[i].longest();
    // The capture may begin anywhere inside a frame.
    if (cues[i].position <= kLongestFrame * p) cost[i] = cue_cost(i);
    for (std::size_t k = i; k-- > 0;) {
      const double length = cues[i].position - cues[k].position;
      if (length > kLongestHitch * p) break;
      if (cost[k] == kUnreached) continue;
      // Beyond a regular frame only strong cues are worth a look; that bounds the work.
      if (length > kLongestFrame * p && cues[k].strength < 0.5 * reference) continue;
      const std::optional<double> frame = frame_cost(length, expected[i]);
      if (!frame) continue;
      const double total =
          cost[k] + *frame + cue_cost(i) + kSkippedCueCost * (full[i] - full[k + 1]);
      if (total < cost[i]) {
        cost[i] = total;
        from[i] = k;
      }
    }
  }
  std::size_t end = n;
  double best = kUnreached;
  for (std::size_t i = n; i-- > 0;) {
    if (last - cues[i].position > kLongestFrame * expected[i].longest()) break;
    if (cost[i] < best) {
      best = cost[i];
      end = i;
    }
  }
  std::vector<std::size_t> chain;
  for (std::size_t i = end; i < n; i = from[i]) chain.push_back(i);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

/// What each cue's scenes have: the first and the last that it may lie in.
std::vector<Expected> scene_periods(const std::vector<Cue>& cues,
                                    const std::vector<Scene>& scenes) {
  std::vector<Expected> out;
  out.reserve(cues.size());
  std::size_t first = 0;
  std::size_t last = 0;
  for (const Cue& cue : cues) {
    while (first + 1 < scenes.size() && cue.position > scenes[first].end) ++first;
    while (last + 1 < scenes.size() && cue.position > scenes[last + 1].begin) ++last;
    out.push_back({scenes[first].cycles, scenes[std::max(first, last)].cycles});
  }
  return out;
}

/// Local periods: the running median of the chain's frame lengths among frames of one scene, of
/// which `expected` is what each cue's have.
std::vector<Expected> local_periods(const std::vector<Cue>& cues,
                                    const std::vector<std::size_t>& chain,
                                    const std::vector<Expected>& expected) {
  std::vector<Expected> out = expected;
  std::vector<double> lengths = {0};
  std::vector<double> scene = {0};  // the period of the frame's
  for (std::size_t f = 1; f < chain.size(); ++f) {
    lengths.push_back(cues[chain[f]].position - cues[chain[f - 1]].position);
    scene.push_back(expected[chain[f]].nearest(lengths.back()));
  }
  for (std::size_t f = 1; f < chain.size(); ++f) {
    std::vector<double> alike;
    const std::size_t low = f > kSmoothFrames ? f - kSmoothFrames : 1;
    const std::size_t high = std::min(chain.size() - 1, f + kSmoothFrames);
    for (std::size_t k = low; k <= high; ++k) {
      if (scene[k] == scene[f]) alike.push_back(lengths[k]);
    }
    const double local = std::clamp(*base::median(alike), 0.7 * scene[f], 1.4 * scene[f]);
    for (std::size_t i = chain[f - 1]; i <= chain[f]; ++i) {
      if (expected[i].before == scene[f]) out[i].before = local;
      if (expected[i].after == scene[f]) out[i].after = local;
    }
  }
  return out;
}

double expected_frames(const FrameSignals& s, const std::vector<Scene>& scenes) {
  double frames = 0;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const double end = i + 1 < scenes.size() ? scenes[i + 1].begin : s.position.back();
    frames += (end - scenes[i].begin) / scenes[i].cycles;
  }
  return frames;
}

double reference_strength(const std::vector<Cue>& cues, double expected_frames) {
  std::vector<double> strengths;
  for (const Cue& cue : cues) {
    if (cue.strength > 0) strengths.push_back(cue.strength);
  }
  if (strengths.empty()) return 1;
  // As many strong cues as there are frames should be full ones.
  const double share =
      std::clamp(1 - 0.5 * expected_frames / static_cast<double>(strengths.size()), 0.0, 1.0);
  return std::max(kLeastRise, *base::quantile(strengths, share));
}

/// Share of the frames that may be two: with another cue as strong as their own, or a strong one in
/// their middle. The highest of any quarter of the capture, as another scene may have shorter
/// frames.
double halved_by_cues(const std::vector<Cue>& cues, const std::vector<std::size_t>& chain,
                      double reference) {
  const auto splits = [&](const Cue& cue, double place) {
    const double off_middle = std::abs(place - 0.5);
    return (off_middle < 0.15 && cue.strength > 0.5 * reference) ||
           (off_middle < 0.35 && cue.strength > kStrongCue * reference);
  };
  std::vector<int> halved;
  for (std::size_t f = 1; f < chain.size(); ++f) {
    const double begin = cues[chain[f - 1]].position;
    const double length = cues[chain[f]].position - begin;
    bool split = false;
    for (std::size_t i = chain[f - 1] + 1; i < chain[f] && !split; ++i) {
      split = splits(cues[i], (cues[i].position - begin) / length);
    }
    halved.push_back(split ? 1 : 0);
  }
  const std::size_t stretch = std::min(halved.size(), std::max(kFewFrames, halved.size() / 4));
  int inside = 0;
  int most = 0;
  for (std::size_t f = 0; f < halved.size(); ++f) {
    inside += halved[f] - (f >= stretch ? halved[f - stretch] : 0);
    most = std::max(most, inside);
  }
  return static_cast<double>(most) / static_cast<double>(stretch);
}

/// How much the mix of fragment work changes from before sample `i` to after it: the difference of
/// each counter's rate over its mean rate, summed.
std::vector<double> mix_changes(const FrameSignals& s) {
  std::vector<double> out(s.size(), 0);
  for (std::size_t row = s.geometry_work; row < s.work.size(); ++row) {
    const std::vector<double>& work = s.work[row];
    double sum = 0;
    for (const double amount : work) sum += amount;
    const double mean = sum / std::max(1.0, s.position.back());
    if (mean <= 0) continue;
    const auto rate = [&](std::size_t i) { return work[i] / std::max(1.0, s.amount[i]) / mean; };
    for (std::size_t i = 1; i + 1 < s.size(); ++i) out[i] += std::abs(rate(i + 1) - rate(i - 1));
  }
  return out;
}

/// Whether the fragment work goes on unchanged where frames are said to end, while it changes
/// elsewhere: then geometry that sets in there does not follow a frame's end.
bool unchanged_at_ends(const FrameSignals& s, const std::vector<Cue>& cues,
                       const std::vector<std::size_t>& chain) {
  const std::vector<double> change = mix_changes(s);
  std::vector<double> ratios;
  for (std::size_t f = 1; f < chain.size(); ++f) {
    const std::size_t i = cues[chain[f]].sample;
    const std::size_t before = cues[chain[f - 1]].sample;
    if (i + 3 > s.size() || i < before + 6) continue;
    const auto highest = [&](std::size_t from, std::size_t to) {
      double most = 0;
      for (std::size_t k = from; k <= to; ++k) most = std::max(most, change[k]);
      return most;
    };
    const double elsewhere = highest(before + 2, i - 2);
    if (elsewhere > 0) ratios.push_back(highest(i - 1, i + 1) / elsewhere);
  }
  return base::median(ratios).value_or(1) < kUnchangedMix;
}

/// End of the last work before `time`.
base::Nanoseconds work_end(const FrameSignals& s, const Cue& cue) {
  constexpr double kIdle = 0.01;
  base::Nanoseconds end = cue.time;
  for (std::size_t i = cue.sample; i-- > 0;) {
    if (s.interval[i].end != s.interval[i + 1].begin) break;
    if (s.busy[i] >= kIdle) {
      // Idle time just before the onset lies at the end of the sample that is partly busy.
      if (i + 1 == cue.sample && s.busy[i] > 0.99) return end;
      return s.interval[i].begin +
             base::Nanoseconds{
                 std::llround(static_cast<double>(s.interval[i].length().value) * s.busy[i])};
    }
    end = s.interval[i].begin;
  }
  return end;
}

/// The shortest of those within the prior of `cycles`, however well it correlates.
std::optional<PeriodCandidate> shortest_near(const std::vector<PeriodCandidate>& candidates,
                                             double cycles) {
  std::optional<PeriodCandidate> out;
  for (const PeriodCandidate& c : candidates) {
    if (std::abs(c.cycles / cycles - 1) > kPrior) continue;
    if (!out || c.cycles < out->cycles) out = c;
  }
  return out;
}

/// Half and double the period, a quarter where it has two rhythms, as the half may have them too,
/// then other lengths below at which the counters recur.
std::vector<double> alternatives(double period_ms, bool two_rhythms,
                                 const std::vector<PeriodCandidate>& candidates,
                                 double ns_per_cycle) {
  std::vector<double> out = {0.5 * period_ms, 2 * period_ms};
  if (two_rhythms) out.push_back(0.25 * period_ms);
  for (const PeriodCandidate& candidate : candidates) {
    if (out.size() == kMostAlternatives) break;
    const double ms = candidate.cycles * ns_per_cycle * 1e-6;
    const auto same = [ms](double other) { return std::abs(ms / other - 1) < 0.05; };
    if (ms < 2 * period_ms && !same(period_ms) && std::none_of(out.begin(), out.end(), same))
      out.push_back(ms);
  }
  return out;
}

}  // namespace

Frames frames_by_period(const FrameSignals& s, std::optional<double> expected_fps) {
  Frames out;
  out.method = "none";
  out.reason = "no pattern recurs in the counters";
  const Periods periods = find_periods(s);
  const std::vector<PeriodCandidate>& candidates = periods.candidates;
  if (candidates.empty()) return out;
  // Cycles to time: frames last as long as their cycles and the idle time among them.
  const double ns_per_cycle =
      static_cast<double>((s.interval.back().end - s.interval.front().begin).value) /
      std::max(1.0, s.position.back());
  const PeriodCandidate chosen =
      (expected_fps ? shortest_near(candidates, 1e9 / (*expected_fps * ns_per_cycle))
                    : shortest(candidates))
          .value_or(candidates.front());
  const double period_ms = chosen.cycles * ns_per_cycle * 1e-6;
  if (period_ms * 1e6 < kFewestSamplesPerFrame * s.period_ns) {
    out.reason = fmt::format(
        "the sampling period of {:.2f} ms is longer than a quarter of the "
        "pattern that recurs every {:.2f} ms, so frames cannot be cut",
        s.period_ns * 1e-6, period_ms);
    return out;
  }
  // A rate that the user names is that of every scene.
  std::vector<Scene> scenes = expected_fps ? std::vector<Scene>() : periods.scenes;
  const bool one_scene = scenes.empty();
  if (one_scene) scenes = {{0, s.position.back(), chosen.cycles, chosen.score}};
  std::vector<Cue> cues = find_cues(s);
  const std::vector<Expected> expected = scene_periods(cues, scenes);
  const double reference = reference_strength(cues, expected_frames(s, scenes));
  place_after_gaps(s, reference, cues);
  auto chain = best_chain(cues, reference, expected);
  if (chain.size() < 3) return out;
  const std::vector<Expected> local = local_periods(cues, chain, expected);
  chain = best_chain(cues, reference, local);
  if (chain.size() < 3) return out;

  std::size_t even = 0;
  double cue_share = 0;
  double fragment = 0;
  for (std::size_t f = 0; f < chain.size(); ++f) {
    const Cue& cue = cues[chain[f]];
    cue_share += std::min(1.0, cue.strength / reference);
    fragment += s.fragment[cue.sample];
    if (f == 0) continue;
    const double length = cue.position - cues[chain[f - 1]].position;
    if (std::abs(length / local[chain[f]].nearest(length) - 1) < 0.2) ++even;
  }
  const auto count = static_cast<double>(chain.size());
  cue_share /= count;
  // Fragment work that goes on while geometry sets in belongs to the frame before: that geometry is
  // already the frame's after.
  const bool pipelined = s.has_fragment && fragment / count > 0.8;
  for (std::size_t f = 0; f < chain.size(); ++f) {
    Frame frame;
    frame.end = work_end(s, cues[chain[f]]);
    const std::size_t back = pipelined ? 2 : 1;
    frame.begin = f >= back ? cues[chain[f - back]].time : s.interval.front().begin;
    out.list.push_back(frame);
  }
  double score = scenes.front().score;
  for (const Scene& scene : scenes) score = std::min(score, scene.score);
  out.method = "periodicity";
  out.period_ms = out.mean_distance_ms();
  out.confidence = 0.97 * static_cast<double>(even) / (count - 1) * (0.3 + 0.7 * cue_share) *
                   std::min(1.0, score / kClearPattern);
  // With so few samples a frame, half the period would not show, and cannot be excluded.
  if (*out.period_ms * 1e6 < kUnambiguousSamples * s.period_ns) out.confidence *= 0.5;
  const bool unchanged = pipelined && unchanged_at_ends(s, cues, chain);
  // Geometry that sets in under fragment work shows where a frame begins only if it was submitted
  // when another one ended.
  const bool nowhere = cue_share < kSeenPhase || unchanged;
  out.phase = nowhere || pipelined ? Phase::assumed : Phase::seen;
  if (unchanged) out.confidence *= 0.5;
  out.reason = fmt::format("a pattern recurs every {:.2f} ms (correlation {:.2f}); {}",
                           *out.period_ms, score,
                           nowhere     ? "where in it a frame begins is assumed"
                           : pipelined ? "fragment work never pauses, so it is assumed that frames "
                                         "begin where geometry sets in"
                                       : "frames begin where geometry sets in");
  // Two rhythms in one capture: a pass every second frame, or the same pass twice in a frame.
  const bool correlates =
      one_scene && std::any_of(candidates.begin(), candidates.end(), [&](const auto& c) {
        return std::abs(2 * c.cycles / chosen.cycles - 1) < 0.1 &&
               c.score > kSecondRhythm * chosen.score;
      });
  const bool two_rhythms = correlates || halved_by_cues(cues, chain, reference) > kHalvedFrames;
  if (two_rhythms) {
    out.confidence *= 0.5;
    out.reason += correlates ? "; half of that recurs nearly as well"
                             : "; geometry sets in twice in it, so that each may be two frames";
  }
  out.alternatives_ms = alternatives(*out.period_ms, two_rhythms, candidates, ns_per_cycle);
  if (out.confidence < kLeastConfidence) {
    out.alternatives_ms.insert(out.alternatives_ms.begin(), *out.period_ms);
    out.method = "none";
    out.reason = fmt::format(
        "a pattern of {:.2f} ms recurs too unevenly, or at {:.2f} ms a sample too coarsely, to cut "
        "frames by it",
        *out.period_ms, s.period_ns * 1e-6);
    out.period_ms.reset();
    out.list.clear();
    out.confidence = 0;
  }
  return out;
}

}  // namespace tilebound::analyze
