#include "report/csv.h"

#include <fmt/format.h>

namespace tilebound::report {

std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string csv_number(std::optional<double> value) {
  return value ? fmt::format("{}", *value) : "";
}

}  // namespace tilebound::report
