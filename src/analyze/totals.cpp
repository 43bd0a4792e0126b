#include "analyze/totals.h"

#include <algorithm>
#include <utility>

#include "analyze/activity.h"

namespace tilebound::analyze {

namespace {

/// A counter that misses more of a window than this says nothing about it.
constexpr double kLeastCoverage = 0.5;

/// Adreno's percentages are of GPU-busy time, but for the utilisation itself.
constexpr const char* kBusyPercentVendor = "qualcomm";
constexpr const char* kElapsedPercent = "AdrenoGPUPercentUtilization";

}  // namespace

Totals::Totals(const model::Capture& capture, const devices::Binding& binding, const Cores& cores,
               std::span<const Sampling> samplings, std::vector<base::Interval> windows)
    : capture_(capture),
      binding_(binding),
      cores_(cores),
      windows_(std::move(windows)),
      active_(active_cycles_counter(capture, binding)),
      integrals_(capture.counters.size()),
      busy_averages_(capture.counters.size()) {
  covers_.reserve(capture.axes.size());
  for (std::size_t a = 0; a < capture.axes.size(); ++a) {
    covers_.push_back(cover(capture.axes[a], samplings[a], windows_));
  }
}

const Integral& Totals::integral(std::size_t counter, std::size_t w) const {
  std::vector<Integral>& all = integrals_[counter];
  if (all.empty()) {
    const model::Counter& c = capture_.counters[counter];
    all = c.sampled() ? integrate(capture_, c, covers_[*c.axis])
                      : std::vector<Integral>(windows_.size());
  }
  return all[w];
}

std::span<const Cover> Totals::covers(std::size_t axis) const {
  return covers_[axis];
}

std::optional<std::size_t> Totals::find(std::string_view name) const {
  const auto known = found_.find(name);
  if (known != found_.end()) return known->second;
  const std::string gpu =
      binding_.gpu < capture_.gpu_names.size() ? capture_.gpu_names[binding_.gpu] : std::string();
  std::optional<std::size_t> index = binding_.find(name);
  if (!index) {
    if (const auto* definition = devices::find_counter(name, gpu)) {
      index = binding_.find(definition->machine_name);
    }
  }
  found_.emplace(name, index);
  return index;
}

std::optional<double> Totals::delivered(std::size_t counter, std::size_t w) const {
  const model::Counter& c = capture_.counters[counter];
  const Integral& in = integral(counter, w);
  const auto available = static_cast<double>(in.covered.value);
  const auto described = static_cast<double>(covers_[*c.axis][w].covered.value);
  if (available <= 0 || available < kLeastCoverage * described) return std::nullopt;
  if (of_busy_time(counter)) return busy_average(counter, w);
  if (c.kind == model::CounterKind::percent || c.kind == model::CounterKind::level) {
    return in.per_second();
  }
  // Counters of other axes may be sampled for longer; only totals over the same time make ratios.
  return in.total * static_cast<double>(covered(w).value) / available;
}

bool Totals::of_busy_time(std::size_t counter) const {
  const model::Counter& c = capture_.counters[counter];
  const devices::CounterDefinition* definition = binding_.entries[counter].definition;
  return c.kind == model::CounterKind::percent && definition != nullptr && active_ &&
         definition->vendor == kBusyPercentVendor && definition->machine_name != kElapsedPercent &&
         c.axis == capture_.counters[*active_].axis;
}

std::optional<double> Totals::busy_average(std::size_t counter, std::size_t w) const {
  auto& all = busy_averages_[counter];
  if (all.empty()) {
    const model::Counter& c = capture_.counters[counter];
    all = weighted_averages(capture_, c, capture_.counters[*active_], covers_[*c.axis]);
  }
  return all[w];
}

std::optional<double> Totals::factor(std::size_t counter, Basis basis) const {
  const model::CounterKind kind = capture_.counters[counter].kind;
  const devices::CounterDefinition* definition = binding_.entries[counter].definition;
  if (kind == model::CounterKind::percent || kind == model::CounterKind::level ||
      definition == nullptr || definition->scope != devices::Scope::shader_core) {
    return 1;
  }
  return basis == Basis::gpu ? cores_.gpu_factor() : cores_.core_factor();
}

std::optional<double> Totals::total(std::string_view name, std::size_t w, Basis basis) const {
  const auto index = find(name);
  if (!index) return std::nullopt;
  const auto value = delivered(*index, w);
  const auto times = factor(*index, basis);
  if (!value || !times) return std::nullopt;
  return *value * *times;
}

devices::Expression::Lookup Totals::lookup(std::size_t w, Basis basis) const {
  return [this, w, basis](std::string_view name) -> std::optional<double> {
    if (name == "ZOOM") return base::seconds(covered(w));
    if (name == "MaliConstantsShaderCoreCount" && cores_.count) return *cores_.count;
    return total(name, w, basis);
  };
}

base::Nanoseconds Totals::covered(std::size_t w) const {
  base::Nanoseconds most{0};
  for (const auto& axis : covers_) most = std::max(most, axis[w].covered);
  return most;
}

}  // namespace tilebound::analyze
