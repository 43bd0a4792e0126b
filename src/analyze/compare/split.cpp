#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "analyze/compare/steps.h"
#include "base/statistics.h"

/// What each cause costs. Known are the gap itself and, from slices of both captures, how fast the
/// hardware was seen to do each kind of work. The latter bounds a cause: added work cannot take
/// longer than doing it alone at that rate. Where there is one cause, the gap is its cost. Where
/// there are several, those that slow down shading which both captures do are told from those that
/// add work of their own by the rate of warps where shading has the GPU to itself; within a group a
/// regression of active cycles on work (no work takes less than nothing, none more than its bound)
/// shares the group's part.
namespace tilebound::analyze {

namespace {

constexpr double kSureClock = 0.5;
/// Slices in which the GPU works for less of the time than this say nothing about rates.
constexpr double kBusySlice = 0.3;
/// The rate that the hardware is seen to reach, without the few luckiest slices.
constexpr double kReachedQuantile = 0.995;
constexpr double kNothingMs = 0.02;
/// Slices that shading has to itself: the fastest ones, this many of them a frame.
constexpr double kPureSlices = 0.25;
constexpr double kShortestSlice = 0.1;
/// Longer samples than this share of a frame's GPU time mix shading with everything else.
constexpr double kLongestSample = 0.6;
constexpr std::size_t kRounds = 300;
/// Work that explains active cycles, whatever the causes are.
constexpr const char* kExplaining[] = {
    "MaliFragQueueJob",    "MaliFragTile",        "MaliFragRastQd",     "MaliFragLZSTestQd",
    "MaliFragWarp",        "MaliEngFMAInstr",     "MaliEngCVTInstr",    "MaliEngSFUInstr",
    "MaliTexFiltIssueCy",  "MaliVar32IssueSlot",  "MaliVar16IssueSlot", "MaliSCBusTileWrBt",
    "MaliSCBusFFEL2RdBt",  "MaliExtBusRdBt",      "MaliExtBusWrBt",     "MaliGeomTrianglePrim",
    "MaliGeomPosShadTask", "MaliNonFragQueueJob", "MaliNonFragWarp",    "MaliLSFullRd",
    "MaliLSFullWr"};

/// Cycles that a unit of each kind of work takes, from slices of both sides.
class Costs {
 public:
  Costs(const Pair& pair, std::string_view active, std::span<const GapCause> causes)
      : pair_(pair), active_(active) {
    for (const char* key : kExplaining) add(key);
    for (const GapCause& cause : causes) {
      for (const auto& [key, amount] : cause.work) add(key);
    }
    bound();
    regress();
  }

  /// At most, where the hardware was seen to do such work.
  std::optional<double> most(const std::string& key) const { return find(key, most_); }
  double marginal(const std::string& key) const { return find(key, marginal_).value_or(0); }

 private:
  std::optional<double> find(const std::string& key, const std::vector<double>& values) const {
    const auto at = std::find(keys_.begin(), keys_.end(), key);
    if (at == keys_.end()) return std::nullopt;
    const double value = values[static_cast<std::size_t>(at - keys_.begin())];
    return value > 0 ? std::optional(value) : std::nullopt;
  }

  void add(const std::string& key) {
    if (!pair_.has(key) || std::find(keys_.begin(), keys_.end(), key) != keys_.end()) return;
    keys_.push_back(key);
  }

  template <typename F>
  void for_each_run(const F& f) const {
    for (const auto side : {pair_.a(), pair_.b()}) {
      for (const Run& run : side) {
        if (run.slices.by_key.contains(std::string(active_))) f(run.slices);
      }
    }
  }

  void bound() {
    for (const std::string& key : keys_) {
      std::vector<double> rates;
      for_each_run([&](const Slices& slices) {
        const auto work = slices.by_key.find(key);
        if (work == slices.by_key.end()) return;
        const std::vector<double>& active = slices.by_key.at(std::string(active_));
        const double busiest = base::quantile(active, 1).value_or(0);
        for (std::size_t i = 0; i < slices.size; ++i) {
          if (!(active[i] > kBusySlice * busiest) || std::isnan(work->second[i])) continue;
          rates.push_back(work->second[i] / active[i]);
        }
      });
      const double reached = base::quantile(rates, kReachedQuantile).value_or(0);
      most_.push_back(reached > 0 ? 1 / reached : 0);
    }
  }

