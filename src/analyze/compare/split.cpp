#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "analyze/compare/steps.h"
#include "base/statistics.h"

/// What each cause costs. Two things are known: how much longer each queue was active, and how fast
/// the hardware was seen to do each kind of work, which bounds what the added work can cost.
namespace tilebound::analyze {

namespace {

constexpr double kSureClock = 0.5;

std::optional<double> clock_hz(std::span<const Run> runs) {
  std::vector<double> all;
  for (const Run& run : runs) {
    const Analysis& a = run.analysis;
    if (!a.clock_summary || a.clock.confidence < kSureClock) return std::nullopt;
    all.push_back(a.clock_summary->mean_hz);
  }
  return base::mean(all);
}

/// Milliseconds a frame that a counter of cycles stands for, on each side.
struct Milliseconds {
  double a = 0;
  double b = 0;
  double gap() const { return b - a; }
};

}  // namespace

Split split_gap(const Pair& pair, std::vector<GapCause>& causes) {
  Split out;
  const auto hz_a = clock_hz(pair.a());
  const auto hz_b = clock_hz(pair.b());
  const auto active = active_key(pair);
  if (!hz_a || !hz_b || active.empty()) return out;
  const Milliseconds all{1000 * pair.mean_a(active) / *hz_a, 1000 * pair.mean_b(active) / *hz_b};
  out.a_ms = all.a;
  out.b_ms = all.b;
  out.gap_ms = all.gap();
  out.remainder_ms = all.gap();
  (void)causes;
  return out;
}

}  // namespace tilebound::analyze
