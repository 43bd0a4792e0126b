#include "align/plan.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/statistics.h"

namespace tilebound::align {

namespace {

using analyze::Queue;

/// A frame's sum that differs by less is the same: what is left is where frames were cut.
constexpr double kSame = 0.003;
/// Work beyond the API capture's up to this share is a driver's or another program's.
constexpr double kMostUnaccounted = 0.45;
/// Sizes of the hardware's tile, in area, against the tile that was counted with.
constexpr double kTileUnits[] = {1, 0.25, 4, 0.0625, 16};

/// Frames of the API capture in one that counters show, where they mistake the period.
constexpr double kFramesForOne[] = {2, 0.5, 3, 1.0 / 3};

/// A counter that shows an amount of a pass, but for one scale.
struct Shown {
  const char* counter;
  Amount PassWork::*amount;
  double tolerance;  // standard deviation of the logarithm of a pass's share
};

/// Sure enough to place a frame by.
constexpr Shown kSharp[] = {
    {"MaliGeomTrianglePrim", &PassWork::primitives, 0.1},
    {"MaliGeomPosShadTask", &PassWork::vertices, 0.3},
    {"MaliSCBusTileWrBt", &PassWork::stored_bytes, 0.5},
};
/// Further ones where nothing adds up: culling, overdraw and caches are in them.
constexpr Shown kVague[] = {
    {"MaliFragTile", &PassWork::tiles, 0.1},
    {"MaliFragQueueTask", &PassWork::tasks, 0.1},
    {"MaliMainQueueTask", &PassWork::tasks, 0.1},
    {"MaliNonFragQueueJob", &PassWork::jobs, 0.1},
    {"MaliFragRdPrim", &PassWork::primitives, 0.8},
    {"MaliFragRastQd", &PassWork::pixels, 0.8},
    {"MaliFragEZSTestQd", &PassWork::depth_pixels, 0.8},
};

/// Sum over the passes of one amount; nothing where it is not known of all.
std::optional<std::vector<double>> amounts(const std::vector<PassWork>& works,
                                           const std::vector<std::vector<std::size_t>>& passes,
                                           Amount PassWork::*amount) {
  std::vector<double> out;
  for (const std::vector<std::size_t>& members : passes) {
    double sum = 0;
    for (const std::size_t w : members) {
      if (!(works[w].*amount).known()) return std::nullopt;
      sum += (works[w].*amount).value;
    }
    out.push_back(sum);
  }
  return out;
}

bool is_tiles(const std::string& counter) {
  return counter == "MaliFragTile";
}

/// What each pass adds to a progress counter.
std::optional<std::vector<double>> lengths_on(const std::string& counter, Queue queue,
                                              const std::vector<PassWork>& works,
                                              const std::vector<std::vector<std::size_t>>& passes) {
  if (is_tiles(counter)) return amounts(works, passes, &PassWork::tiles);
  if (counter.ends_with("Task")) return amounts(works, passes, &PassWork::tasks);
  if (queue == Queue::fragment) return std::vector<double>(passes.size(), 1);
  return amounts(works, passes, &PassWork::jobs);
}

struct PerFrame {
  double amount = 0;
  double error = 0;
  double middle = 0;  // the median frame's, and its error
  double middle_error = 0;
};

/// What a frame adds to a counter: sums over whole frames without gaps.
std::optional<PerFrame> per_frame(const QueueTrack& track, const TrackCounter& counter,
                                  const analyze::Frames& frames) {
  std::vector<double> totals;
  double sum = 0;
  double step = 0;
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
      step = std::max(step, counter.amount[j]);
      gap = gap || track.after_gap[j];
    }
    if (gap) continue;
    totals.push_back(total);
    sum += total;
  }
  if (totals.size() < 2) return std::nullopt;
  const auto count = static_cast<double>(totals.size());
  const double middle = *base::median(totals);
  const double mean = sum / count;
  // Odd frames pull the mean; edges cut inside samples scatter the middle.
  constexpr double kAgree = 0.02;
  const bool agree = std::abs(mean - middle) <= kAgree * middle;
  std::vector<double> off;
  for (const double total : totals) off.push_back(std::abs(total - middle));
  // Of a median: 1.25 standard deviations over the root, each 1.48 of the median deviation.
  const double middle_error = 1.25 * 1.48 * *base::median(off) / std::sqrt(count);
  return PerFrame{agree ? mean : middle, step / (agree ? count : std::sqrt(count)), middle,
                  middle_error};
}

