#include "align/placement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace tilebound::align {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Steps that slack between passes is tried in.
constexpr std::size_t kSlackSteps = 40;
/// Slack below this share of a bin cannot be told from none.
constexpr double kLeastSlackBins = 0.25;
/// A cut elsewhere differs by at least this many bins.
constexpr double kElsewhereBins = 3;
/// A stretch between passes must explain this share of the profile's spread.
constexpr double kGapShare = 0.01;

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

class Cutter {
 public:
  Cutter(const Profile& profile, std::span<const double> lengths)
      : profile_(profile), lengths_(lengths), slack_(profile.period() - sum(lengths)) {
    if (slack_ <= kLeastSlackBins * profile.bin()) slack_ = 0;
    if (slack_ > 0) steps_ = kSlackSteps;
    const double counts = static_cast<double>(profile.bins());
    penalty_ = profile.noise() * std::log(counts) + kGapShare * profile.spread(0, profile.period());
  }

  double slack() const { return slack_; }

  /// Spread inside passes and between them, and the extra cost of each gap.
  double cost(const std::vector<Stretch>& passes, double origin) const {
    double out = 0;
    double at = 0;
    for (const Stretch& pass : passes) {
      out += gap_cost(origin + at, origin + pass.from) +
             profile_.spread(origin + pass.from, origin + pass.to);
      at = pass.to;
    }
    return out + gap_cost(origin + at, origin + profile_.period());
  }

  /// The best cut with any number of gaps, from the origin.
  std::vector<Stretch> cut(double origin) const {
    std::vector<double> best(steps_ + 1, kNever);
    best[0] = 0;
    std::vector<std::vector<std::size_t>> from;
    double before = origin;
    for (const double length : lengths_) {
      std::vector<double> after(steps_ + 1, kNever);
      std::vector<std::size_t> came(steps_ + 1, 0);
      for (std::size_t u = 0; u <= steps_; ++u) {
        const double at = before + static_cast<double>(u) * step();
        for (std::size_t v = 0; v <= u; ++v) {
          if (best[v] == kNever) continue;
          const double cost = best[v] + gap_cost(before + static_cast<double>(v) * step(), at);
          if (cost < after[u]) {
            after[u] = cost;
            came[u] = v;
          }
        }
        if (after[u] != kNever) after[u] += profile_.spread(at, at + length);
      }
      best = std::move(after);
      from.push_back(std::move(came));
      before += length;
    }
    const double end = origin + profile_.period();
    double least = kNever;
    std::size_t last = 0;
    for (std::size_t v = 0; v <= steps_; ++v) {
      const double cost = best[v] + gap_cost(before + static_cast<double>(v) * step(), end);
      if (cost < least) {
        least = cost;
        last = v;
      }
    }
    std::vector<Stretch> out(lengths_.size());
    for (std::size_t k = lengths_.size(); k-- > 0;) {
      before -= lengths_[k];
      const double at = before - origin + static_cast<double>(last) * step();
      out[k] = {at, at + lengths_[k]};
      last = from[k][last];
    }
    return out;
  }

 private:
  double step() const { return steps_ > 0 ? slack_ / static_cast<double>(steps_) : 0; }

  double gap_cost(double from, double to) const {
    const double least = kLeastSlackBins / 10 * profile_.bin();
    return to - from <= least ? 0 : penalty_ + profile_.spread(from, to);
  }

  const Profile& profile_;
  std::span<const double> lengths_;
  double slack_;
  std::size_t steps_ = 0;
  double penalty_ = 0;
};

/// The best of many cuts, and what the others cost.
class Search {
 public:
  Search(const Profile& profile, const Cutter& cutter, const CutCost& more)
      : profile_(profile),
        cutter_(cutter),
        more_(more),
        whole_(profile.spread(0, profile.period())) {}

  /// Cost of a cut; keeps the best one.
  double try_cut(std::vector<Stretch> passes, double origin) {
    const double at = origin - std::floor(origin / profile_.period()) * profile_.period();
    const double cost = cutter_.cost(passes, at) + whole_ * more_(passes, at);
    if (cost < cost_) {
      cost_ = cost;
      origin_ = at;
      passes_ = std::move(passes);
    }
    return cost;
  }

  /// Everywhere on the circle, then finely around the best.
  void sweep(const std::vector<Stretch>& passes) {
    const double bin = profile_.bin();
    const double coarse = bin / 4;
    double least = kNever;
    double around = 0;
    for (double at = 0; at < profile_.period() - coarse / 2; at += coarse) {
      const double cost = try_cut(passes, at);
      costs_.emplace_back(at, cost);
      if (cost >= least) continue;
      least = cost;
      around = at;
    }
    constexpr double kFineBins = 0.05;
    for (double shift = -coarse; shift <= coarse; shift += kFineBins * bin) {
      try_cut(passes, around + shift);
    }
  }

  Placement result() const {
    Placement out;
    out.origin = origin_;
    out.passes = passes_;
    out.spread = cost_;
    out.explained = whole_ > 0 ? 1 - cost_ / whole_ : 0;
    out.runner_up = kNever;
    for (const auto& [at, cost] : costs_) {
      const double off = std::abs(at - origin_);
      if (std::min(off, profile_.period() - off) < kElsewhereBins * profile_.bin()) continue;
      out.runner_up = std::min(out.runner_up, cost);
    }
    return out;
  }

 private:
  const Profile& profile_;
  const Cutter& cutter_;
  const CutCost& more_;
  double whole_;
  double cost_ = kNever;
  double origin_ = 0;
  std::vector<Stretch> passes_;
  std::vector<std::pair<double, double>> costs_;  // of the sweep, by origin
};

}  // namespace

std::vector<Stretch> in_a_row(std::span<const double> lengths, std::size_t before, double gap) {
  std::vector<Stretch> out;
  double at = 0;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    if (k == before) at += gap;
    out.push_back({at, at + lengths[k]});
    at += lengths[k];
  }
  return out;
}

Placement place(const Profile& profile, std::span<const double> lengths, const CutCost& more,
                const std::function<std::vector<double>(const std::vector<Stretch>&)>& origins) {
  const Cutter cutter(profile, lengths);
  Search search(profile, cutter, more);
  const double gap = cutter.slack();
  // A gap before the first pass is one after the last.
  const std::size_t places = gap > 0 ? lengths.size() : 1;
  for (std::size_t before = 0; before < places; ++before) {
    const std::vector<Stretch> passes = in_a_row(lengths, before, before == 0 ? 0 : gap);
    const std::vector<double> known = origins(passes);
    for (const double origin : known) search.try_cut(passes, origin);
    if (known.empty()) search.sweep(passes);
  }
  if (gap > 0) {
    std::vector<double> begins = origins({});
    const bool anywhere = begins.empty();
    for (std::size_t b = 0; b < profile.bins() && anywhere; ++b) {
      begins.push_back(static_cast<double>(b) * profile.bin());
    }
    for (const double origin : begins) search.try_cut(cutter.cut(origin), origin);
  }
  return search.result();
}

}  // namespace tilebound::align
