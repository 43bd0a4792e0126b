#include "align/queue_track.h"

#include <algorithm>
#include <cmath>

namespace tilebound::align {

namespace {

using analyze::Queue;

constexpr const char* kFragmentProgress[] = {"MaliFragTile", "MaliFragQueueTask",
                                             "MaliMainQueueTask", "MaliFragQueueJob",
                                             "MaliMainQueueJob"};
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
  } else {
    out.progress = counters(kNonFragmentProgress, totals, columns);
    out.mix = counters(kNonFragmentMix, totals, columns);
  }
  return out;
}

}  // namespace tilebound::align
