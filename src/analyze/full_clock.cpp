#include "analyze/full_clock.h"

#include <algorithm>

#include "analyze/units.h"

namespace tilebound::analyze {

namespace {

constexpr const char* kMemoryUnit = "external_memory";

/// The device with nothing but what is counted against seconds.
model::Device memory_of(const model::Device& device) {
  model::Device out = device;
  std::erase_if(out.units, [](const model::Unit& unit) { return unit.id != kMemoryUnit; });
  for (model::Unit& unit : out.units) {
    std::erase_if(unit.paths, [](const model::UnitPath& path) {
      return !path.peak || path.peak->per != model::PeakPer::second;
    });
  }
  std::erase_if(out.units, [](const model::Unit& unit) { return unit.paths.empty(); });
  return out;
}

/// The windows cut where samples meet, and which window each piece is of.
struct Pieces {
  std::vector<base::Interval> intervals;
  std::vector<std::size_t> window;
};

Pieces cut(const model::TimeAxis& axis, std::span<const base::Interval> windows) {
  Pieces out;
  std::size_t i = 0;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    base::Nanoseconds at = windows[w].begin;
    while (i < axis.size() && axis.interval(i).end <= at) ++i;
    for (std::size_t k = i; at < windows[w].end; ++k) {
      const base::Nanoseconds end =
          k < axis.size() ? std::min(axis.interval(k).end, windows[w].end) : windows[w].end;
      if (end <= at) continue;
      out.intervals.push_back({at, end});
      out.window.push_back(w);
      at = end;
    }
  }
  return out;
}

}  // namespace

FullClock full_clock(const model::Capture& capture, const devices::Binding& binding,
                     const model::Device& device, const Cores& cores,
                     std::span<const Sampling> samplings, const model::Counter& active,
                     const Clock& clock, std::span<const base::Interval> windows) {
  FullClock out;
  out.ms.resize(windows.size());
  if (!clock.known() || !clock.max) return out;
  const Pieces pieces = cut(capture.axes[*active.axis], windows);
  const Totals totals(capture, binding, cores, samplings, pieces.intervals);
  const model::Device memory = memory_of(device);
  const UnitModel model(memory, totals);
  for (std::size_t p = 0; p < pieces.intervals.size(); ++p) {
    const Activity act = activity(totals, clock, p);
    if (!act.active) continue;
    double seconds = act.active->value / clock.max->value;
    const std::vector<UnitLoad> loads = model.loads(act, p);
    if (!loads.empty() && loads.front().sol_percent) {
      out.memory_counted = true;
      seconds = std::max(seconds, *loads.front().sol_percent / 100 * base::seconds(act.covered));
    }
    std::optional<double>& ms = out.ms[pieces.window[p]];
    ms = ms.value_or(0) + 1000 * seconds;
  }
  return out;
}

}  // namespace tilebound::analyze
