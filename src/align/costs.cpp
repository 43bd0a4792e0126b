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

void add_to(std::vector<Entry>& row, std::size_t unknown, double factor) {
  for (Entry& entry : row) {
    if (entry.unknown != unknown) continue;
    entry.factor += factor;
    return;
  }
  row.push_back({unknown, factor});
}

/// The pieces of sample `i`, as seen from a frame.
void shares_of(const Axis& axis, const AxisFrame& frame, std::size_t i, std::vector<Entry>& row) {
  row.clear();
  const double from = place_before(axis.position, i) - frame.origin;
  axis.pieces.for_shares(from, axis.position[i] - frame.origin,
                         [&](std::size_t piece, double share) { add_to(row, piece, share); });
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

/// One way to explain busy time: pieces, and with `slows` what each pass loses for a sample of work
/// beside it.
class Model {
 public:
  /// `pass_ns` is a first idea of each pass's time, to tell which pass of a sample was disturbed.
  Model(const QueueTrack& track, const Axis& axis, const std::vector<double>* pass_ns)
      : track_(track), axis_(axis), pass_ns_(pass_ns), beside_(axis.placement.passes.size(), 0) {
    const std::size_t unknowns =
        axis.pieces.size() + (pass_ns == nullptr ? 0 : axis.placement.passes.size());
    groups_.assign(kGroups, NormalEquations(unknowns, 1));
    collect();
  }

  /// Least squares without group `left_out`, or with all groups.
  std::vector<double> solve(std::size_t left_out = kGroups) const {
    NormalEquations all = groups_.front();
    for (std::size_t g = 1; g < kGroups; ++g) all.add(groups_[g]);
    add_likeness(axis_.pieces, all);
    if (left_out < kGroups) all.subtract(groups_[left_out]);
    return all.solve();
  }

  /// Time of passes in a typical frame. Where a pass always has work beside it only the sum of both
  /// its parts is determined.
  std::vector<double> per_pass(const std::vector<double>& solved) const {
    std::vector<double> out(beside_.size(), 0);
    const std::size_t pieces = axis_.pieces.size();
    for (std::size_t p = 0; p < pieces; ++p) {
      if (axis_.pieces[p].pass != kNoPass) out[axis_.pieces[p].pass] += solved[p];
    }
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (pieces + k < solved.size()) out[k] += solved[pieces + k] * beside_[k];
      out[k] = std::max(0.0, out[k]);
    }
    return out;
  }

  std::size_t groups_used() const { return std::min(kGroups, frames_); }

 private:
  void collect() {
    std::vector<Entry> row;
    std::size_t done = 0;  // samples up to here are in already: neighbours share one
    for (const AxisFrame& frame : axis_.frames) {
      if (!frame.matches) continue;
      NormalEquations& group = groups_[frames_++ % kGroups];
      for (std::size_t i = std::max(frame.first, done); i < frame.last; ++i) {
        if (track_.after_gap[i]) continue;
        shares_of(axis_, frame, i, row);
        if (pass_ns_ != nullptr && track_.overlap_ns[i] > 0) add_beside(i, row);
        const double value[] = {track_.busy_ns[i]};
        if (!row.empty()) group.add(row, value);
      }
      done = frame.last;
    }
    for (double& samples : beside_)
      samples /= static_cast<double>(std::max<std::size_t>(1, frames_));
  }

  /// The other queue worked beside each pass of the sample in proportion to the pass's own time.
  void add_beside(std::size_t i, std::vector<Entry>& row) {
    std::vector<Entry> times;
    double all = 0;
    for (const Entry& entry : row) {
      const Piece& piece = axis_.pieces[entry.unknown];
      const double whole = piece.pass == kNoPass ? 0 : axis_.placement.passes[piece.pass].length();
      if (whole <= 0) continue;
      const double ns = entry.factor * piece.at.length() / whole * (*pass_ns_)[piece.pass];
      add_to(times, piece.pass, ns);
      all += ns;
    }
    if (all <= 0) return;
    for (const Entry& time : times) {
      const double samples = track_.overlap_ns[i] / track_.period_ns * time.factor / all;
      row.push_back({axis_.pieces.size() + time.unknown, samples});
      beside_[time.unknown] += samples;
    }
  }

  const QueueTrack& track_;
  const Axis& axis_;
  const std::vector<double>* pass_ns_;
  std::vector<NormalEquations> groups_;
  std::vector<double> beside_;  // samples of work beside each pass in a typical frame
  std::size_t frames_ = 0;
};

/// Jackknife: the groups left out differ from the whole by a share of the error only.
std::vector<double> errors(const Model& model, const std::vector<double>& pass_ns) {
  std::vector<double> out(pass_ns.size(), 0);
  const std::size_t count = model.groups_used();
  if (count < 2) return out;
  for (std::size_t g = 0; g < count; ++g) {
    const std::vector<double> other = model.per_pass(model.solve(g));
    for (std::size_t k = 0; k < out.size(); ++k) {
      const double off = other[k] - pass_ns[k];
      out[k] += off * off;
    }
  }
  const auto n = static_cast<double>(count);
  for (double& error : out) error = std::sqrt(error * (n - 1) / n);
  return out;
}

}  // namespace

void find_costs(const QueueTrack& track, Axis& axis) {
  const Model plain(track, axis, nullptr);
  axis.busy_ns = plain.solve();
  axis.pass_ns = plain.per_pass(axis.busy_ns);
  for (double& ns : axis.busy_ns) ns = std::max(0.0, ns);
  if (track.queue != analyze::Queue::fragment) {
    axis.pass_error_ns = errors(plain, axis.pass_ns);
    return;
  }
  const Model beside(track, axis, &axis.pass_ns);
  const std::vector<double> pass_ns = beside.per_pass(beside.solve());
  axis.pass_error_ns = errors(beside, pass_ns);
  axis.pass_ns = pass_ns;
  // A pass of one piece is shorter than two samples: its own sum is the better one.
  std::vector<std::size_t> parts(pass_ns.size(), 0);
  for (std::size_t p = 0; p < axis.pieces.size(); ++p) {
    if (axis.pieces[p].pass != kNoPass) ++parts[axis.pieces[p].pass];
  }
  for (std::size_t p = 0; p < axis.pieces.size(); ++p) {
    const std::size_t pass = axis.pieces[p].pass;
    if (pass != kNoPass && parts[pass] == 1) axis.busy_ns[p] = pass_ns[pass];
  }
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
