#include "analyze/timeline.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "analyze/totals.h"
#include "devices/expression.h"

namespace tilebound::analyze {

namespace {

constexpr double kUnavailable = std::numeric_limits<double>::quiet_NaN();

/// The axis that gives the bins.
std::optional<std::size_t> bin_axis(const model::Capture& capture,
                                    const devices::Binding& binding) {
  if (const auto active = active_cycles_counter(capture, binding)) {
    return capture.counters[*active].axis;
  }
  std::optional<std::size_t> longest;
  for (const model::Counter& counter : capture.counters) {
    if (!counter.sampled() || counter.gpu != binding.gpu) continue;
    if (!longest || capture.axes[*counter.axis].size() > capture.axes[*longest].size()) {
      longest = counter.axis;
    }
  }
  return longest;
}

/// Ends of samples, every `samples_per_bin`-th of them.
void cut_bins(const model::TimeAxis& axis, std::size_t most, Timeline& out) {
  std::vector<base::Nanoseconds> edges;
  for (std::size_t i = 0; i < axis.size(); ++i) {
    const base::Interval sample = axis.interval(i);
    if (sample.empty()) continue;
    if (edges.empty()) edges.push_back(sample.begin);
    if (sample.end > edges.back()) edges.push_back(sample.end);
  }
  if (edges.size() < 2) return;
  const std::size_t step = (edges.size() - 1 + most - 1) / most;
  out.samples_per_bin = step;
  for (std::size_t i = 0; i < edges.size(); i += step) out.edges.push_back(edges[i]);
  if (out.edges.back() < edges.back()) out.edges.push_back(edges.back());
}

/// Every name that the device's expressions use, and the counters that cycles are counted by.
std::vector<std::string> wanted_names(const model::Device& device) {
  std::vector<std::string> names;
  for (const model::Unit& unit : device.units) {
    for (const model::UnitPath& path : unit.paths) {
      const auto work = devices::Expression::parse(path.work);
      names.insert(names.end(), work.names().begin(), work.names().end());
    }
  }
  if (device.core_cycles_counter) names.push_back(*device.core_cycles_counter);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

CounterBins bins_of(const Totals& totals, std::size_t index) {
  const model::Counter& counter = totals.capture().counters[index];
  CounterBins out;
  out.index = index;
  out.axis = *counter.axis;
  out.averaged =
      counter.kind == model::CounterKind::percent || counter.kind == model::CounterKind::level;
  out.of_busy_time = totals.of_busy_time(index);
  out.gpu_factor = totals.factor(index, Basis::gpu);
  out.core_factor = totals.factor(index, Basis::core);
  out.bins.reserve(totals.window_count());
  for (std::size_t w = 0; w < totals.window_count(); ++w) {
    out.bins.push_back(totals.delivered(index, w).value_or(kUnavailable));
  }
  return out;
}

void add_clock(const Totals& totals, const Clock& clock, Timeline& out) {
  if (!clock.known()) return;
  for (std::size_t w = 0; w < totals.window_count(); ++w) {
    const base::Interval bin = totals.window(w);
    out.clock_hz.push_back(clock.cycles(bin)->value / base::seconds(bin.length()));
  }
  if (!out.active) return;
  const std::size_t axis = out.counters[*out.active].axis;
  for (std::size_t w = 0; w < totals.window_count(); ++w) {
    out.elapsed.push_back(
        elapsed_cycles(clock, totals.capture().axes[axis], totals.covers(axis)[w], totals.window(w))
            ->value);
  }
}

}  // namespace

std::optional<std::size_t> Timeline::find(const std::string& name) const {
  const auto found = std::lower_bound(
      names.begin(), names.end(), name,
      [](const auto& entry, const std::string& wanted) { return entry.first < wanted; });
  if (found == names.end() || found->first != name) return std::nullopt;
  return found->second;
}

std::vector<base::Nanoseconds> bin_edges(const model::Capture& capture,
                                         const devices::Binding& binding, std::size_t most) {
  Timeline out;
  if (const auto axis = bin_axis(capture, binding)) cut_bins(capture.axes[*axis], most, out);
  return out.edges;
}

Timeline timeline(const model::Capture& capture, const Analysis& analysis, std::size_t most) {
  Timeline out;
  const devices::Binding binding = devices::bind(capture, analysis.gpu);
  const auto axis = bin_axis(capture, binding);
  if (!axis) return out;
  cut_bins(capture.axes[*axis], most, out);
  std::vector<base::Interval> bins;
  for (std::size_t b = 0; b < out.size(); ++b) bins.push_back({out.edges[b], out.edges[b + 1]});
  const std::vector<Sampling> samplings = samplings_of(capture);
  const Totals totals(capture, binding, analysis.cores, samplings, std::move(bins));

  std::map<std::size_t, std::size_t> place;  // of a capture's counter in out.counters
  const auto add = [&](std::size_t index) {
    const auto [entry, added] = place.emplace(index, out.counters.size());
    if (added) out.counters.push_back(bins_of(totals, index));
    return entry->second;
  };
  for (const std::string& name : wanted_names(analysis.device)) {
    if (const auto index = totals.find(name)) out.names.emplace_back(name, add(*index));
  }
  if (const auto index = active_cycles_counter(capture, binding)) out.active = add(*index);

  out.covered.resize(capture.axes.size());
  for (const CounterBins& counter : out.counters) {
    std::vector<double>& covered = out.covered[counter.axis];
    if (!covered.empty()) continue;
    for (const Cover& cover : totals.covers(counter.axis)) {
      covered.push_back(static_cast<double>(cover.covered.value));
    }
  }
  add_clock(totals, analysis.clock, out);
  return out;
}

namespace {

/// Segments of all frames, named by their work and limiter; empty without any.
Lane segment_lane(const Analysis& analysis, std::size_t most) {
  Lane lane{"segments", {}};
  for (const std::vector<Segment>& frame : analysis.segments) {
    for (const Segment& segment : frame) {
      if (lane.spans.size() >= most) return lane;
      std::string label = work_title(segment.work);
      if (!segment.limiters.empty()) {
        label += ": " + unit_label(analysis, segment.limiters.front());
      }
      lane.spans.push_back({segment.interval, std::move(label)});
    }
  }
  return lane;
}

}  // namespace

std::vector<Lane> lanes(const model::Capture& capture, const Analysis& analysis, std::size_t most) {
  std::map<std::string, Lane> queues;
  for (const model::RenderStage& stage : capture.render_stages) {
    if (stage.gpu != analysis.gpu) continue;
    Lane& lane = queues[stage.queue];
    if (lane.spans.size() >= most) continue;
    const base::Nanoseconds begin{stage.begin_ns};
    lane.spans.push_back({{begin, begin + base::Nanoseconds{stage.duration_ns}},
                          stage.label.empty() ? stage.stage : stage.label});
  }
  std::vector<Lane> out;
  for (auto& [queue, lane] : queues) {
    lane.label = queue.empty() ? "render stages" : queue;
    out.push_back(std::move(lane));
  }
  if (Lane segments = segment_lane(analysis, most); !segments.spans.empty()) {
    out.push_back(std::move(segments));
  }
  return out;
}

}  // namespace tilebound::analyze
