#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include "analyze/advice.h"
#include "analyze/analysis.h"

namespace tilebound::analyze {

namespace {

/// Segments with less of the typical frame's busy time are not worth advice.
constexpr double kLeastShare = 0.05;

Situation whole_range(const Analysis& a, bool has_segments) {
  Situation out;
  out.where = a.window_text;
  out.limiters = a.verdict.limiters;
  out.kind = a.verdict.kind;
  for (const UnitLoad& unit : a.units) {
    if (unit.percent()) out.units.push_back({unit.id, *unit.percent()});
  }
  out.not_worth = a.verdict.not_worth;
  out.causes = a.low_top_causes;
  out.idle_percent = a.activity.idle_percent();
  if (a.clock_summary) out.clock_percent = a.clock_summary->percent_of_max;
  out.busy_without_work =
      std::any_of(a.findings.begin(), a.findings.end(),
                  [](const model::Finding& f) { return f.id == "busy_without_work"; });
  out.has_segments = has_segments;
  return out;
}

}  // namespace

std::vector<Advice> choose_advice(const Analysis& a) {
  const auto typical = a.frame_statistics.typical;
  static const std::vector<Segment> kNone;
  const std::vector<Segment>& segments =
      typical && *typical < a.segments.size() ? a.segments[*typical] : kNone;
  std::vector<Advice> out;
  const auto add = [&out](std::vector<Advice> more) {
    for (Advice& advice : more) {
      const bool known = std::any_of(out.begin(), out.end(),
                                     [&](const Advice& other) { return other.id == advice.id; });
      if (!known) out.push_back(std::move(advice));
    }
  };
  Situation range = whole_range(a, !segments.empty());
  std::vector<Cause> causes;
  std::swap(causes, range.causes);
  add(advise(range));

  std::vector<std::size_t> order(segments.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return segments[x].active_ms > segments[y].active_ms;
  });
  double busy = 0;
  for (const Segment& segment : segments) busy += segment.active_ms;
  for (const std::size_t s : order) {
    if (segments[s].active_ms < kLeastShare * busy) break;
    std::vector<Advice> more =
        advise(situation_of(segments[s], fmt::format("segment {} of frame {}, {}", s + 1,
                                                     *typical + 2, work_title(segments[s].work))));
    // What is not worth work in a short segment may well be in the longest.
    if (s != order.front()) std::erase_if(more, [](const Advice& one) { return one.against; });
    add(std::move(more));
  }
  // Causes of a low top come after what the frame's own stretches call for.
  std::swap(causes, range.causes);
  add(advise(range));
  std::stable_partition(out.begin(), out.end(),
                        [](const Advice& advice) { return !advice.against; });
  return out;
}

}  // namespace tilebound::analyze
