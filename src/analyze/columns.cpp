#include "analyze/columns.h"

#include <limits>

namespace tilebound::analyze {

namespace {

constexpr double kUnavailable = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Columns::Columns(const Totals& totals, std::size_t axis) : totals_(totals), axis_(axis) {
  const model::TimeAxis& stamps = totals.capture().axes[axis];
  const Sampling sampling = sampling_of(stamps);
  period_ns_ = sampling.median_ns;
  for (std::size_t i = 0; i < stamps.size(); ++i) {
    const base::Interval sample = stamps.interval(i);
    const auto length = static_cast<double>(sample.length().value);
    if (sample.empty()) continue;
    if (stamps.begins_ns.empty() && length > kHolePeriods * sampling.median_ns) continue;
    kept_.push_back(i);
    intervals_.push_back(sample);
  }
}

const std::vector<double>& Columns::delivered(std::size_t counter) {
  const auto [entry, added] = columns_.try_emplace(counter);
  if (added) entry->second = read(counter);
  return entry->second;
}

const std::vector<double>* Columns::on_axis(std::string_view machine_name) {
  const auto index = totals_.binding().find(machine_name);
  if (!index || totals_.capture().counters[*index].axis != axis_) return nullptr;
  return &delivered(*index);
}

std::vector<double> Columns::read(std::size_t index) const {
  const model::Capture& capture = totals_.capture();
  const model::Counter& counter = capture.counters[index];
  const bool averaged =
      counter.kind == model::CounterKind::percent || counter.kind == model::CounterKind::level;
  std::vector<double> out(kept_.size(), kUnavailable);
  if (counter.axis != axis_) {
    const model::TimeAxis& axis = capture.axes[*counter.axis];
    const std::vector<Cover> covers = cover(axis, sampling_of(axis), intervals_);
    const std::vector<Integral> integrals = integrate(capture, counter, covers);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto per_second = integrals[i].per_second();
      if (!per_second) continue;
      out[i] = averaged ? *per_second : *per_second * base::seconds(intervals_[i].length());
    }
    return out;
  }
  std::size_t next = 0;
  counter.values.for_each([&](std::size_t i, double value) {
    if (next == kept_.size() || kept_[next] != i) return;
    const bool rate = counter.kind == model::CounterKind::rate;
    out[next] = rate ? value * base::seconds(intervals_[next].length()) : value;
    ++next;
  });
  return out;
}

}  // namespace tilebound::analyze
