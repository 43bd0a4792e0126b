#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "model/capture.h"

/// What a column's name says: its unit, how its values combine, whether it is a time.
namespace tilebound::ingest::tables {

/// The unit in parentheses or brackets at the end of a name: "Read Total (Bytes/sec)" gives
/// "Bytes/sec"; "%" for a name that speaks of a percentage; empty where there is none.
std::string unit_in_name(std::string_view name);

/// How the values of a counter of this name and unit combine over time. Names are the vendors'
/// own: ready percentages are called "% ...", "... utilization", "... percentage" or "... rate" by
/// Arm and Qualcomm; a bucket such as "outstanding reads 0-25%" is a count all the same.
model::CounterKind kind_of(std::string_view name, std::string_view unit);

/// Whether a column of this name holds the time of a row.
bool is_time_name(std::string_view name);

/// Nanoseconds of the time unit that a name carries: "Time (ms)", "timestamp_us", "time_ns".
/// Nothing for a name without one ("Time", "ts").
std::optional<std::int64_t> time_unit_in_name(std::string_view name);

/// Whether the counter is plainly the GPU's present clock, not its limit nor another unit's.
bool is_gpu_clock(std::string_view name);

/// A clock's value in hertz, by its unit, else by magnitude: below 10,000 it is MHz, below
/// 10,000,000 kHz. Nothing for a value that is no clock of a GPU (0 is "off", and is kept).
std::optional<base::Hertz> clock_in_hertz(double value, std::string_view unit);

}  // namespace tilebound::ingest::tables
