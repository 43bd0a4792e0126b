#include "ingest/ovrgpuprofiler/wall_clock.h"

#include <charconv>
#include <chrono>
#include <fmt/format.h>

#include "base/text.h"

namespace tilebound::ingest::ovrgpuprofiler {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Takes a number of at most `most` digits off the front of `text`.
std::optional<int> take_number(std::string_view& text, std::size_t most) {
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  if (digits == 0 || digits > most) return std::nullopt;
  int value = 0;
  std::from_chars(text.data(), text.data() + digits, value);
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<std::int64_t> moment(int year, int month, int day, std::int64_t ns_of_day) {
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || year < 1970 || year > 2200) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return static_cast<std::int64_t>(days) * 86400 * kSecond + ns_of_day;
}

/// "h:mm:ss" with an optional fraction, as nanoseconds; advances past it.
std::optional<std::int64_t> take_time_of_day(std::string_view& text) {
  const auto hour = take_number(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return std::nullopt;
  const auto minute = take_number(text, 2);
  if (!minute || *minute > 59 || !take(text, ':')) return std::nullopt;
  const auto second = take_number(text, 2);
  if (!second || *second > 60) return std::nullopt;
  std::int64_t ns = (*hour * 3600 + *minute * 60 + *second) * kSecond;
  if (take(text, '.')) {
    const std::size_t digits = text.size();
    const auto fraction = take_number(text, 9);
    if (!fraction) return std::nullopt;
    std::int64_t scaled = *fraction;
    for (std::size_t i = digits - text.size(); i < 9; ++i) scaled *= 10;
    ns += scaled;
  }
  return ns;
}

}  // namespace

std::optional<std::int64_t> parse_date_time(std::string_view text) {
  text = base::trim(text);
  const auto first = take_number(text, 2);
  if (!first || !take(text, '/')) return std::nullopt;
  const auto second = take_number(text, 2);
  if (!second || !take(text, '/')) return std::nullopt;
  const auto year = take_number(text, 4);
  if (!year || !take(text, ' ')) return std::nullopt;
  auto ns = take_time_of_day(text);
  if (!ns) return std::nullopt;
  const std::string half = base::lower(base::trim(text));
  constexpr std::int64_t kHalfDay = std::int64_t{12} * 3600 * kSecond;
  if (half == "am" || half == "pm") {
    if (*ns >= kHalfDay + 3600 * kSecond) return std::nullopt;
    *ns %= kHalfDay;  // 12:05 AM is the fifth minute of the day
    if (half == "pm") *ns += kHalfDay;
  } else if (!half.empty()) {
    return std::nullopt;
  }
  const bool day_first = *first > 12;
  return moment(*year, day_first ? *second : *first, day_first ? *first : *second, *ns);
}

std::optional<std::int64_t> parse_logcat_time(std::string_view text, int year) {
  const auto month = take_number(text, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  const auto day = take_number(text, 2);
  if (!day || !take(text, ' ')) return std::nullopt;
  const auto ns = take_time_of_day(text);
  if (!ns) return std::nullopt;
  return moment(year, *month, *day, *ns);
}

std::optional<std::int64_t> same_day(std::int64_t ns, int year) {
  const auto whole = std::chrono::nanoseconds(ns);
  const auto days = std::chrono::floor<std::chrono::days>(whole);
  const std::chrono::year_month_day date{std::chrono::sys_days(days)};
  return moment(year, static_cast<int>(static_cast<unsigned>(date.month())),
                static_cast<int>(static_cast<unsigned>(date.day())), (whole - days).count());
}

int year_of(std::int64_t ns) {
  const auto days = std::chrono::floor<std::chrono::days>(std::chrono::nanoseconds(ns));
  return static_cast<int>(std::chrono::year_month_day(std::chrono::sys_days(days)).year());
}

std::string show_time(std::int64_t ns) {
  const auto whole = std::chrono::nanoseconds(ns);
  const auto days = std::chrono::floor<std::chrono::days>(whole);
  const std::chrono::year_month_day date{std::chrono::sys_days(days)};
  const auto seconds = std::chrono::floor<std::chrono::seconds>(whole - days).count();
  return fmt::format("{}-{:02}-{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace tilebound::ingest::ovrgpuprofiler
