#include "report/layout.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/text.h"

namespace tilebound::report {

namespace {

bool starts_code_point(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

/// The first `count` code points.
std::string_view first_columns(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && count > 0) {
    ++at;
    while (at < text.size() && !starts_code_point(text[at])) ++at;
    --count;
  }
  return text.substr(0, at);
}

std::string cut(std::string_view text, std::size_t width) {
  if (columns_of(text) <= width) return std::string(text);
  if (width <= 2) return std::string(width, '.');
  return std::string(first_columns(text, width - 2)) + "..";
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_code_point));
}

std::string left(std::string_view text, std::size_t width) {
  std::string out = cut(text, width);
  out.append(width - columns_of(out), ' ');
  return out;
}

std::string right(std::string_view text, std::size_t width) {
  const std::string out = cut(text, width);
  return std::string(width - columns_of(out), ' ') + out;
}

std::string bar(double percent, std::size_t width) {
  static constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double share = std::clamp(percent / 100, 0.0, 1.0);
  const auto eighths =
      static_cast<std::size_t>(std::lround(share * 8 * static_cast<double>(width)));
  std::string out;
  for (std::size_t i = 0; i < eighths / 8; ++i) out += "█";
  out += kEighths[eighths % 8];
  out.append(width - columns_of(out), ' ');
  return out;
}

std::string percent(std::optional<double> value) {
  return value ? fmt::format("{:.1f} %", *value) : "n/a";
}

void paragraph(std::string& out, std::string_view first, std::string_view text, std::size_t width) {
  const std::string indent(columns_of(first), ' ');
  bool begun = false;
  for (const std::string& line : base::wrap(base::printable(text), width - columns_of(first))) {
    out += begun ? indent : std::string(first);
    out += line;
    out += '\n';
    begun = true;
  }
}

void notes(std::string& out, std::vector<model::Note> list, std::size_t width) {
  if (list.empty()) return;
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.severity > b.severity; });
  out += "\nNOTES\n";
  for (const model::Note& note : list) {
    const char* mark = note.severity == model::Severity::info ? "  - " : "  ! ";
    const std::string times = note.count > 1 ? fmt::format(" ({}x)", note.count) : "";
    paragraph(out, mark, fmt::format("{}: {}{}", note.id, note.message, times), width);
  }
}

}  // namespace tilebound::report
