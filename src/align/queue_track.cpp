#include "align/queue_track.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilebound::align {

namespace {

using analyze::Queue;

constexpr const char* kFragmentProgress[] = {"MaliFragTile", "MaliFragQueueTask",
                                             "MaliMainQueueTask"};
constexpr const char* kFragmentJobs[] = {"MaliFragQueueJob", "MaliMainQueueJob"};
constexpr const char* kNonFragmentProgress[] = {"MaliNonFragQueueJob", "MaliVertQueueJob",
                                                "MaliBinningQueueJob"};
constexpr const char* kFragmentMix[] = {
    "MaliFragRastQd",   "MaliFragEZSTestQd", "MaliFragLZSTestQd", "MaliFragWarp",
    "MaliFragOpaqueQd", "MaliFragRdPrim",    "MaliSCBusTileWrBt", "MaliSCBusFFEL2RdBt",
    "MaliFragTile",     "MaliFragQueueTask", "MaliMainQueueTask"};
constexpr const char* kNonFragmentMix[] = {
    "MaliGeomTrianglePrim", "MaliGeomPosShadTask", "MaliGeomVarShadTask",        "MaliNonFragWarp",
    "MaliNonFragTask",      "MaliTilerRdBt",       "MaliGeomFaceXYPlaneCullPrim"};

/// Samples may begin a little after their neighbour's end without anything lost between.
constexpr double kGapPeriods = 0.05;

std::vector<TrackCounter> counters(std::span<const char* const> names,
                                   const analyze::Totals& totals, analyze::Columns& columns) {
  std::vector<TrackCounter> out;
  for (const char* name : names) {
    const std::vector<double>* column = columns.on_axis(name);
    if (column == nullptr) continue;
    const auto index = totals.binding().find(name);
    const double factor = totals.factor(*index, analyze::Basis::gpu).value_or(1);
    TrackCounter counter{name, *column};
    double most = 0;
    for (double& v : counter.amount) {
      v = std::isnan(v) || v < 0 ? 0 : v * factor;
      most = std::max(most, v);
    }
    if (most > 0) out.push_back(std::move(counter));
  }
  return out;
}

/// A counter that steps at the end of each job, made to rise while the job runs: in proportion to
/// busy time. The end is put in the middle of the sample that shows it, or behind all of its busy
/// time where the queue pauses then.
std::vector<double> risen(const std::vector<double>& steps, const QueueTrack& track) {
  constexpr double kBusy = 0.98;
  std::vector<double> out(steps.size(), 0);
  const auto busy_throughout = [&](std::size_t i) {
    const auto length = static_cast<double>(track.interval[i].length().value);
    return i < steps.size() && track.busy_ns[i] >= kBusy * length;
  };
  std::vector<std::pair<std::size_t, double>>
      parts;  // samples of the job under way, busy ns in each
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] < 0.5) {
      if (track.busy_ns[i] > 0) parts.emplace_back(i, track.busy_ns[i]);
      continue;
    }
    const bool goes_on = busy_throughout(i) && i + 1 < steps.size() && track.busy_ns[i + 1] > 0;
    const double after = goes_on ? track.busy_ns[i] / 2 : 0;
    parts.emplace_back(i, track.busy_ns[i] - after);
    double busy = 0;
    for (const auto& [sample, ns] : parts) busy += ns;
    for (const auto& [sample, ns] : parts) {
      out[sample] += busy > 0 ? ns / busy : 1 / static_cast<double>(parts.size());
    }
    out[i] += steps[i] - 1;  // further jobs that ended here
    parts.clear();
    if (after > 0) parts.emplace_back(i, after);
  }
  return out;
}

}  // namespace

std::optional<QueueTrack> queue_track(Queue queue, const analyze::Totals& totals,
                                      analyze::Columns& columns,
                                      const analyze::UnitSeries& series) {
  const bool fragment = queue == Queue::fragment;
  const std::vector<double>& share = fragment ? series.fragment : series.non_fragment;
  const std::vector<double>& other = fragment ? series.non_fragment : series.fragment;
  if (share.empty() || series.size() != columns.size()) return std::nullopt;
  QueueTrack out;
  out.queue = queue;
  out.interval = columns.intervals();
  out.period_ns = columns.period_ns();
  for (std::size_t i = 0; i < out.size(); ++i) {
    out.busy_ns.push_back(share[i] * series.active_ns[i]);
    const double both = other.empty() ? 0 : std::max(0.0, share[i] + other[i] - 1);
    out.overlap_ns.push_back(both * series.active_ns[i]);
    const auto before = i == 0 ? 0 : (out.interval[i].begin - out.interval[i - 1].end).value;
    out.after_gap.push_back(static_cast<double>(before) > kGapPeriods * out.period_ns);
  }
  if (fragment) {
    out.progress = counters(kFragmentProgress, totals, columns);
    out.mix = counters(kFragmentMix, totals, columns);
    for (TrackCounter& jobs : counters(kFragmentJobs, totals, columns)) {
      out.progress.push_back({jobs.name, risen(jobs.amount, out)});
      out.jobs = std::move(jobs);
      break;
    }
  } else {
    out.progress = counters(kNonFragmentProgress, totals, columns);
    out.mix = counters(kNonFragmentMix, totals, columns);
  }
  return out;
}

}  // namespace tilebound::align
