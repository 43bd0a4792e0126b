#include "ingest/tables/naming.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "base/text.h"

namespace tilebound::ingest::tables {

namespace {

using model::CounterKind;

struct TimeUnit {
  std::string_view name;
  std::int64_t ns;
};
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr TimeUnit kTimeUnits[] = {
    {"s", kSecond},
    {"sec", kSecond},
    {"secs", kSecond},
    {"second", kSecond},
    {"seconds", kSecond},
    {"ms", 1'000'000},
    {"msec", 1'000'000},
    {"millis", 1'000'000},
    {"millisecond", 1'000'000},
    {"milliseconds", 1'000'000},
    {"us", 1000},
    {"usec", 1000},
    {"micros", 1000},
    {"\xC2\xB5s", 1000},
    {"\xCE\xBCs", 1000},
    {"microsecond", 1000},
    {"microseconds", 1000},
    {"ns", 1},
    {"nsec", 1},
    {"nanos", 1},
    {"nanosecond", 1},
    {"nanoseconds", 1},
};

std::optional<std::int64_t> time_unit(std::string_view text) {
  for (const TimeUnit& unit : kTimeUnits) {
    if (unit.name == text) return unit.ns;
  }
  return std::nullopt;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool contains_any(std::string_view text, std::span<const std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](auto part) { return contains(text, part); });
}

/// Lower case words; everything but letters, digits and '%' separates.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : base::lower(name)) {
    const bool part = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & '\x80') != 0;
    if (part) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool has_word(const std::vector<std::string>& words, std::span<const std::string_view> wanted) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
  });
}

/// A percent sign that is not the end of a bucket's name ("0-25%").
bool speaks_of_percent(std::string_view name) {
  for (std::size_t i = name.find('%'); i != std::string_view::npos; i = name.find('%', i + 1)) {
    if (i == 0 || name[i - 1] < '0' || name[i - 1] > '9') return true;
  }
  return false;
}

bool is_per_second(std::string_view lower_name) {
  static constexpr std::array<std::string_view, 3> kSpelled = {"per second", "per sec", "/second"};
  if (contains_any(lower_name, kSpelled)) return true;
  // "/ s", "/sec" and "/s", but not "load/store".
  for (std::size_t i = lower_name.find('/'); i != std::string_view::npos;
       i = lower_name.find('/', i + 1)) {
    std::string_view rest = base::trim(lower_name.substr(i + 1));
    const std::size_t end = rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
    rest = rest.substr(0, end);
    if (rest == "s" || rest == "sec" || rest == "second") return true;
  }
  static constexpr std::array<std::string_view, 4> kBits = {"bps", "kbps", "mbps", "gbps"};
  return std::find(kBits.begin(), kBits.end(), lower_name) != kBits.end();
}

/// Names that end in "rate" and are no percentage.
bool is_plain_rate(std::string_view lower_name) {
  static constexpr std::array<std::string_view, 6> kRates = {
      "frame rate", "refresh rate", "bit rate", "data rate", "clock rate", "sampling rate"};
  return std::any_of(kRates.begin(), kRates.end(),
                     [&](auto rate) { return lower_name.ends_with(rate); });
}

}  // namespace

std::string unit_in_name(std::string_view name) {
  name = base::trim(name);
  // "% Busy (all cores)": what stands in parentheses is no unit then.
  if (name.starts_with('%')) return "%";
  for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'[', ']'}}) {
    if (!name.ends_with(close)) continue;
    const std::size_t at = name.rfind(open);
    if (at == std::string_view::npos || at == 0) continue;
    const std::string_view unit = base::trim(name.substr(at + 1, name.size() - at - 2));
    // "Fragment ALU Instructions / Sec (Full)": a variant, not a unit.
    static constexpr std::array<std::string_view, 5> kVariants = {"full", "half", "total", "avg",
                                                                  "average"};
    const std::string lower = base::lower(unit);
    if (unit.size() <= 24 &&
        std::find(kVariants.begin(), kVariants.end(), lower) == kVariants.end()) {
      return std::string(unit);
    }
  }
  return speaks_of_percent(name) ? "%" : "";
}

