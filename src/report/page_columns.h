#pragma once

#include <span>
#include <string>

#include "report/json.h"

/// Long columns of numbers inside the report page: base64 of little-endian values, which are a
/// third of the size of JSON numbers and need no parsing.
namespace tilebound::report {

/// {"u16": "...", "scale": s}: value = code x s, code 65535 is "unavailable". Where one value is so
/// far above the mean that codes would lose the others: {"f32": "..."}, NaN is "unavailable".
Json column(std::span<const double> values);

/// {"f64": "..."}, for moments in ns, which no narrower form holds.
Json exact_column(std::span<const double> values);

std::string base64(std::string_view bytes);

}  // namespace tilebound::report
