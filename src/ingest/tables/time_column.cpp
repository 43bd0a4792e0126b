#include "ingest/tables/time_column.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "base/statistics.h"
#include "ingest/tables/naming.h"
#include "ingest/tables/numbers.h"

namespace tilebound::ingest::tables {

namespace {

struct Unit {
  const char* name;
  std::int64_t ns;
};
constexpr Unit kUnits[] = {{"s", 1'000'000'000}, {"ms", 1'000'000}, {"us", 1000}, {"ns", 1}};

/// Clocks that a GPU's counters can show: from a fraction of the lowest operating point, for a
/// GPU that is mostly idle, up to what no mobile GPU reaches.
constexpr double kLowestClock = 5e6;
constexpr double kHighestClock = 4e9;
/// Fewer cycles in every sample come from an idle GPU and tell nothing.
constexpr double kFewCycles = 1e4;

}  // namespace

std::optional<std::int64_t> parse_time(std::string_view cell, const TimeStyle& style) {
  return style.clock ? parse_clock_ns(cell, style.decimal)
                     : parse_time_ns(cell, style.unit_ns, style.decimal);
}

bool looks_like_time(std::string_view cell) {
  return parse_time_ns(cell, 1, ',') || parse_clock_ns(cell, ',');
}

TimeStyle guess_time_style(std::string_view name, std::span<const std::string_view> cells,
                           char decimal, CycleHint hint) {
  TimeStyle style;
  style.decimal = decimal;
  const bool clock = std::any_of(cells.begin(), cells.end(), [&](std::string_view cell) {
    return parse_clock_ns(cell, decimal).has_value();
  });
  if (clock) {
    style.clock = true;
    return style;
  }
  if (const auto unit = time_unit_in_name(name)) {
    style.unit_ns = *unit;
    return style;
  }
  std::vector<double> steps;
  double largest = 0;
  std::optional<double> before;
  bool fractions = false;
  for (const std::string_view cell : cells) {
    const Cell time = parse_cell(cell, {.decimal = decimal});
    if (time.state != CellState::number) continue;
    largest = std::max(largest, time.value);
    fractions = fractions || time.value != std::nearbyint(time.value);
    if (before && time.value > *before) steps.push_back(time.value - *before);
    before = time.value;
  }
  // Wall clocks tell their unit: between 2001 and 2096 they have these sizes.
  for (const auto& [since_1970, unit] : {std::pair{1e18, 0}, std::pair{1e15, 1}}) {
    if (fractions || largest < since_1970 || largest > since_1970 * 4) continue;
    style.unit_ns = unit == 0 ? 1 : 1000;
    style.assumption = fmt::format("the time column {} has no unit; taken for {} since 1970", name,
                                   unit == 0 ? "ns" : "us");
    return style;
  }
  const auto step = base::median(steps);
  if (!step) {
    style.unit_ns = fractions ? kUnits[0].ns : 1;
    style.assumption = fmt::format("the time column {} has no unit; {} assumed", name,
                                   fractions ? "seconds" : "nanoseconds");
    return style;
  }
  const Unit* best = nullptr;
  double best_distance = 0;
  bool by_clock = false;
  for (const Unit& unit : kUnits) {
    const double period_ns = *step * static_cast<double>(unit.ns);
    const double clock_hz = hint.cycles / period_ns * 1e9;
    const bool plausible =
        hint.cycles >= kFewCycles && clock_hz >= kLowestClock && clock_hz <= kHighestClock;
    const double distance = std::abs(std::log10(period_ns / 1e7));
    if (best == nullptr || (plausible && !by_clock) ||
        (plausible == by_clock && distance < best_distance)) {
      best = &unit;
      best_distance = distance;
      by_clock = by_clock || plausible;
    }
  }
  style.unit_ns = best->ns;
  style.assumption = fmt::format(
      "the time column {} has no unit; taken for {}, which makes the sampling period "
      "{:.4g} ms{}",
      name, best->name, *step * 1e-6 * static_cast<double>(best->ns),
      by_clock ? " and the GPU clock plausible" : "");
  return style;
}

}  // namespace tilebound::ingest::tables