/// Two passes that a driver can do as one: neighbours on one render area that share an image.
bool mergeable(const model::Pass& a, const model::Pass& b) {
  if (a.kind != model::PassKind::render || b.kind != model::PassKind::render) return false;
  if (!(a.area == b.area) || a.layers != b.layers) return false;
  for (const model::Attachment& one : a.attachments) {
    for (const model::Attachment& other : b.attachments) {
      if (one.range && other.range && one.range->image == other.range->image) return true;
    }
  }
  return false;
}

/// The neighbours whose shorter one, counted once too often, explains a frame that does less than
/// expected; nothing where none does.
std::optional<std::size_t> merged_pair(const std::vector<double>& lengths,
                                       const std::vector<std::vector<std::size_t>>& passes,
                                       const std::vector<PassWork>& works,
                                       const model::ApiFrame& frame, double missing,
                                       double tolerance) {
  for (std::size_t k = 0; k + 1 < lengths.size(); ++k) {
    const double shared = std::min(lengths[k], lengths[k + 1]);
    if (std::abs(shared - missing) > tolerance) continue;
    const model::Pass& first = frame.passes[works[passes[k].back()].pass];
    const model::Pass& second = frame.passes[works[passes[k + 1].front()].pass];
    if (mergeable(first, second)) return k;
  }
  return std::nullopt;
}

double sum(const std::vector<double>& values) {
  double out = 0;
  for (const double value : values) out += value;
  return out;
}

std::vector<Known> shown_by(std::span<const Shown> list, const QueueTrack& track,
                            const std::vector<PassWork>& works,
                            const std::vector<std::vector<std::size_t>>& passes,
                            const std::string& without) {
  std::vector<Known> out;
  // Passes that the GPU did as one do not store what the second loads.
  const bool merged = std::any_of(passes.begin(), passes.end(),
                                  [](const auto& members) { return members.size() > 1; });
  for (const Shown& shown : list) {
    if (merged && shown.amount == &PassWork::stored_bytes) continue;
    for (const auto* counters : {&track.mix, &track.progress}) {
      const auto found = std::find_if(counters->begin(), counters->end(), [&](const auto& counter) {
        return counter.name == shown.counter && counter.name != without;
      });
      if (found == counters->end()) continue;
      auto expected = amounts(works, passes, shown.amount);
      if (expected && sum(*expected) > 0) {
        out.push_back({&*found, std::move(*expected), shown.tolerance});
      }
      break;
    }
  }
  return out;
}

std::vector<Known> known_but(std::vector<Known> list, const std::string& without) {
  std::erase_if(list, [&](const Known& known) { return known.counter->name == without; });
  return list;
}

/// One counter's chance; fills the plan where it fits.
class Attempt {
 public:
  Attempt(const QueueTrack& track, const TrackCounter& counter, const std::vector<PassWork>& works,
          const model::ApiFrame& frame, const analyze::Frames& frames, QueuePlan& plan)
      : track_(track),
        counter_(counter),
        works_(works),
        frame_(frame),
        frames_(frames),
        plan_(plan) {}

  bool exact() {
    auto lengths = lengths_on(counter_.name, track_.queue, works_, plan_.passes);
    if (!lengths || sum(*lengths) <= 0) return false;
    const auto measured = per_frame(track_, counter_, frames_);
    expected_ = sum(*lengths);
    Comparison compared{counter_.name, expected_, std::nullopt};
    if (measured) compared.measured = measured->amount;
    plan_.compared.push_back(compared);
    if (!measured) {
      take(std::move(*lengths), 0, "frames are those of the API capture's totals alone");
      return true;
    }
    tolerance_ = kSame * expected_ + 2 * measured->error;
    const double middle_tolerance = kSame * expected_ + 2 * measured->middle_error;
    for (const double unit : kTileUnits) {
      if (unit != 1 && !is_tiles(counter_.name)) break;
      // A frame that was cut as two, or two as one, pulls the mean and leaves the middle.
      if (std::abs(measured->amount - unit * expected_) > unit * tolerance_ &&
          std::abs(measured->middle - unit * expected_) > unit * middle_tolerance) {
        continue;
      }
      for (double& length : *lengths) length *= unit;
      take(std::move(*lengths), 0, "a frame adds what the API capture says");
      return true;
    }
    // Counters alone may take two frames for one, or a frame for two.
    for (const double frames : kFramesForOne) {
      if (std::abs(measured->amount - frames * expected_) > frames * tolerance_) continue;
      take(std::move(*lengths), 0,
           "what the counters show as a frame is another number of the API capture's");
      return true;
    }
    const double missing = expected_ - measured->amount;
    if (missing > 0) return merge(std::move(*lengths), missing);
    return false;
  }

