#include "analyze/frame_signals.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/statistics.h"

namespace tilebound::analyze {

namespace {

/// By trust: the tiler works for draws only, the queues for compute as well.
constexpr const char* kGeometry[] = {"MaliTilerActiveCy", "MaliVertQueueActiveCy",
                                     "MaliBinningQueueActiveCy", "MaliNonFragQueueActiveCy"};
constexpr const char* kFragment[] = {"MaliFragQueueActiveCy", "MaliMainQueueActiveCy"};
/// Counters whose pattern over a frame differs most from each other.
constexpr const char* kGeometryWork[] = {"MaliGeomTrianglePrim", "MaliGeomVisiblePrim",
                                         "MaliGeomPosShadTask"};
constexpr const char* kOtherWork[] = {
    "MaliFragTile",    "MaliFragQueueTask",  "MaliFragRastQd", "MaliFragWarp",
    "MaliEngFMAInstr", "MaliTexFiltIssueCy", "MaliExtBusRdBt", "MaliExtBusWrBt",
};

/// Values of a counter for the samples kept; empty when the capture has none on that axis.
std::vector<double> values_of(const model::Capture& capture, const devices::Binding& binding,
                              const char* name, std::size_t axis,
                              const std::vector<std::size_t>& kept) {
  std::vector<double> out;
  const auto index = binding.find(name);
  if (!index || capture.counters[*index].axis != axis) return out;
  const std::vector<double> all = capture.counters[*index].values.to_vector();
  out.reserve(kept.size());
  for (const std::size_t i : kept) out.push_back(std::isnan(all[i]) ? 0 : all[i]);
  return out;
}

/// A GPU that is busy throughout but counts one period's cycles in an interval of two has lost a
/// sample: the value is of the last period only, and what happened before it is unknown. Cycles go
/// on through it, and through short holes between samples that are busy throughout.
void shrink_after_lost_samples(FrameSignals& s, std::vector<double>& elapsed) {
  constexpr double kBusy = 0.9;
  constexpr double kLongestHole = 8;  // periods
  std::vector<double> periods(s.size());
  for (std::size_t i = 0; i < s.size(); ++i) {
    periods[i] = static_cast<double>(s.interval[i].length().value) / s.period_ns;
  }
  const std::vector<double> busy = s.busy;
  const auto one_period_of_more = [&](std::size_t i) {
    return periods[i] > 1.5 && std::abs(busy[i] * periods[i] - 1) < 0.15;
  };
  const auto throughout = [&](std::size_t i) { return busy[i] > kBusy || one_period_of_more(i); };
  double shift = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const double hole =
        i > 0 ? static_cast<double>((s.interval[i].begin - s.interval[i - 1].end).value) : 0;
    if (hole > 0 && hole < kLongestHole * s.period_ns && throughout(i - 1) && throughout(i)) {
      shift += s.amount[i - 1] * hole / static_cast<double>(s.interval[i - 1].length().value);
    }
    const bool neighbours = i > 0 && i + 1 < s.size() && throughout(i - 1) && throughout(i + 1);
    if (neighbours && one_period_of_more(i)) {
      shift += elapsed[i] * (1 - 1 / periods[i]);
      elapsed[i] /= periods[i];
      s.busy[i] = std::min(1.0, s.busy[i] * periods[i]);
      s.interval[i].begin = s.interval[i].end - base::Nanoseconds{std::llround(s.period_ns)};
    }
    s.position[i] += shift;
  }
}

}  // namespace

FrameSignals frame_signals(const model::Capture& capture, const devices::Binding& binding,
                           const model::Counter& active, const Clock& clock,
                           base::Interval window) {
  FrameSignals out;
  const model::TimeAxis& axis = capture.axes[*active.axis];
  const Sampling sampling = sampling_of(axis);
  out.period_ns = sampling.median_ns;
  std::vector<std::size_t> kept;
  std::vector<double> elapsed;
  double position = 0;
  active.values.for_each([&](std::size_t i, double value) {
    const base::Interval sample = axis.interval(i);
    const auto length = static_cast<double>(sample.length().value);
    if (sample.empty() || std::isnan(value) || length > kHolePeriods * sampling.median_ns ||
        sample.begin < window.begin || sample.end > window.end) {
      return;
    }
    const double cycles =
        active.kind == model::CounterKind::count ? value : value * base::seconds(sample.length());
    const auto of_clock = clock.cycles(sample);
    position += cycles;
    kept.push_back(i);
    out.interval.push_back(sample);
    out.position.push_back(position);
    out.amount.push_back(cycles);
    elapsed.push_back(of_clock ? of_clock->value : cycles);
    out.busy.push_back(elapsed.back() > 0 ? std::min(1.0, cycles / elapsed.back()) : 0);
  });
  shrink_after_lost_samples(out, elapsed);
  const auto share = [&](std::span<const char* const> names, std::vector<double>& to) {
    for (const char* name : names) {
      to = values_of(capture, binding, name, *active.axis, kept);
      if (to.empty()) continue;
      for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = elapsed[i] > 0 ? std::min(1.0, to[i] / elapsed[i]) : 0;
      }
      return true;
    }
    to.assign(kept.size(), 0);
    return false;
  };
  out.has_geometry = share(kGeometry, out.geometry);
  out.has_fragment = share(kFragment, out.fragment);
  const auto add_work = [&](const char* name) {
    std::vector<double> values = values_of(capture, binding, name, *active.axis, kept);
    if (!values.empty()) out.work.push_back(std::move(values));
  };
  for (const char* name : kGeometryWork) add_work(name);
  out.geometry_work = out.work.size();
  for (const char* name : kOtherWork) add_work(name);
  return out;
}

}  // namespace tilebound::analyze
