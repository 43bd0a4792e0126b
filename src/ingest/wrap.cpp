#include "ingest/wrap.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "base/text.h"

namespace tilebound::ingest {

namespace {

constexpr double kTwo32 = 4294967296.0;
constexpr double kTwo64 = kTwo32 * kTwo32;
/// No counter of a GPU counts that far: 146 years of nanoseconds.
constexpr double kBeyondCounters = kTwo64 / 4;
/// Values from here on can be faults.
constexpr double kSuspicious = kTwo32 / 2;
/// Faults are rare. One in twenty is far more than any capture known has.
constexpr double kLargestShare = 0.05;
/// Ordinary values must be this far below 2^32 for a value near it to stand out.
constexpr double kClearance = 8;

}  // namespace

WrapRule::WrapRule(const base::Column& values, model::CounterKind kind) : kind_(kind) {
  std::size_t all = 0, large = 0, negative = 0;
  values.for_each([&](std::size_t, double value) {
    if (std::isnan(value)) return;
    ++all;
    const double size = std::abs(value);
    if (value < 0) ++negative;
    suspicious_ = suspicious_ || size >= kSuspicious || value == -1;
    if (size >= kSuspicious) {
      ++large;
    } else if (value >= 0) {
      ordinary_ = std::max(ordinary_, size);
    }
  });
  const double few = std::max(1.0, kLargestShare * static_cast<double>(all));
  rare_ = all > 1 && static_cast<double>(std::max(large, negative)) <= few &&
          ordinary_ * kClearance < kTwo32;
}

bool WrapRule::faulty(double value) const {
  if (std::isnan(value)) return false;
  const double size = std::abs(value);
  if (size >= kBeyondCounters) return true;
  if (kind_ == model::CounterKind::percent && size >= kSuspicious) return true;
  if (!rare_) return false;
  if (kind_ == model::CounterKind::count && value == -1) return true;
  if (size < kSuspicious) return false;
  // The true value was at most twice the largest ordinary one.
  const double reach = std::max(2 * ordinary_, 16.0);
  const double turns = std::nearbyint(value / kTwo32);
  if (std::abs(value - turns * kTwo32) <= reach) return true;
  // 2^64 nanoseconds in other units of time, which lose the low digits.
  for (const double unit : {1e3, 1e6, 1e9}) {
    if (std::abs(size - kTwo64 / unit) <= kTwo64 / unit * 1e-3) return true;
  }
  return false;
}

void drop_wrapped_values(model::Capture& capture) {
  for (model::Counter& counter : capture.counters) {
    if (!counter.sampled()) continue;
    const WrapRule rule(counter.values, counter.kind);
    if (!rule.any()) continue;
    std::uint64_t faults = 0;
    double first = 0;
    counter.values.for_each([&](std::size_t, double value) {
      if (!rule.faulty(value)) return;
      if (faults++ == 0) first = value;
    });
    if (faults == 0) continue;
    base::Column kept;
    counter.values.for_each([&](std::size_t, double value) {
      kept.push_back(rule.faulty(value) ? std::numeric_limits<double>::quiet_NaN() : value);
    });
    counter.values = std::move(kept);
    capture.note("wrapped_value", model::Severity::warning,
                 fmt::format("{}: values such as {} come from a counter that wrapped; they "
                             "count as unavailable",
                             base::printable(counter.name),
                             std::abs(first) < 1e20 ? fmt::format("{:.0f}", first)
                                                    : fmt::format("{:g}", first)),
                 faults);
  }
}

}  // namespace tilebound::ingest