  /// Least squares with every coefficient between 0 and its bound, coordinate by coordinate.
  void regress() {
    const std::size_t n = keys_.size();
    std::vector<std::vector<double>> gram(n, std::vector<double>(n, 0));
    std::vector<double> target(n, 0);
    std::vector<double> row(n, 0);
    for_each_run([&](const Slices& slices) {
      const std::vector<double>& active = slices.by_key.at(std::string(active_));
      std::vector<const std::vector<double>*> columns;
      for (const std::string& key : keys_) {
        const auto found = slices.by_key.find(key);
        if (found == slices.by_key.end()) return;
        columns.push_back(&found->second);
      }
      for (std::size_t i = 0; i < slices.size; ++i) {
        bool whole = !std::isnan(active[i]);
        for (std::size_t c = 0; c < n; ++c) {
          row[c] = (*columns[c])[i] * most_[c];  // in cycles at the reached rate
          whole = whole && !std::isnan(row[c]);
        }
        if (!whole) continue;
        for (std::size_t c = 0; c < n; ++c) {
          target[c] += row[c] * active[i];
          for (std::size_t d = 0; d < n; ++d) gram[c][d] += row[c] * row[d];
        }
      }
    });
    std::vector<double> share(n, 0);
    for (std::size_t round = 0; round < kRounds; ++round) {
      for (std::size_t c = 0; c < n; ++c) {
        if (gram[c][c] <= 0) continue;
        double rest = target[c];
        for (std::size_t d = 0; d < n; ++d) rest -= d == c ? 0 : gram[c][d] * share[d];
        share[c] = std::clamp(rest / gram[c][c], 0.0, 1.0);
      }
    }
    for (std::size_t c = 0; c < n; ++c) marginal_.push_back(share[c] * most_[c]);
  }

