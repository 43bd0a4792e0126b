#include "ingest/tables/settle.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "base/statistics.h"
#include "ingest/tables/naming.h"

namespace tilebound::ingest::tables {

namespace {

std::vector<std::int64_t> permuted(const std::vector<std::int64_t>& values,
                                   const std::vector<std::size_t>& order) {
  std::vector<std::int64_t> out;
  out.reserve(values.size());
  for (const std::size_t i : order) out.push_back(values[i]);
  return out;
}

}  // namespace

void settle_axis(model::Capture& capture, std::size_t index) {
  model::TimeAxis& axis = capture.axes[index];
  std::uint64_t behind = 0;
  std::uint64_t repeated = 0;
  for (std::size_t i = 1; i < axis.size(); ++i) {
    if (axis.stamps_ns[i] < axis.stamps_ns[i - 1]) ++behind;
  }
  if (behind > 0) {
    std::vector<std::size_t> order(axis.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return axis.stamps_ns[a] < axis.stamps_ns[b];
    });
    axis.stamps_ns = permuted(axis.stamps_ns, order);
    if (!axis.begins_ns.empty()) axis.begins_ns = permuted(axis.begins_ns, order);
    for (model::Counter& counter : capture.counters) {
      if (counter.axis != index) continue;
      const std::vector<double> values = counter.values.to_vector();
      base::Column sorted;
      for (const std::size_t i : order) sorted.push_back(values[i]);
      counter.values = std::move(sorted);
    }
    capture.note("out_of_order", model::Severity::warning,
                 "samples earlier than the one before them were sorted into place", behind);
  }
  for (std::size_t i = 1; i < axis.size(); ++i) {
    if (axis.stamps_ns[i] == axis.stamps_ns[i - 1]) ++repeated;
  }
  if (repeated > 0) {
    capture.note("repeated_stamp", model::Severity::warning,
                 "samples with the time of the one before; they cover no time of their own",
                 repeated);
  }
}

void cover_period(model::Capture& capture, std::size_t index, std::int64_t period_ns) {
  model::TimeAxis& axis = capture.axes[index];
  std::vector<double> steps;
  for (std::size_t i = 1; i < axis.size(); ++i) {
    const std::int64_t step = axis.stamps_ns[i] - axis.stamps_ns[i - 1];
    if (step > 0) steps.push_back(static_cast<double>(step));
  }
  if (const auto step = base::median(steps)) period_ns = std::llround(*step);
  std::uint64_t gaps = 0;
  axis.begins_ns.clear();
  for (std::size_t i = 0; i < axis.size(); ++i) {
    std::int64_t begin = axis.stamps_ns[i] - period_ns;
    if (i > 0) {
      if (axis.stamps_ns[i - 1] < begin - period_ns / 2) ++gaps;
      begin = std::max(begin, axis.stamps_ns[i - 1]);
    }
    axis.begins_ns.push_back(begin);
  }
  if (gaps > 0) {
    capture.note("gap", model::Severity::warning,
                 fmt::format("more than {:.3g} s between samples; what lies between is unknown",
                             static_cast<double>(period_ns) * 1.5e-9),
                 gaps);
  }
}

void add_clock(model::Capture& capture, const model::Counter& counter) {
  if (!counter.axis) return;
  const model::TimeAxis& axis = capture.axes[*counter.axis];
  std::optional<double> last;
  std::vector<model::ClockEvent> events;
  counter.values.for_each([&](std::size_t i, double value) {
    if (std::isnan(value)) return;
    const auto hertz = clock_in_hertz(value, counter.unit);
    if (!hertz || hertz->value == last) return;
    last = hertz->value;
    events.push_back({axis.interval(i).begin.value, counter.gpu, *hertz});
  });
  const auto middle = static_cast<std::ptrdiff_t>(capture.clock.size());
  capture.clock.insert(capture.clock.end(), events.begin(), events.end());
  const auto earlier = [](const model::ClockEvent& a, const model::ClockEvent& b) {
    return a.time_ns < b.time_ns;
  };
  std::stable_sort(capture.clock.begin() + middle, capture.clock.end(), earlier);
  std::inplace_merge(capture.clock.begin(), capture.clock.begin() + middle, capture.clock.end(),
                     earlier);
}

void add_clocks(model::Capture& capture) {
  std::set<std::uint32_t> done;
  for (const model::Counter& counter : capture.counters) {
    if (!is_gpu_clock(counter.name) || !done.insert(counter.gpu).second) continue;
    add_clock(capture, counter);
  }
}

}  // namespace tilebound::ingest::tables
