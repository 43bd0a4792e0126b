#include "align/mix_placement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace tilebound::align {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Share of a frame below which amounts are all the same to a comparison by logarithm.
constexpr double kFloorShare = 2e-3;
/// One counter cannot speak louder than this: the pass may do what the capture does not show.
constexpr double kMostCost = 12;
/// Cost of a stretch that no pass accounts for, and of a pass that is not there.
constexpr double kOtherCost = 10;
constexpr double kOtherFrameCost = 40;  // further, for a whole frame of it
constexpr double kMissingCost = 16;
/// A boundary is as likely elsewhere when the whole cut costs at most this much more there.
constexpr double kLikely = 2;
/// Spread inside a pass is no surprise below this much a bin and counter.
constexpr double kUsualSpread = 0.01;
constexpr std::size_t kOriginStep = 2;  // bins

struct Sums {
  std::vector<double> prefix;    // of shares, over two turns of the circle
  std::vector<double> expected;  // shares
  double weight = 1;
};

class Cutter {
 public:
  Cutter(const Profile& profile, std::span<const Expectation> expectations, const CutLimits& limits)
      : profile_(profile), bins_(profile.bins()), passes_(limits.passes) {
    for (const Expectation& e : expectations) add(e);
    const auto counters = static_cast<double>(std::max<std::size_t>(1, expectations.size()));
    per_spread_ = 0.5 / std::max(profile.noise(), kUsualSpread * counters) *
                  std::min(1.0, limits.samples / static_cast<double>(bins_));
  }

  /// Costs of the best cuts of the circle opened at bin `origin`: forward[k][b] with the first k
  /// passes in the first b bins.
  void forward(std::size_t origin) {
    origin_ = origin;
    forward_.assign(passes_ + 1, std::vector<double>(bins_ + 1, kNever));
    gap_.assign(passes_ + 1, std::vector<double>(bins_ + 1, kNever));
    forward_[0][0] = 0;
    for (std::size_t k = 0; k <= passes_; ++k) {
      // A gap after k passes: at most one, of any length.
      for (std::size_t b = 0; b <= bins_; ++b) {
        gap_[k][b] = forward_[k][b];
        for (std::size_t a = 0; a < b; ++a) {
          if (forward_[k][a] == kNever) continue;
          gap_[k][b] = std::min(gap_[k][b], forward_[k][a] + other(a, b));
        }
      }
      if (k == passes_) break;
      for (std::size_t b = 0; b <= bins_; ++b) {
        double best = gap_[k][b] + kMissingCost;
        for (std::size_t a = 0; a < b; ++a) {
          if (gap_[k][a] == kNever) continue;
          best = std::min(best, gap_[k][a] + cost(k, a, b));
        }
        forward_[k + 1][b] = best;
      }
    }
  }

  double best() const { return gap_[passes_][bins_]; }

  /// Costs of the rest: backward[k][b] of passes k.. in bins b.., entered after any gap.
  void backward() {
    backward_.assign(passes_ + 1, std::vector<double>(bins_ + 1, kNever));
    enter_ = backward_;
    for (std::size_t k = passes_ + 1; k-- > 0;) {
      for (std::size_t b = bins_ + 1; b-- > 0;) {
        double here = k == passes_ ? (b == bins_ ? 0 : kNever) : enter_[k + 1][b] + kMissingCost;
        if (k < passes_) {
          for (std::size_t c = b + 1; c <= bins_; ++c) {
            here = std::min(here, cost(k, b, c) + enter_[k + 1][c]);
          }
        }
        backward_[k][b] = here;
      }
      for (std::size_t b = bins_ + 1; b-- > 0;) {
        double here = backward_[k][b];
        for (std::size_t c = b + 1; c <= bins_; ++c) {
          if (backward_[k][c] != kNever) here = std::min(here, other(b, c) + backward_[k][c]);
        }
        enter_[k][b] = here;
      }
    }
  }

  /// Bins where pass k begins, or ends, in cuts that cost at most `most`.
  Stretch begins(std::size_t k, double most) const { return range(gap_[k], backward_[k], most); }
  Stretch ends(std::size_t k, double most) const {
    return range(forward_[k + 1], enter_[k + 1], most);
  }

  /// The best cut itself, by bins.
  std::vector<Stretch> cut() const {
    std::vector<Stretch> out(passes_);
    std::size_t b = bins_;
    for (std::size_t k = passes_; k-- > 0;) {
      b = before_gap(k + 1, b);
      const auto [a, to] = pass_ending(k, b);
      out[k] = {static_cast<double>(a), static_cast<double>(to)};
      b = a;
    }
    return out;
  }

