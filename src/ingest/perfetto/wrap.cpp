#include "ingest/perfetto/wrap.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "base/column.h"
#include "base/text.h"

namespace tilebound::ingest::perfetto {

namespace {

using model::CounterKind;

constexpr double kTwo31 = 2147483648.0;
constexpr double kTwo32 = 4294967296.0;
constexpr double kTwo63 = 9223372036854775808.0;
/// The counter's own values must stay below this for a value near 2^32 to be a fault: a chance
/// value then looks like one in at most one of eight cases.
constexpr double kFarBelowTwo32 = kTwo32 / 16;
/// More than this part of the values is no fault but the counter's way.
constexpr double kMostFaults = 0.05;
/// Fewer ordinary values do not say what is ordinary.
constexpr std::size_t kFewestOrdinary = 8;
/// A value this little below 0 is rounding in a quotient.
constexpr double kRounding = 1e-6;

/// How far `v` is from the nearest multiple of 2^32 that is not 0.
double distance_to_wrap(double v) {
  return std::abs(v - std::max(1.0, std::round(v / kTwo32)) * kTwo32);
}

/// What a counter's values say about themselves, for the choice of what cannot be.
struct Shape {
  std::size_t available = 0;
  std::size_t large = 0;     // 2^31 .. 2^63
  double ordinary_most = 0;  // largest below 2^31
};

Shape shape_of(const base::Column& values) {
  Shape shape;
  values.for_each([&shape](std::size_t, double v) {
    if (std::isnan(v)) return;
    ++shape.available;
    if (v < kTwo31) {
      shape.ordinary_most = std::max(shape.ordinary_most, v);
    } else if (v < kTwo63) {
      ++shape.large;
    }
  });
  return shape;
}

}  // namespace

void drop_wrapped(model::Counter& counter, model::Capture& capture) {
  const base::Column::Range range = counter.values.range();
  if (range.least >= 0 && range.most < kTwo31) return;
  const Shape shape = shape_of(counter.values);
  const bool level = counter.kind == CounterKind::level;
  const bool may_wrap = counter.kind == CounterKind::count &&
                        shape.available >= shape.large + kFewestOrdinary &&
                        shape.ordinary_most < kFarBelowTwo32 &&
                        static_cast<double>(shape.large) <=
                            std::max(1.0, kMostFaults * static_cast<double>(shape.available));
  const double reach = 2 * shape.ordinary_most;
  std::uint64_t wrapped = 0;
  std::uint64_t infinite = 0;
  base::Column kept;
  counter.values.for_each([&](std::size_t, double v) {
    const bool impossible = (!level && v < -kRounding) || std::abs(v) >= kTwo63 ||
                            (may_wrap && v >= kTwo31 && distance_to_wrap(v) <= reach);
    if (std::isinf(v)) {
      ++infinite;
      v = std::numeric_limits<double>::quiet_NaN();
    } else if (impossible) {
      ++wrapped;
      v = std::numeric_limits<double>::quiet_NaN();
    }
    kept.push_back(v);
  });
  if (wrapped + infinite == 0) return;
  counter.values = std::move(kept);
  std::string name = base::printable(counter.name);
  if (counter.gpu != 0) name += fmt::format(" (GPU {})", counter.gpu);
  // Added without looking for an equal note: there can be one for each of very many counters.
  const auto note = [&capture, &name](std::string id, std::string_view what, std::uint64_t count) {
    if (count == 0) return;
    capture.notes.push_back(
        {std::move(id), model::Severity::warning, fmt::format("{}: {}", name, what), count});
  };
  note("wrapped_value", "values that only a counter overflow explains were dropped", wrapped);
  note("invalid_value", "infinite values were dropped", infinite);
}

}  // namespace tilebound::ingest::perfetto
