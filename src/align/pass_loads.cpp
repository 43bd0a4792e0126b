#include "align/pass_loads.h"

#include <algorithm>
#include <cmath>

#include "analyze/critical.h"

namespace tilebound::align {

namespace {

using analyze::Queue;

constexpr const char* kReadBeats = "MaliExtBusRdBt";
constexpr const char* kWriteBeats = "MaliExtBusWrBt";

Serves served_by(const std::string& unit) {
  if (!analyze::serves(unit, Queue::non_fragment)) return Serves::fragment;
  return analyze::serves(unit, Queue::fragment) ? Serves::both : Serves::non_fragment;
}

/// Time at peak that would do a unit's work: what adds up over passes.
Counted at_peak(const analyze::UnitSeries& series, std::size_t unit) {
  Counted out{std::vector<double>(series.size(), 0), served_by(series.units[unit])};
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double percent = series.percent[unit][i];
    if (!std::isnan(percent)) out.amounts[i] = percent / 100 * series.active_ns[i];
  }
  return out;
}

Counted bytes(const std::vector<double>& beats, double beat_bytes) {
  Counted out{beats, Serves::both};
  for (double& v : out.amounts) v = std::isnan(v) ? 0 : v * beat_bytes;
  return out;
}

void add_units(const analyze::UnitSeries& series, const std::vector<Attributed>& attributed,
               const Axis& axis, bool fragment, std::vector<PassLoad>& out) {
  out.resize(axis.placement.passes.size());
  for (std::size_t k = 0; k < out.size(); ++k) {
    const double busy = axis.pass_ns[k];
    if (busy <= 0) continue;
    for (std::size_t u = 0; u < series.units.size(); ++u) {
      const std::vector<double>& amounts =
          fragment ? attributed[u].fragment : attributed[u].non_fragment;
      if (amounts.empty()) continue;
      out[k].units.push_back({series.units[u], std::min(100.0, 100 * amounts[k] / busy)});
    }
    std::stable_sort(out[k].units.begin(), out[k].units.end(),
                     [](const auto& a, const auto& b) { return a.percent > b.percent; });
    out[k].limiters = analyze::closest_to_peak(out[k].units);
  }
}

}  // namespace

PassLoads pass_loads(const Queues& queues, const analyze::UnitSeries& series,
                     analyze::Columns& columns, double beat_bytes) {
  std::vector<Counted> counted;
  for (std::size_t u = 0; u < series.units.size(); ++u) counted.push_back(at_peak(series, u));
  const std::vector<double>* read = columns.on_axis(kReadBeats);
  const std::vector<double>* written = columns.on_axis(kWriteBeats);
  const bool moved = read != nullptr && written != nullptr;
  if (moved) {
    counted.push_back(bytes(*read, beat_bytes));
    counted.push_back(bytes(*written, beat_bytes));
  }
  const std::vector<Attributed> attributed = attribute(queues, counted);
  PassLoads out;
  const auto fill = [&](const Axis* axis, bool fragment, std::vector<PassLoad>& loads) {
    if (axis == nullptr) return;
    add_units(series, attributed, *axis, fragment, loads);
    if (!moved) return;
    const auto of = [&](std::size_t c) -> const std::vector<double>& {
      return fragment ? attributed[c].fragment : attributed[c].non_fragment;
    };
    const std::size_t reads = series.units.size();
    for (std::size_t k = 0; k < loads.size() && !of(reads).empty(); ++k) {
      loads[k].read_bytes = of(reads)[k];
      loads[k].written_bytes = of(reads + 1)[k];
    }
  };
  fill(queues.fragment, true, out.fragment);
  fill(queues.non_fragment, false, out.non_fragment);
  return out;
}

}  // namespace tilebound::align
