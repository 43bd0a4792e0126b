#include "align/crossing.h"

#include <algorithm>
#include <cmath>

namespace tilebound::align {

namespace {

/// One sample, taken apart: idle time where the axis stands still, busy time along it.
class Sample {
 public:
  Sample(const AxisWork& work, const AxisFrame& frame, const Placement& placement, std::size_t i)
      : work_(work), origin_(frame.origin), i_(i) {
    from_ = place_before(work.position, i);
    to_ = work.position[i];
    begin_ = static_cast<double>(work.track.interval[i].begin.value);
    length_ = static_cast<double>(work.track.interval[i].length().value);
    busy_ = std::min(length_, work.track.busy_ns[i]);
    foretold_ = foretold(from_, to_);
    find_pauses(placement);
  }

  /// When the place is reached; with `after` when it is left.
  double time_at(double place, bool after) const {
    const double before = foretold_ > 0 ? foretold(from_, place) / foretold_
                                        : (to_ > from_ ? (place - from_) / (to_ - from_) : 0);
    double idle = 0;
    const double each =
        pauses_.empty() ? 0 : (length_ - busy_) / static_cast<double>(pauses_.size());
    for (const double pause : pauses_) {
      const bool passed =
          after ? pause <= place + work_.least_step : pause < place - work_.least_step;
      if (passed) idle += each;
    }
    const double busy = pauses_.empty() ? length_ : busy_;
    return begin_ + std::clamp(idle + before * busy, 0.0, length_);
  }

 private:
  double foretold(double from, double to) const {
    double sum = 0;
    work_.pieces.for_shares(from - origin_, to - origin_, [&](std::size_t piece, double share) {
      sum += share * work_.busy_ns[piece];
    });
    return sum;
  }

  /// A queue waits between passes: at every boundary that the sample holds. Where it only touches
  /// one, the wait lies there if the sample beside waits too.
  void find_pauses(const Placement& placement) {
    const double period = work_.pieces.period();
    const double turn = std::floor((from_ - origin_) / period) * period;
    for (int lap = 0; lap < 3; ++lap) {
      const double base = origin_ + turn + lap * period;
      for (const Stretch& pass : placement.passes) add_pause(base + pass.from);
      for (const Stretch& pass : placement.passes) add_pause(base + pass.to);
    }
    std::sort(pauses_.begin(), pauses_.end());
  }

  void add_pause(double place) {
    if (place < from_ - work_.least_step || place > to_ + work_.least_step) return;
    const bool at_begin = place < from_ + work_.least_step;
    const bool at_end = place > to_ - work_.least_step;
    if (at_begin && !at_end && !waits(i_, -1)) return;
    if (at_end && !at_begin && !waits(i_, 1)) return;
    for (const double pause : pauses_) {
      if (std::abs(pause - place) <= work_.least_step) return;
    }
    pauses_.push_back(place);
  }

  bool waits(std::size_t i, int side) const {
    if (side < 0 && i == 0) return true;
    const std::size_t beside = side < 0 ? i - 1 : i + 1;
    if (beside >= work_.track.size()) return true;
    const auto length = static_cast<double>(work_.track.interval[beside].length().value);
    constexpr double kBusy = 0.98;
    return work_.track.busy_ns[beside] < kBusy * length;
  }

  const AxisWork& work_;
  double origin_;
  std::size_t i_;
  double from_ = 0;
  double to_ = 0;
  double begin_ = 0;
  double length_ = 0;
  double busy_ = 0;
  double foretold_ = 0;
  std::vector<double> pauses_;
};

}  // namespace

std::vector<PassTime> pass_times(const AxisWork& work, const AxisFrame& frame,
                                 const Placement& placement) {
  std::vector<PassTime> out;
  const auto begin = work.position.begin();
  // Reached in the first sample that ends there or beyond; left in the first that ends beyond.
  const auto sample_of = [&](double place, bool after) {
    const auto at = after ? std::upper_bound(begin, work.position.end(), place + work.least_step)
                          : std::lower_bound(begin, work.position.end(), place - work.least_step);
    return std::min(static_cast<std::size_t>(at - begin), work.position.size() - 1);
  };
  /// The nearest place within reach where the queue stood still for a sample.
  const auto snapped = [&](double place) {
    if (work.snap <= 0) return place;
    double best = place;
    double off = work.snap;
    const std::size_t first = sample_of(place - work.snap, false);
    for (std::size_t i = first; i < work.position.size(); ++i) {
      if (place_before(work.position, i) > place + work.snap) break;
      const double step = work.position[i] - place_before(work.position, i);
      if (step > work.least_step || std::abs(work.position[i] - place) > off) continue;
      best = work.position[i];
      off = std::abs(best - place);
    }
    return best;
  };
  const auto moment = [&](double from_origin, const Stretch& likely, bool after) {
    const double place = snapped(frame.origin + from_origin) - frame.origin;
    const std::size_t i = sample_of(frame.origin + place, after);
    const base::Interval first = work.track.interval[sample_of(frame.origin + likely.from, after)];
    const base::Interval last = work.track.interval[sample_of(frame.origin + likely.to, after)];
    return Moment{Sample(work, frame, placement, i).time_at(frame.origin + place, after),
                  static_cast<double>(first.begin.value), static_cast<double>(last.end.value)};
  };
  for (std::size_t k = 0; k < placement.passes.size(); ++k) {
    const Stretch& pass = placement.passes[k];
    const bool sure = placement.begins.empty();
    const Stretch begins = sure ? Stretch{pass.from, pass.from} : placement.begins[k];
    const Stretch ends = sure ? Stretch{pass.to, pass.to} : placement.ends[k];
    out.push_back({moment(pass.from, begins, true), moment(pass.to, ends, false)});
  }
  return out;
}

}  // namespace tilebound::align
