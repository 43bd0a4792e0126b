#include "align/pooling.h"

#include <algorithm>
#include <cmath>

#include "base/statistics.h"

namespace tilebound::align {

namespace {

/// A pass shorter than this share of a sample is never told from its neighbours.
constexpr double kShortestSamples = 0.25;
/// Nor is one whose time is this uncertain: two standard errors against the estimate.
constexpr double kMostUncertain = 0.2;

struct Pass {
  double ns = 0;
  double error_ns = 0;
  double low_ns = 0;
  double high_ns = 0;
  bool unsure = false;
};

/// A counter of whole ones says of a pass that adds few of them only roughly when it ran.
double quantum_error_ns(const Axis& axis, std::size_t k) {
  double out = 0;
  const std::size_t last = std::min(k + 1, axis.pass_ns.size() - 1);
  for (std::size_t near = k > 0 ? k - 1 : 0; near <= last; ++near) {
    const double length = axis.placement.passes[near].length();
    if (length > 0) out += 0.5 * axis.quantum / length * axis.pass_ns[near];
  }
  return out;
}

Pass measured(const Axis& axis, const QueueTrack& track,
              const std::vector<std::vector<PassTime>>& times, std::size_t k) {
  std::vector<double> lengths;
  for (std::size_t f = 0; f < times.size(); ++f) {
    if (axis.frames[f].matches) lengths.push_back(times[f][k].length_ns());
  }
  Pass out;
  out.error_ns = std::hypot(axis.pass_error_ns[k], quantum_error_ns(axis, k));
  // Many frames tell more of a short pass than the samples of each.
  const bool several_samples = axis.pass_ns[k] >= track.period_ns;
  out.ns = several_samples ? base::median(lengths).value_or(axis.pass_ns[k]) : axis.pass_ns[k];
  out.low_ns = std::min(out.ns, base::quantile(lengths, 0.1).value_or(out.ns));
  out.high_ns = std::max(out.ns, base::quantile(lengths, 0.9).value_or(out.ns));
  out.low_ns = std::max(0.0, std::min(out.low_ns, out.ns - 2 * out.error_ns));
  out.high_ns = std::max(out.high_ns, out.ns + 2 * out.error_ns);
  if (!axis.placement.begins.empty()) {
    const Stretch& begins = axis.placement.begins[k];
    const Stretch& ends = axis.placement.ends[k];
    const double place = axis.placement.passes[k].length();
    const double per_place = place > 0 ? out.ns / place : 0;
    out.low_ns = std::min(out.low_ns, std::max(0.0, (ends.from - begins.to) * per_place));
    out.high_ns = std::max(out.high_ns, (ends.to - begins.from) * per_place);
  }
  out.unsure =
      out.ns < kShortestSamples * track.period_ns || 2 * out.error_ns > kMostUncertain * out.ns;
  return out;
}

/// Groups of neighbours: runs of unsure passes; one that stands alone joins its shorter neighbour.
std::vector<std::size_t> group_of(const std::vector<Pass>& passes) {
  std::vector<std::size_t> out(passes.size());
  for (std::size_t k = 0; k < passes.size(); ++k) {
    const bool joined = k > 0 && passes[k].unsure && passes[k - 1].unsure;
    out[k] = joined ? out[k - 1] : k;
  }
  for (std::size_t k = 0; k < passes.size(); ++k) {
    const bool first = out[k] == k;
    const bool alone = first && (k + 1 == passes.size() || out[k + 1] != k);
    if (!passes[k].unsure || !alone || passes.size() == 1) continue;
    const bool before = k > 0 && (k + 1 == passes.size() || passes[k - 1].ns <= passes[k + 1].ns);
    if (before) {
      out[k] = out[k - 1];
    } else {
      // The neighbour's whole group begins here.
      const std::size_t next = out[k + 1];
      for (std::size_t& group : out) {
        if (group == next) group = k;
      }
    }
  }
  return out;
}

}  // namespace

std::vector<PassOnQueue> pooled(const Axis& axis, const QueueTrack& track,
                                const std::vector<std::vector<PassTime>>& times,
                                const std::vector<std::vector<std::size_t>>& works) {
  std::vector<Pass> passes;
  for (std::size_t k = 0; k < works.size(); ++k) passes.push_back(measured(axis, track, times, k));
  const std::vector<std::size_t> group = group_of(passes);
  std::vector<PassOnQueue> out;
  for (std::size_t k = 0; k < works.size(); ++k) {
    double whole = 0;
    std::vector<std::size_t> together;
    for (std::size_t other = 0; other < works.size(); ++other) {
      if (group[other] != group[k]) continue;
      whole += passes[other].ns;
      together.insert(together.end(), works[other].begin(), works[other].end());
    }
    for (const std::size_t w : works[k]) {
      PassOnQueue pass;
      pass.work = w;
      pass.ms = {passes[k].low_ns / 1e6, passes[k].ns / 1e6, passes[k].high_ns / 1e6};
      for (const std::size_t other : together) {
        if (other != w) pass.merged_with.push_back(other);
      }
      if (passes[k].unsure || works[k].size() > 1) pass.ms = {0, pass.ms.estimate, whole / 1e6};
      out.push_back(std::move(pass));
    }
  }
  return out;
}

}  // namespace tilebound::align