  /// A frame that does more than the API capture says.
  bool with_others_work() {
    auto lengths = lengths_on(counter_.name, track_.queue, works_, plan_.passes);
    const auto measured = per_frame(track_, counter_, frames_);
    if (!lengths || !measured || sum(*lengths) <= 0) return false;
    const double more = measured->amount - sum(*lengths);
    if (more <= 0 || more > kMostUnaccounted * measured->amount) return false;
    plan_.unaccounted_share = more / measured->amount;
    take(std::move(*lengths), more,
         fmt::format("{:.1f} % of a frame's work is not in the API capture",
                     100 * plan_.unaccounted_share));
    plan_.axis->period_error = measured->error / measured->amount;
    // Which of its work a frame's surplus is has to be seen.
    plan_.axis->known = known_but(hints(track_, works_, plan_.passes), counter_.name);
    return true;
  }

 private:
  bool merge(std::vector<double> lengths, double missing) {
    const auto pair = merged_pair(lengths, plan_.passes, works_, frame_, missing, tolerance_);
    if (!pair) return false;
    const auto next = static_cast<std::ptrdiff_t>(*pair + 1);
    std::vector<std::size_t>& first = plan_.passes[*pair];
    const std::vector<std::size_t>& second = plan_.passes[*pair + 1];
    first.insert(first.end(), second.begin(), second.end());
    lengths[*pair] = std::max(lengths[*pair], lengths[*pair + 1]);
    lengths.erase(lengths.begin() + next);
    plan_.passes.erase(plan_.passes.begin() + next);
    take(std::move(lengths), 0, "two passes were done as one");
    return true;
  }

  void take(std::vector<double> lengths, double more, std::string reason) {
    AxisPlan axis;
    axis.counter = &counter_;
    axis.period = sum(lengths) + more;
    axis.lengths = std::move(lengths);
    axis.by_jobs = track_.queue == Queue::fragment && counter_.name.ends_with("Job");
    if (track_.jobs && !axis.by_jobs) axis.jobs = &*track_.jobs;
    axis.known = shown_by(kSharp, track_, works_, plan_.passes, counter_.name);
    // Where passes are about as long as one another, only their work tells which is which.
    if (axis.known.empty())
      axis.known = shown_by(kVague, track_, works_, plan_.passes, counter_.name);
    plan_.axis = std::move(axis);
    plan_.reason = std::move(reason);
  }

  const QueueTrack& track_;
  const TrackCounter& counter_;
  const std::vector<PassWork>& works_;
  const model::ApiFrame& frame_;
  const analyze::Frames& frames_;
  QueuePlan& plan_;
  double expected_ = 0;
  double tolerance_ = 0;
};

}  // namespace

std::optional<double> Comparison::ratio() const {
  return measured ? base::ratio(*measured, expected) : std::nullopt;
}

std::vector<Known> hints(const QueueTrack& track, const std::vector<PassWork>& works,
                         const std::vector<std::vector<std::size_t>>& passes) {
  std::vector<Known> out = shown_by(kSharp, track, works, passes, {});
  for (Known& known : shown_by(kVague, track, works, passes, {})) out.push_back(std::move(known));
  return out;
}

QueuePlan plan_queue(const QueueTrack& track, const std::vector<PassWork>& works,
                     const model::ApiFrame& frame, const analyze::Frames& frames) {
  QueuePlan out;
  for (std::size_t w = 0; w < works.size(); ++w) {
    if (track.queue == Queue::fragment ? works[w].fragment : works[w].non_fragment) {
      out.passes.push_back({w});
    }
  }
  if (out.passes.empty()) {
    out.reason = "the API capture has no work for it";
    return out;
  }
  for (const TrackCounter& counter : track.progress) {
    if (Attempt(track, counter, works, frame, frames, out).exact()) return out;
  }
  for (const TrackCounter& counter : track.progress) {
    if (Attempt(track, counter, works, frame, frames, out).with_others_work()) return out;
  }
  out.reason = "no counter adds up work that the API capture tells";
  return out;
}

}  // namespace tilebound::align
