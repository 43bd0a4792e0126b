#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Dates and times as logs print them. Such stamps have no zone: they are taken for UTC, so that
/// only differences, and equality between logs of one device, mean something.
namespace tilebound::ingest::ovrgpuprofiler {

/// "12/15/2023 3:16:20 PM", also with 24 hours and no AM or PM; nanoseconds since 1970. Month first
/// unless the first number is above 12.
std::optional<std::int64_t> parse_date_time(std::string_view text);

/// "12-15 15:16:14.008", a logcat stamp: month, day, time of day; nanoseconds since 1970 if it was
/// `year`.
std::optional<std::int64_t> parse_logcat_time(std::string_view text, int year);

/// The same day and time of day in `year`; nothing for 29 February of a year without one.
std::optional<std::int64_t> same_day(std::int64_t ns, int year);

/// Year of a moment.
int year_of(std::int64_t ns);

/// "2023-12-15 15:16:14".
std::string show_time(std::int64_t ns);

}  // namespace tilebound::ingest::ovrgpuprofiler