  const Pair& pair_;
  std::string_view active_;
  std::vector<std::string> keys_;
  std::vector<double> most_;      // parallel to keys_; 0 where never done
  std::vector<double> marginal_;  // likewise
};

/// One cause while the gap is shared out, in ms.
struct Part {
  double cost = 0;
  double most = 0;  // its bound, of either sign
  bool bounded = true;
};

Part part_of(const GapCause& cause, const Costs& costs, double ms_a_cycle) {
  Part part;
  for (const auto& [key, amount] : cause.work) {
    part.cost += costs.marginal(key) * amount * ms_a_cycle;
    if (const auto most = costs.most(key)) {
      part.most += *most * std::abs(amount) * ms_a_cycle;
    } else if (amount != 0) {
      part.bounded = false;
    }
  }
  // What takes registers, or shrinks tiles, has no rate of its own.
  if (cause.work.empty() || cause.id == "registers" || cause.id == "tile_size") {
    part.bounded = false;
  }
  return part;
}

/// Shares what the estimates leave of the gap by the room that each has below its bound.
void share_rest(std::vector<Part>& parts, double gap) {
  double sum = 0;
  for (Part& part : parts) {
    if (part.bounded) part.cost = std::clamp(part.cost, -part.most, part.most);
    sum += part.cost;
  }
  const double rest = gap - sum;
  double room = 0;
  for (const Part& part : parts) {
    if (!part.bounded) continue;
    room += rest > 0 ? part.most - part.cost : part.most + part.cost;
  }
  if (room <= 0) return;
  const double used = std::clamp(rest / room, -1.0, 1.0);
  for (Part& part : parts) {
    if (!part.bounded) continue;
    part.cost += used * (rest > 0 ? part.most - part.cost : part.most + part.cost);
  }
}

/// Does a cause add work of its own, rather than slow down what both captures shade?
bool adds_work(const GapCause& cause) {
  static constexpr std::string_view kAdding[] = {
      "extra_passes", "in_pass_clear", "extra_quads", "geometry", "compute_work", "varying_shading",
      "draw_calls",   "tiler_path",    "late_zs",     "early_zs", "pixel_kill",   "occluders"};
  return std::find(std::begin(kAdding), std::end(kAdding), cause.id) != std::end(kAdding);
}

/// Warps per GPU-active cycle where shading has the GPU to itself.
std::optional<double> shading_rate(std::span<const Run> runs, std::string_view active,
                                   double active_ms) {
  std::vector<double> rates;
  double frames = 0;
  for (const Run& run : runs) {
    if (run.sample_period_ms > kLongestSample * active_ms) return std::nullopt;
    const auto cycles = run.slices.by_key.find(std::string(active));
    const auto warps = run.slices.by_key.find("MaliFragWarp");
    if (cycles == run.slices.by_key.end() || warps == run.slices.by_key.end()) return std::nullopt;
    const double busiest = base::quantile(cycles->second, 1).value_or(0);
    for (std::size_t i = 0; i < run.slices.size; ++i) {
      if (cycles->second[i] > kShortestSlice * busiest) {
        rates.push_back(warps->second[i] / cycles->second[i]);
      }
    }
    frames += static_cast<double>(run.windows.size()) * run.frames_a_window;
  }
  const auto rank = static_cast<std::size_t>(kPureSlices * frames);
  if (rank >= rates.size()) return std::nullopt;
  std::nth_element(rates.begin(), rates.begin() + static_cast<std::ptrdiff_t>(rank), rates.end(),
                   std::greater<>());
  return rates[rank] > 0 ? std::optional(rates[rank]) : std::nullopt;
}

void settle(std::vector<GapCause>& causes, const std::vector<Part>& parts, double gap) {
  double all = 0;
  bool bounded = true;
  for (const Part& part : parts) {
    all += part.most;
    bounded = bounded && part.bounded;
  }
  for (std::size_t i = 0; i < causes.size(); ++i) {
    GapCause& cause = causes[i];
    cause.ms = parts[i].cost;
    if (!bounded) {
      cause.confidence = causes.size() == 1 ? 0.7 : 0.3;
      continue;
    }
    // The others cost between nothing and their bounds.
    const double others = all - parts[i].most;
    double low = std::max(std::min(0.0, gap), gap - others);
    double high = std::min(std::max(0.0, gap), parts[i].most);
    if (gap < 0) {
      low = std::max(gap, -parts[i].most);
      high = std::min(0.0, gap + others);
    }
    cause.low_ms = std::min({low, high, *cause.ms});
    cause.high_ms = std::max({low, high, *cause.ms});
    const double width = *cause.high_ms - *cause.low_ms;
    const double scale = std::max(std::abs(gap), kNothingMs);
    cause.confidence = std::clamp(1 - width / (2 * scale), 0.2, 0.9);
    if (causes.size() == 1 && std::abs(gap - *cause.ms) > 0.1 * scale) cause.confidence = 0.5;
  }
}

/// Several causes: the part of those that slow shading down first, where it can be measured.
void share_gap(const Pair& pair, const Split& split, std::span<const GapCause> causes,
               std::vector<Part>& parts) {
  std::vector<std::size_t> groups[2];
  for (std::size_t i = 0; i < causes.size(); ++i) {
    groups[adds_work(causes[i]) ? 1 : 0].push_back(i);
  }
  const auto rate_a = shading_rate(pair.a(), active_key(pair), *split.a_ms);
  const auto rate_b = shading_rate(pair.b(), active_key(pair), *split.b_ms);
  if (groups[0].empty() || groups[1].empty() || !rate_a || !rate_b) {
    share_rest(parts, *split.gap_ms);
    return;
  }
  const double shading_ms =
      *split.a_ms * pair.mean_a("MaliFragWarp") / *rate_a / pair.mean_a(active_key(pair));
  const double slower = (*rate_a / *rate_b - 1) * std::min(shading_ms, *split.a_ms);
  const double wanted[] = {slower, *split.gap_ms - slower};
  for (const std::size_t g : {0, 1}) {
    std::vector<Part> members;
    for (const std::size_t i : groups[g]) members.push_back(parts[i]);
    share_rest(members, wanted[g]);
    for (std::size_t m = 0; m < members.size(); ++m) parts[groups[g][m]] = members[m];
  }
}

}  // namespace

std::optional<double> clock_hz(std::span<const Run> runs) {
  std::vector<double> all;
  for (const Run& run : runs) {
    const Analysis& a = run.analysis;
    if (!a.clock_summary || a.clock.confidence < kSureClock) return std::nullopt;
    all.push_back(a.clock_summary->mean_hz);
  }
  return base::mean(all);
}

Ablation ablate(const Pair& pair, const std::string& label) {
  Ablation out;
  out.label = label;
  const auto hz_a = clock_hz(pair.a());
  const auto hz_b = clock_hz(pair.b());
  const std::string_view active = active_key(pair);
  if (!hz_a || !hz_b || active.empty()) return out;
  const double sign = pair.mean_a(active) / *hz_a >= pair.mean_b(active) / *hz_b ? 1 : -1;
  out.in_a = sign > 0;
  const auto cost = [&](std::string_view key) -> std::optional<Estimate> {
    if (key.empty()) return std::nullopt;
    return pair.estimate(
        [&](const Draw& d) { return sign * 1000 * (d.a(key) / *hz_a - d.b(key) / *hz_b); });
  };
  // A shader core's active cycles are summed over cores; only a queue's own are its time.
  const auto queue = [&](std::string_view key) {
    return key.find("Queue") == std::string_view::npos ? std::string_view() : key;
  };
  out.gpu_ms = cost(active);
  out.fragment_ms = cost(queue(fragment_key(pair)));
  out.non_fragment_ms = cost(queue(non_fragment_key(pair)));
  return out;
}

Split split_gap(const Pair& pair, std::vector<GapCause>& causes) {
  Split out;
  const auto hz_a = clock_hz(pair.a());
  const auto hz_b = clock_hz(pair.b());
  const std::string_view active = active_key(pair);
  if (!hz_a || !hz_b || active.empty()) return out;
  out.a_ms = 1000 * pair.mean_a(active) / *hz_a;
  out.b_ms = 1000 * pair.mean_b(active) / *hz_b;
  out.gap_ms = *out.b_ms - *out.a_ms;
  out.remainder_ms = out.gap_ms;
  if (causes.empty()) return out;

  const Costs costs(pair, active, causes);
  std::vector<Part> parts;
  for (const GapCause& cause : causes) parts.push_back(part_of(cause, costs, 1000 / *hz_b));
  if (parts.size() == 1) {
    const double most = parts[0].bounded ? parts[0].most : std::abs(*out.gap_ms);
    parts[0].cost = std::clamp(*out.gap_ms, -most, most);
  } else {
    share_gap(pair, out, causes, parts);
  }
  settle(causes, parts, *out.gap_ms);
  for (const Part& part : parts) *out.remainder_ms -= part.cost;
  return out;
}

}  // namespace tilebound::analyze
