#include "analyze/frame_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/statistics.h"

namespace tilebound::analyze {

namespace {

/// Frames at the begin that differ by more are warm-up, unless they are so many that the scene
/// itself changed.
constexpr double kRisingClock = 0.95;
constexpr double kOtherWork = 0.25;
constexpr double kMostWarmUp = 0.1;
constexpr std::size_t kFewestForWarmUp = 20;

constexpr std::size_t kLongFrames = 5;
constexpr double kLonger = 1.1;
constexpr double kChanged = 0.1;
/// Below this many frames the medoid is sought among all of them, above among those nearest to the
/// median.
constexpr std::size_t kMedoidCandidates = 64;

template <typename Value>
std::vector<double> collect(const std::vector<FrameResult>& frames, std::size_t first,
                            Value value) {
  std::vector<double> out;
  for (std::size_t i = first; i < frames.size(); ++i) {
    if (const std::optional<double> v = value(frames[i])) out.push_back(*v);
  }
  return out;
}

std::optional<Spread> spread(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  const auto q = [&](double at) { return *base::quantile(values, at); };
  return Spread{*base::mean(values),
                q(0.5),
                q(0.9),
                q(0.95),
                q(0.99),
                *std::max_element(values.begin(), values.end())};
}

std::size_t warm_up_frames(const std::vector<FrameResult>& frames) {
  if (frames.size() < kFewestForWarmUp) return 0;
  const std::size_t settled = frames.size() / 4;
  const auto clock =
      base::median(collect(frames, settled, [](const FrameResult& f) { return f.clock_percent; }));
  const auto cycles =
      base::median(collect(frames, settled, [](const FrameResult& f) { return f.active_cycles; }));
  const auto warming = [&](const FrameResult& f) {
    if (clock && f.clock_percent && *f.clock_percent < kRisingClock * *clock) return true;
    return cycles && f.active_cycles && *cycles > 0 &&
           std::abs(*f.active_cycles / *cycles - 1) > kOtherWork;
  };
  std::size_t n = 0;
  while (n < frames.size() && warming(frames[n])) ++n;
  return static_cast<double>(n) <= kMostWarmUp * static_cast<double>(frames.size()) ? n : 0;
}

/// A frame as a point: times over the median time, percentages over 100. Unavailable is 0 in every
/// frame alike, so that it makes no difference.
std::vector<std::vector<double>> points(const std::vector<FrameResult>& frames, std::size_t first) {
  const double middle = base::median(collect(frames, first, [](const FrameResult& f) {
                          return std::optional(f.time_ms());
                        })).value_or(1);
  std::vector<std::string> units;
  for (std::size_t i = first; i < frames.size(); ++i) {
    for (const UnitPercent& unit : frames[i].units) {
      if (std::find(units.begin(), units.end(), unit.id) == units.end()) units.push_back(unit.id);
    }
  }
  std::vector<std::vector<double>> out;
  for (std::size_t i = first; i < frames.size(); ++i) {
    const FrameResult& f = frames[i];
    std::vector<double> point = {f.time_ms() / middle, f.gpu_active_ms.value_or(0) / middle,
                                 f.idle_percent.value_or(0) / 100};
    const std::size_t units_at = point.size();
    point.resize(units_at + units.size(), 0);
    for (const UnitPercent& unit : f.units) {
      const auto at = std::find(units.begin(), units.end(), unit.id) - units.begin();
      point[units_at + static_cast<std::size_t>(at)] = unit.percent / 100;
    }
    out.push_back(std::move(point));
  }
  return out;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += std::abs(a[d] - b[d]);
  return sum;
}

std::size_t medoid(const std::vector<std::vector<double>>& all) {
  std::vector<double> middle(all.front().size());
  for (std::size_t d = 0; d < middle.size(); ++d) {
    std::vector<double> column;
    for (const auto& point : all) column.push_back(point[d]);
    middle[d] = *base::median(column);
  }
  std::vector<std::size_t> candidates(all.size());
  std::iota(candidates.begin(), candidates.end(), std::size_t{0});
  std::stable_sort(candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) {
    return distance(all[a], middle) < distance(all[b], middle);
  });
  candidates.resize(std::min(candidates.size(), kMedoidCandidates));
  std::size_t best = candidates.front();
  double least = std::numeric_limits<double>::max();
  for (const std::size_t c : candidates) {
    double sum = 0;
    for (const auto& point : all) sum += distance(all[c], point);
    if (sum < least) {
      least = sum;
      best = c;
    }
  }
  return best;
}

LongFrame explain(const FrameResult& frame, const FrameResult& typical, std::size_t index) {
  LongFrame out;
  out.index = index;
  out.longer_ms = frame.time_ms() - typical.time_ms();
  if (frame.gpu_active_ms && typical.gpu_active_ms) {
    out.idle_ms = out.longer_ms - (*frame.gpu_active_ms - *typical.gpu_active_ms);
    if (frame.active_cycles && typical.active_cycles && *typical.active_cycles > 0 &&
        *frame.active_cycles > 0) {
      const double typical_ms_per_cycle = *typical.gpu_active_ms / *typical.active_cycles;
      out.work_ms = (*frame.active_cycles - *typical.active_cycles) * typical_ms_per_cycle;
      out.clock_ms = *frame.gpu_active_ms - *frame.active_cycles * typical_ms_per_cycle;
    }
  }
  for (const UnitWork& work : frame.work) {
    const auto same =
        std::find_if(typical.work.begin(), typical.work.end(),
                     [&](const UnitWork& w) { return w.unit == work.unit && w.path == work.path; });
    if (same == typical.work.end() || same->work <= 0) continue;
    const double ratio = work.work / same->work;
    if (std::abs(ratio - 1) >= kChanged) out.changes.push_back({work.unit, ratio});
  }
  std::stable_sort(out.changes.begin(), out.changes.end(),
                   [](const WorkChange& a, const WorkChange& b) {
                     return std::abs(a.ratio - 1) > std::abs(b.ratio - 1);
                   });
  return out;
}

std::vector<LongFrame> longest(const std::vector<FrameResult>& frames, std::size_t first,
                               const FrameResult& typical) {
  std::vector<std::size_t> order;
  for (std::size_t i = first; i < frames.size(); ++i) {
    if (frames[i].time_ms() >= kLonger * typical.time_ms()) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return frames[a].time_ms() > frames[b].time_ms();
  });
  order.resize(std::min(order.size(), kLongFrames));
  std::vector<LongFrame> out;
  for (const std::size_t i : order) out.push_back(explain(frames[i], typical, i));
  return out;
}

}  // namespace

FrameStatistics frame_statistics(const std::vector<FrameResult>& frames) {
  FrameStatistics out;
  if (frames.empty()) return out;
  out.warm_up = warm_up_frames(frames);
  out.counted = frames.size() - out.warm_up;
  const auto all = [&](auto value) { return spread(collect(frames, out.warm_up, value)); };
  out.time_ms = all([](const FrameResult& f) { return std::optional(f.time_ms()); });
  out.gpu_active_ms = all([](const FrameResult& f) { return f.gpu_active_ms; });
  out.full_clock_ms = all([](const FrameResult& f) { return f.full_clock_ms; });
  out.typical = out.warm_up + medoid(points(frames, out.warm_up));
  out.longest = longest(frames, out.warm_up, frames[*out.typical]);
  return out;
}

}  // namespace tilebound::analyze
