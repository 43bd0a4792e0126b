#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilebound::ingest::tables {

/// How a column writes the time of its rows.
struct TimeStyle {
  bool clock = false;        // "MM:SS.mmm" or "HH:MM:SS.mmm"
  std::int64_t unit_ns = 1;  // of a plain number
  char decimal = '.';
  std::string assumption;  // why this unit, where nothing in the file says it; else empty
};

/// Nanoseconds of one cell; nothing when it is no time.
std::optional<std::int64_t> parse_time(std::string_view cell, const TimeStyle& style);

/// Whether `cell` could be a time at all.
bool looks_like_time(std::string_view cell);

/// What else in the rows tells the unit: the largest value of a counter of active GPU cycles.
struct CycleHint {
  double cycles = 0;  // 0: no such counter
};

/// The style of a column from its name and its first cells. Where the name has no unit, the one
/// that gives a plausible GPU clock (from `hint`), else the one that brings the sampling period
/// nearest to 10 ms.
TimeStyle guess_time_style(std::string_view name, std::span<const std::string_view> cells,
                           char decimal, CycleHint hint);

}  // namespace tilebound::ingest::tables
