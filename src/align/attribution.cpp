#include "align/attribution.h"

#include <algorithm>
#include <optional>

#include "align/least_squares.h"

namespace tilebound::align {

namespace {

/// Shares of passes in each sample of one queue; unknowns start at `base`.
class Shares {
 public:
  Shares(const QueueTrack* track, const Axis* axis, std::size_t base)
      : track_(track), axis_(axis), base_(base) {
    if (axis == nullptr) return;
    passes_.emplace(axis->placement, axis->period);
  }

  /// Passes, and what lies between them as one more; or the busy time.
  std::size_t unknowns() const {
    if (track_ == nullptr) return 0;
    return axis_ == nullptr ? 1 : axis_->placement.passes.size() + 1;
  }

  void add(std::size_t i, std::vector<Entry>& row) const {
    if (track_ == nullptr) return;
    if (axis_ == nullptr) {
      row.push_back({base_, track_->busy_ns[i] / track_->period_ns});
      return;
    }
    const double origin = axis_->placement.origin;
    const double from = place_before(axis_->position, i) - origin;
    const double to = axis_->position[i] - origin;
    const std::size_t first = row.size();
    passes_->for_shares(from, to, [&](std::size_t piece, double share) {
      const std::size_t pass = (*passes_)[piece].pass;
      const std::size_t unknown = base_ + (pass == kNoPass ? axis_->placement.passes.size() : pass);
      for (std::size_t e = first; e < row.size(); ++e) {
        if (row[e].unknown == unknown) {
          row[e].factor += share;
          return;
        }
      }
      row.push_back({unknown, share});
    });
  }

 private:
  const QueueTrack* track_;
  const Axis* axis_;
  std::size_t base_;
  std::optional<Pieces> passes_;
};

/// Samples of frames that match, without gaps.
std::vector<std::size_t> usable(const Queues& queues) {
  const Axis* axis = queues.fragment != nullptr ? queues.fragment : queues.non_fragment;
  const QueueTrack* track =
      queues.fragment != nullptr ? queues.fragment_track : queues.non_fragment_track;
  std::vector<std::size_t> out;
  if (axis == nullptr) return out;
  for (const AxisFrame& frame : axis->frames) {
    if (!frame.matches) continue;
    for (std::size_t i = frame.first; i < frame.last; ++i) {
      if (track->after_gap[i] || (!out.empty() && i <= out.back())) continue;
      out.push_back(i);
    }
  }
  return out;
}

}  // namespace

std::vector<Attributed> attribute(const Queues& queues, const std::vector<Counted>& counters) {
  const Shares fragment(queues.fragment_track, queues.fragment, 0);
  const Shares non_fragment(queues.non_fragment_track, queues.non_fragment, fragment.unknowns());
  const std::size_t unknowns = fragment.unknowns() + non_fragment.unknowns();
  std::vector<Attributed> out(counters.size());
  const std::vector<std::size_t> samples = usable(queues);
  if (samples.empty()) return out;
  for (const Serves serves : {Serves::fragment, Serves::non_fragment, Serves::both}) {
    std::vector<std::size_t> sides;
    for (std::size_t c = 0; c < counters.size(); ++c) {
      if (counters[c].serves == serves) sides.push_back(c);
    }
    if (sides.empty()) continue;
    NormalEquations equations(unknowns, sides.size());
    std::vector<Entry> row;
    std::vector<double> values(sides.size());
    for (const std::size_t i : samples) {
      row.clear();
      if (serves != Serves::non_fragment) fragment.add(i, row);
      if (serves != Serves::fragment) non_fragment.add(i, row);
      for (std::size_t s = 0; s < sides.size(); ++s) values[s] = counters[sides[s]].amounts[i];
      if (!row.empty()) equations.add(row, values);
    }
    const std::vector<double> solved = equations.solve();
    for (std::size_t s = 0; s < sides.size(); ++s) {
      const double* amounts = &solved[s * unknowns];
      Attributed& to = out[sides[s]];
      const auto take = [&](const Axis* axis, std::size_t base, std::vector<double>& passes) {
        if (axis == nullptr) return;
        for (std::size_t k = 0; k < axis->placement.passes.size(); ++k) {
          passes.push_back(std::max(0.0, amounts[base + k]));
        }
      };
      if (serves != Serves::non_fragment) take(queues.fragment, 0, to.fragment);
      if (serves != Serves::fragment) {
        take(queues.non_fragment, fragment.unknowns(), to.non_fragment);
      }
    }
  }
  return out;
}

}  // namespace tilebound::align
