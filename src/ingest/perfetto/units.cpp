#include "ingest/perfetto/units.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

#include "base/text.h"

namespace tilebound::ingest::perfetto {

namespace {

/// GpuCounterDescriptor.MeasureUnit by number (gpu_counter_descriptor.proto, see wire.h); the
/// numbers are not in order of topic.
constexpr std::array<std::string_view, 41> kUnits = {
    "none",        "bit",       "kilobit",   "megabit",   "gigabit",   "terabit",    "petabit",
    "byte",        "kilobyte",  "megabyte",  "gigabyte",  "terabyte",  "petabyte",   "hertz",
    "kilohertz",   "megahertz", "gigahertz", "terahertz", "petahertz", "nanosecond", "microsecond",
    "millisecond", "second",    "minute",    "hour",      "vertex",    "pixel",      "triangle",
    "milliwatt",   "watt",      "kilowatt",  "joule",     "volt",      "ampere",     "celsius",
    "fahrenheit",  "kelvin",    "percent",   "primitive", "fragment",  "instruction"};
constexpr std::uint32_t kNone = 0;
constexpr std::uint32_t kSecond = 22;
constexpr std::uint32_t kPercent = 37;

/// Units of a state at a moment: frequencies, power, voltage, current, temperature.
bool is_level_unit(std::uint32_t unit) {
  constexpr std::uint32_t kFirstHertz = 13, kLastHertz = 18, kFirstWatt = 28, kLastWatt = 30;
  constexpr std::uint32_t kVolt = 32, kKelvin = 36;
  return (unit >= kFirstHertz && unit <= kLastHertz) || (unit >= kFirstWatt && unit <= kLastWatt) ||
         (unit >= kVolt && unit <= kKelvin);
}

std::string unit_name(std::uint32_t unit) {
  return unit < kUnits.size() ? std::string(kUnits[unit]) : fmt::format("unit{}", unit);
}

std::vector<std::uint32_t> without_none(std::span<const std::uint32_t> units) {
  std::vector<std::uint32_t> out(units.begin(), units.end());
  out.erase(std::remove(out.begin(), out.end(), kNone), out.end());
  return out;
}

std::string joined(std::span<const std::uint32_t> units) {
  std::string out;
  for (const std::uint32_t unit : without_none(units)) {
    if (!out.empty()) out += ':';
    out += unit_name(unit);
  }
  return out;
}

bool named_per_second(std::string_view name) {
  const std::string text = base::lower(name);
  for (const std::string_view ending : {"/ second", "/second", "/ sec", "/sec", "per second"}) {
    if (text.find(ending) != std::string::npos) return true;
  }
  return false;
}

bool named_average(std::string_view name) {
  const std::string text = base::lower(name);
  return text.starts_with("avg ") || text.starts_with("average ");
}

}  // namespace

std::string unit_text(std::span<const std::uint32_t> numerator,
                      std::span<const std::uint32_t> denominator) {
  std::string out = joined(numerator);
  const std::string below = joined(denominator);
  if (!below.empty()) out += '/' + below;
  return out;
}

model::CounterKind counter_kind(std::string_view name, std::span<const std::uint32_t> numerator,
                                std::span<const std::uint32_t> denominator) {
  const std::vector<std::uint32_t> above = without_none(numerator);
  const std::vector<std::uint32_t> below = without_none(denominator);
  if (std::find(above.begin(), above.end(), kPercent) != above.end() ||
      name.find('%') != std::string_view::npos) {
    return model::CounterKind::percent;
  }
  if (below.size() == 1 && below.front() == kSecond) return model::CounterKind::rate;
  if (!below.empty()) return model::CounterKind::level;
  if (std::any_of(above.begin(), above.end(), is_level_unit)) return model::CounterKind::level;
  if (named_average(name)) return model::CounterKind::level;  // Adreno's "Avg Preemption Delay"
  if (above.empty() && named_per_second(name)) return model::CounterKind::rate;
  return model::CounterKind::count;
}

}  // namespace tilebound::ingest::perfetto
