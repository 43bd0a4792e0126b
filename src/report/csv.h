#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Cells of a CSV table (RFC 4180).
namespace tilebound::report {

/// Quoted where needed.
std::string csv_text(std::string_view text);

/// In the shortest form that gives the value back; empty for what is unavailable.
std::string csv_number(std::optional<double> value);

}  // namespace tilebound::report
