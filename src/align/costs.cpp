#include "align/costs.h"

#include <algorithm>
#include <cmath>

#include "align/least_squares.h"

namespace tilebound::align {

namespace {

/// Groups of frames; each is left out once to see how sure the answer is.
constexpr std::size_t kGroups = 8;
/// How much like its neighbours a piece of a pass is expected to be, in samples' worth of rows.
constexpr double kLikeness = 0.05;

void shares_of(const Axis& axis, const AxisFrame& frame, std::size_t i, std::vector<Entry>& row) {
  row.clear();
  const double from = place_before(axis.position, i) - frame.origin;
  const double to = axis.position[i] - frame.origin;
  axis.pieces.for_shares(from, to, [&](std::size_t piece, double share) {
    for (Entry& entry : row) {
      if (entry.unknown == piece) {
        entry.factor += share;
        return;
      }
    }
    row.push_back({piece, share});
  });
}

/// Neighbours inside one pass are alike, weakly.
void add_likeness(const Pieces& pieces, NormalEquations& equations) {
  double mean = 0;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    mean += equations.weight(p) / static_cast<double>(pieces.size());
  }
  const double factor = std::sqrt(kLikeness * mean);
  for (std::size_t p = 1; p < pieces.size(); ++p) {
    if (pieces[p].pass == kNoPass || pieces[p].pass != pieces[p - 1].pass) continue;
    const Entry row[] = {{p - 1, factor}, {p, -factor}};
    const double value[] = {0};
    equations.add(row, value);
  }
}

std::vector<double> per_pass(const Axis& axis, const std::vector<double>& pieces) {
  std::vector<double> out(axis.placement.passes.size(), 0);
  for (std::size_t p = 0; p < axis.pieces.size(); ++p) {
    if (axis.pieces[p].pass != kNoPass) out[axis.pieces[p].pass] += std::max(0.0, pieces[p]);
  }
  return out;
}

}  // namespace

void find_costs(const QueueTrack& track, Axis& axis) {
  const std::size_t unknowns = axis.pieces.size();
  std::vector<NormalEquations> groups(kGroups, NormalEquations(unknowns, 1));
  std::vector<Entry> row;
  std::size_t done = 0;  // samples up to here are in already: neighbours share one
  std::size_t used = 0;
  for (const AxisFrame& frame : axis.frames) {
    if (!frame.matches) continue;
    NormalEquations& group = groups[used++ % kGroups];
    for (std::size_t i = std::max(frame.first, done); i < frame.last; ++i) {
      if (track.after_gap[i]) continue;
      shares_of(axis, frame, i, row);
      const double value[] = {track.busy_ns[i]};
      if (!row.empty()) group.add(row, value);
    }
    done = frame.last;
  }
  NormalEquations all(unknowns, 1);
  for (const NormalEquations& group : groups) all.add(group);
  NormalEquations likely = all;
  add_likeness(axis.pieces, likely);
  axis.busy_ns = likely.solve();
  for (double& ns : axis.busy_ns) ns = std::max(0.0, ns);
  axis.pass_ns = per_pass(axis, axis.busy_ns);
  axis.pass_error_ns.assign(axis.pass_ns.size(), 0);
  if (used < 2) return;
  const std::size_t count = std::min(kGroups, used);
  for (std::size_t g = 0; g < count; ++g) {
    NormalEquations rest = likely;
    rest.subtract(groups[g]);
    const std::vector<double> other = per_pass(axis, rest.solve());
    for (std::size_t k = 0; k < other.size(); ++k) {
      const double off = other[k] - axis.pass_ns[k];
      axis.pass_error_ns[k] += off * off;
    }
  }
  // Jackknife: the groups left out differ from the whole by a share of the error only.
  const auto n = static_cast<double>(count);
  for (double& error : axis.pass_error_ns) error = std::sqrt(error * (n - 1) / n);
}

double misfit(const QueueTrack& track, const Axis& axis, const AxisFrame& frame) {
  double squares = 0;
  double time = 0;
  std::size_t count = 0;
  std::vector<Entry> row;
  for (std::size_t i = frame.first; i < frame.last; ++i) {
    if (track.after_gap[i]) continue;
    shares_of(axis, frame, i, row);
    double foretold = 0;
    for (const Entry& entry : row) foretold += entry.factor * axis.busy_ns[entry.unknown];
    const double off = track.busy_ns[i] - foretold;
    squares += off * off;
    time += static_cast<double>(track.interval[i].length().value);
    ++count;
  }
  if (count == 0 || time <= 0) return 0;
  const auto n = static_cast<double>(count);
  return std::sqrt(squares / n) / (time / n);
}

}  // namespace tilebound::align