 private:
  void add(const Expectation& e) {
    double total = 0;
    for (const double amount : e.amounts) total += amount;
    double expected = 0;
    for (const double amount : e.expected) expected += amount;
    if (total <= 0 || expected <= 0) return;
    Sums sums;
    sums.prefix.push_back(0);
    for (std::size_t b = 0; b < 2 * bins_; ++b) {
      sums.prefix.push_back(sums.prefix.back() + e.amounts[b % bins_] / total);
    }
    for (const double amount : e.expected) sums.expected.push_back(amount / expected);
    sums.weight = 0.5 / (e.tolerance * e.tolerance);
    sums_.push_back(std::move(sums));
  }

  double spread(std::size_t a, std::size_t b) const {
    return per_spread_ * profile_.spread(static_cast<double>(origin_ + a) * profile_.bin(),
                                         static_cast<double>(origin_ + b) * profile_.bin());
  }

  double other(std::size_t a, std::size_t b) const {
    const double share = static_cast<double>(b - a) / static_cast<double>(bins_);
    return kOtherCost + kOtherFrameCost * share + spread(a, b);
  }

  double cost(std::size_t k, std::size_t a, std::size_t b) const {
    double out = spread(a, b);
    for (const Sums& sums : sums_) {
      const double share = sums.prefix[origin_ + b] - sums.prefix[origin_ + a];
      const double off = std::log((share + kFloorShare) / (sums.expected[k] + kFloorShare));
      out += std::min(kMostCost, sums.weight * off * off);
    }
    return out;
  }

  Stretch range(const std::vector<double>& before, const std::vector<double>& after,
                double most) const {
    Stretch out{static_cast<double>(bins_), 0};
    for (std::size_t b = 0; b <= bins_; ++b) {
      if (before[b] + after[b] > most) continue;
      out.from = std::min(out.from, static_cast<double>(b));
      out.to = std::max(out.to, static_cast<double>(b));
    }
    return out;
  }

  std::size_t before_gap(std::size_t k, std::size_t b) const {
    std::size_t best = b;
    double least = forward_[k][b];
    for (std::size_t a = 0; a < b; ++a) {
      if (forward_[k][a] == kNever) continue;
      const double cost_here = forward_[k][a] + other(a, b);
      if (cost_here < least) {
        least = cost_here;
        best = a;
      }
    }
    return best;
  }

  std::pair<std::size_t, std::size_t> pass_ending(std::size_t k, std::size_t b) const {
    std::size_t best = b;
    double least = gap_[k][b] + kMissingCost;
    for (std::size_t a = 0; a < b; ++a) {
      if (gap_[k][a] == kNever) continue;
      const double cost_here = gap_[k][a] + cost(k, a, b);
      if (cost_here < least) {
        least = cost_here;
        best = a;
      }
    }
    // The gap before it belongs to the passes before.
    return {best, b};
  }

  const Profile& profile_;
  std::size_t bins_;
  std::size_t passes_;
  std::vector<Sums> sums_;
  double per_spread_ = 1;
  std::size_t origin_ = 0;
  std::vector<std::vector<double>> forward_;   // pass k just ended
  std::vector<std::vector<double>> gap_;       // likewise, and perhaps a gap after it
  std::vector<std::vector<double>> backward_;  // pass k begins here
  std::vector<std::vector<double>> enter_;     // likewise, perhaps after a gap
};

}  // namespace

Placement place_by_mix(const Profile& profile, std::span<const Expectation> expectations,
                       const CutLimits& limits) {
  Cutter cutter(profile, expectations, limits);
  std::size_t origin = 0;
  cutter.forward(0);
  double best = cutter.best();
  double runner_up = kNever;
  if (limits.any_origin) {
    std::vector<double> costs(profile.bins(), kNever);
    for (std::size_t o = 0; o < profile.bins(); o += kOriginStep) {
      cutter.forward(o);
      costs[o] = cutter.best();
      if (costs[o] < best) {
        best = costs[o];
        origin = o;
      }
    }
    const std::size_t away = profile.bins() / 16;
    for (std::size_t o = 0; o < profile.bins(); o += kOriginStep) {
      const std::size_t off = o > origin ? o - origin : origin - o;
      if (std::min(off, profile.bins() - off) >= away) runner_up = std::min(runner_up, costs[o]);
    }
    cutter.forward(origin);
  }
  cutter.backward();
  Placement out;
  const double bin = profile.bin();
  out.origin = static_cast<double>(origin) * bin;
  out.spread = best;
  out.runner_up = runner_up;
  for (const Stretch& pass : cutter.cut()) {
    out.passes.push_back({pass.from * bin, pass.to * bin});
  }
  for (std::size_t k = 0; k < limits.passes; ++k) {
    const Stretch begin = cutter.begins(k, best + kLikely);
    const Stretch end = cutter.ends(k, best + kLikely);
    out.begins.push_back({begin.from * bin, begin.to * bin});
    out.ends.push_back({end.from * bin, end.to * bin});
  }
  return out;
}

}  // namespace tilebound::align