CounterKind kind_of(std::string_view name, std::string_view unit) {
  const std::string low = base::lower(base::trim(name));
  const std::string low_unit = base::lower(unit);
  const std::vector<std::string> words = words_of(name);
  if (low_unit == "%" || contains(low_unit, "percent") || speaks_of_percent(low) ||
      contains(low, "percent")) {
    return CounterKind::percent;
  }
  if (is_per_second(low) || is_per_second(low_unit)) return CounterKind::rate;
  static constexpr std::array<std::string_view, 4> kLevelUnits = {"hz", "khz", "mhz", "ghz"};
  if (std::find(kLevelUnits.begin(), kLevelUnits.end(), low_unit) != kLevelUnits.end()) {
    return CounterKind::level;
  }
  static constexpr std::array<std::string_view, 3> kPercentWords = {"utilization", "utilisation",
                                                                    "occupancy"};
  if (has_word(words, kPercentWords) || (low.ends_with(" rate") && !is_plain_rate(low))) {
    return CounterKind::percent;
  }
  static constexpr std::array<std::string_view, 21> kLevelWords = {
      "frequency", "freq",        "clock", "clk",     "mhz",     "khz",   "ghz",
      "hz",        "temperature", "temp",  "celsius", "voltage", "mv",    "power",
      "mw",        "fps",         "avg",   "average", "mean",    "ratio", "per"};
  if (has_word(words, kLevelWords) && !contains(low, "clock cycle")) return CounterKind::level;
  // Arm's device constants repeat in every row.
  if (contains(low, "constants") || contains(low, "configuration")) return CounterKind::level;
  // "Textures / Fragment" is a ratio; "Load/store unit" is not.
  if (contains(name, " / ") || is_plain_rate(low)) return CounterKind::level;
  return CounterKind::count;
}

bool is_time_name(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  static constexpr std::array<std::string_view, 5> kAlone = {"time", "timestamp", "ts", "t",
                                                             "elapsed"};
  static constexpr std::array<std::string_view, 5> kBeside = {"elapsed", "start", "sample", "since",
                                                              "bin"};
  bool time = false;
  for (const std::string& word : words) {
    if (std::find(kAlone.begin(), kAlone.end(), word) != kAlone.end()) {
      time = true;
    } else if (!time_unit(word) &&
               std::find(kBeside.begin(), kBeside.end(), word) == kBeside.end()) {
      return false;
    }
  }
  // "seconds" or "ms" alone heads a time column as well.
  return time || (words.size() == 1 && time_unit(words[0]));
}

std::optional<std::int64_t> time_unit_in_name(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    if (const auto unit = time_unit(*word)) return unit;
  }
  return std::nullopt;
}

bool is_gpu_clock(std::string_view name) {
  const std::string low = base::lower(name);
  static constexpr std::array<std::string_view, 12> kOther = {"max",    "min",    "limit", "cycle",
                                                              "clocks", "target", "mem",   "bus",
                                                              "ratio",  "util",   "count", "cap"};
  static constexpr std::array<std::string_view, 3> kClock = {"freq", "clock", "clk"};
  return contains(low, "gpu") && contains_any(low, kClock) && !contains_any(low, kOther);
}

std::optional<base::Hertz> clock_in_hertz(double value, std::string_view unit) {
  const std::string low = base::lower(unit);
  double scale = 0;
  if (low == "hz") scale = 1;
  if (low == "khz") scale = 1e3;
  if (low == "mhz") scale = 1e6;
  if (low == "ghz") scale = 1e9;
  if (scale == 0) scale = value < 1e4 ? 1e6 : value < 1e7 ? 1e3 : 1;
  const double hertz = value * scale;
  if (!(hertz >= 0) || hertz > 2e10) return std::nullopt;
  return base::Hertz{hertz};
}

}  // namespace tilebound::ingest::tables
