#include "align/placement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tilebound::align {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Steps that slack between passes is tried in.
constexpr std::size_t kSlackSteps = 40;
/// Slack below this share of a bin cannot be told from none.
constexpr double kLeastSlackBins = 0.25;
/// A cut elsewhere differs by at least this many bins.
constexpr double kElsewhereBins = 3;

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// One origin's best cut: cost, and the slack used before each pass, in steps.
struct Cut {
  double cost = kNever;
  std::vector<std::size_t> used;
};

class Cutter {
 public:
  Cutter(const Profile& profile, std::span<const double> lengths)
      : profile_(profile), lengths_(lengths), slack_(profile.period() - sum(lengths)) {
    if (slack_ > kLeastSlackBins * profile.bin()) steps_ = kSlackSteps;
    const double counts = static_cast<double>(profile.bins());
    penalty_ = profile.noise() * std::log(counts);
  }

  double step() const { return steps_ > 0 ? slack_ / static_cast<double>(steps_) : 0; }

  Cut cut(double origin) const {
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
          const double cost = best[v] + between(before, v, u);
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
    Cut out;
    std::size_t last = 0;
    for (std::size_t v = 0; v <= steps_; ++v) {
      const double cost = best[v] + between(before, v, steps_);
      if (cost < out.cost) {
        out.cost = cost;
        last = v;
      }
    }
    out.used.resize(lengths_.size());
    for (std::size_t k = lengths_.size(); k-- > 0;) {
      out.used[k] = last;
      last = from[k][last];
    }
    return out;
  }

 private:
  double between(double before, std::size_t from, std::size_t to) const {
    if (from == to) return 0;
    return penalty_ + profile_.spread(before + static_cast<double>(from) * step(),
                                      before + static_cast<double>(to) * step());
  }

  const Profile& profile_;
  std::span<const double> lengths_;
  double slack_;
  std::size_t steps_ = 0;
  double penalty_ = 0;
};

}  // namespace

Placement place(const Profile& profile, std::span<const double> lengths, const OriginCost& more,
                std::optional<double> known_origin) {
  const Cutter cutter(profile, lengths);
  const double period = profile.period();
  const double whole = profile.spread(0, period);
  const auto cut_at = [&](double origin) {
    const double wrapped = origin - std::floor(origin / period) * period;
    Cut cut = cutter.cut(wrapped);
    cut.cost += whole * more(wrapped);
    return cut;
  };
  Placement out;
  out.runner_up = kNever;
  double origin = known_origin.value_or(0);
  Cut best;
  if (known_origin) {
    best = cut_at(origin);
  } else {
    const double bin = profile.bin();
    const double coarse = cutter.step() > 0 ? bin : bin / 4;
    std::vector<double> costs;
    for (double at = 0; at < period - coarse / 2; at += coarse) costs.push_back(cut_at(at).cost);
    const auto least = std::min_element(costs.begin(), costs.end());
    const double around = static_cast<double>(least - costs.begin()) * coarse;
    constexpr double kFineBins = 0.05;
    for (double shift = -coarse; shift <= coarse; shift += kFineBins * bin) {
      Cut other = cut_at(around + shift);
      if (other.cost < best.cost) {
        best = std::move(other);
        origin = around + shift;
      }
    }
    for (std::size_t t = 0; t < costs.size(); ++t) {
      const double off = std::abs(static_cast<double>(t) * coarse - origin);
      if (std::min(off, period - off) < kElsewhereBins * bin) continue;
      out.runner_up = std::min(out.runner_up, costs[t]);
    }
  }
  out.origin = origin - std::floor(origin / period) * period;
  out.spread = best.cost;
  out.explained = whole > 0 ? 1 - best.cost / whole : 0;
  double at = 0;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    const double from = at + static_cast<double>(best.used[k]) * cutter.step();
    out.passes.push_back({from, from + lengths[k]});
    at += lengths[k];
  }
  return out;
}

}  // namespace tilebound::align
