#include "ingest/tables/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/text.h"

namespace tilebound::ingest::tables {

namespace {

constexpr std::string_view kNoBreakSpace = "\xC2\xA0";
constexpr std::string_view kNarrowNoBreakSpace = "\xE2\x80\xAF";
constexpr std::string_view kTypographicApostrophe = "\xE2\x80\x99";
/// No number that a counter writes is longer; guards the quadratic parts below.
constexpr std::size_t kLongestNumber = 64;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Length of the thousands separator at the front of `text` that is neither comma nor point, and
/// the character it stands for.
struct Separator {
  std::size_t length = 0;
  char group = 0;
};
Separator separator(std::string_view text) {
  if (text.starts_with(' ')) return {1, ' '};
  if (text.starts_with(kNoBreakSpace)) return {kNoBreakSpace.size(), ' '};
  if (text.starts_with(kNarrowNoBreakSpace)) return {kNarrowNoBreakSpace.size(), ' '};
  if (text.starts_with('\'')) return {1, '\''};
  if (text.starts_with(kTypographicApostrophe)) return {kTypographicApostrophe.size(), '\''};
  return {};
}

std::string_view without_percent(std::string_view text) {
  if (text.ends_with('%')) text.remove_suffix(1);
  return base::trim(text);
}

bool is_unavailable(std::string_view text) {
  static constexpr std::array<std::string_view, 19> kWords = {
      "-",           "--",     "n/a",    "na",        "nan",      "-nan", "nan(ind)",
      "-nan(ind)",   "inf",    "+inf",   "-inf",      "infinity", "null", "none",
      "unavailable", "<null>", "[null]", "-infinity", "+infinity"};
  if (text.empty()) return true;
  if (text == "\xE2\x80\x93" || text == "\xE2\x80\x94" || text == "\xE2\x88\x9E") return true;
  if (text.size() > 12) return false;
  const std::string word = base::lower(text);
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

/// `text` as C writes numbers; empty when the grouping is not one of a number.
std::string normalised(std::string_view text, const NumberFormat& format) {
  std::string out;
  std::size_t run = 0;  // digits since the last separator
  bool grouped = false;
  bool fraction = false;
  while (!text.empty()) {
    const char c = text.front();
    if (c == format.decimal && !fraction) {
      if (grouped && run != 3) return {};
      fraction = true;
      out += '.';
      text.remove_prefix(1);
      continue;
    }
    Separator s = separator(text);
    if ((c == ',' || c == '.') && c == format.group) s = {1, c};
    if (s.length > 0) {
      // Groups are of three digits, or of two in the Indian way; the last one is always of three.
      if (fraction || run == 0 || run > 3 || (grouped && run == 1)) return {};
      grouped = true;
      run = 0;
      text.remove_prefix(s.length);
      continue;
    }
    if (!fraction && grouped && !is_digit(c) && run != 3) return {};
    run += is_digit(c) ? 1 : 0;
    out += c;
    text.remove_prefix(1);
  }
  if (grouped && !fraction && run != 3 && out.find_first_of("eE") == std::string::npos) return {};
  return out;
}

}  // namespace

Cell parse_cell(std::string_view text, const NumberFormat& format) {
  text = base::trim(text);
  // Most cells are short whole numbers.
  if (!text.empty() && text.size() <= 15) {
    std::uint64_t whole = 0;
    std::size_t i = 0;
    for (; i < text.size() && is_digit(text[i]); ++i) {
      whole = whole * 10 + static_cast<std::uint64_t>(text[i] - '0');
    }
    if (i == text.size()) return {CellState::number, static_cast<double>(whole)};
  }
  if (format.decimal == '.') {
    if (const auto value = base::parse_number(text)) return {CellState::number, *value};
  }
  if (is_unavailable(text)) return {CellState::unavailable, 0};
  text = without_percent(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > kLongestNumber) return {CellState::wrong, 0};
  if (const auto value = base::parse_number(normalised(text, format))) {
    return {CellState::number, *value};
  }
  return {CellState::wrong, 0};
}

void NumberEvidence::add(std::string_view text) {
  text = without_percent(base::trim(text));
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > kLongestNumber || !is_digit(text.front())) return;
  std::size_t commas = 0, points = 0, run = 0, first_run = 0, apostrophes = 0, spaces = 0;
  char last = 0;
  const bool leading_zero = text.front() == '0';
  for (std::string_view rest = text; !rest.empty();) {
    const char c = rest.front();
    const Separator s = separator(rest);
    if (is_digit(c)) {
      ++run;
      if (commas + points == 0) ++first_run;
      rest.remove_prefix(1);
    } else if (s.length > 0) {
      (s.group == ' ' ? spaces : apostrophes) += 1;
      if (run == 0 || (rest.size() > s.length && !is_digit(rest[s.length]))) return;
      run = 0;
      rest.remove_prefix(s.length);
    } else if (c == ',' || c == '.') {
      (c == ',' ? commas : points) += 1;
      last = c;
      run = 0;
      rest.remove_prefix(1);
    } else if ((c == 'e' || c == 'E') && commas + points == 1) {
      (last == ',' ? comma_ : point_).decimal += 1;
      return;
    } else {
      return;
    }
  }
  if (apostrophes > 0) apostrophe_ += 1;
  if (spaces > 0) space_ += 1;
  if (commas > 0 && points > 0) {
    Votes& decimal = last == ',' ? comma_ : point_;
    Votes& group = last == ',' ? point_ : comma_;
    if ((last == ',' ? commas : points) > 1) return;
    decimal.decimal += 1;
    group.group += 1;
    return;
  }
  if (commas + points == 0) return;
  Votes& votes = commas > 0 ? comma_ : point_;
  if (commas + points > 1) {
    if (run == 3) votes.group += 1;
  } else if (run != 3 || first_run > 3 || leading_zero || apostrophes + spaces > 0) {
    votes.decimal += 1;
  } else {
    votes.open += 1;
  }
}

NumberFormat NumberEvidence::decide(char delimiter) const {
  NumberFormat format;
  const bool comma_group = comma_.group > comma_.decimal;
  const bool comma_decimal =
      !comma_group &&
      (comma_.decimal > 0 || (comma_.open > 0 && delimiter == ';' && point_.decimal == 0));
  format.decimal = comma_decimal ? ',' : '.';
  if (comma_decimal) {
    if (point_.group + point_.open > 0) format.group = '.';
  } else if (point_.group > point_.decimal) {
    // Dots in threes and nothing that speaks for a decimal point: whole numbers.
    format.group = '.';
    format.decimal = ',';
  } else if (comma_.group + comma_.open > 0) {
    format.group = ',';
  }
  if (format.group == 0 && apostrophe_ > 0) format.group = '\'';
  if (format.group == 0 && space_ > 0) format.group = ' ';
  return format;
}

bool NumberEvidence::ambiguous(char delimiter) const {
  const bool comma_open = comma_.open > 0 && comma_.decimal + comma_.group == 0 &&
                          delimiter != ',' && point_.decimal == 0;
  const bool contradiction =
      (comma_.decimal > 0 && comma_.group > 0) || (point_.decimal > 0 && point_.group > 0);
  return comma_open || contradiction;
}

std::optional<std::int64_t> parse_time_ns(std::string_view text, std::int64_t unit_ns,
                                          char decimal) {
  text = base::trim(text);
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  std::uint64_t whole = 0;
  std::size_t i = 0;
  constexpr auto kLimit = static_cast<std::uint64_t>(kLatestNs);
  for (; i < text.size() && is_digit(text[i]); ++i) {
    if (whole > kLimit / 10 - 1) return std::nullopt;
    whole = whole * 10 + static_cast<std::uint64_t>(text[i] - '0');
  }
  const auto unit = static_cast<std::uint64_t>(unit_ns);
  if (i == 0 || whole > kLimit / unit - 1) return std::nullopt;
  std::uint64_t ns = whole * unit;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    const auto value = base::parse_number(text);
    if (!value || std::abs(*value) * static_cast<double>(unit) > static_cast<double>(kLatestNs))
      return std::nullopt;
    ns = static_cast<std::uint64_t>(std::llround(*value * static_cast<double>(unit)));
    i = text.size();
  } else if (i < text.size() && (text[i] == decimal || text[i] == '.')) {
    std::uint64_t scale = unit;
    std::uint64_t remainder = 0;
    for (++i; i < text.size() && is_digit(text[i]); ++i) {
      const auto digit = static_cast<std::uint64_t>(text[i] - '0');
      if (scale >= 10) {
        scale /= 10;
        ns += digit * scale;
      } else if (remainder == 0) {
        remainder = 1 + digit;  // the first digit below a nanosecond decides the rounding
      }
    }
    if (i < text.size()) {  // "9.85e-4": rare, and short of digits anyway
      const auto value = base::parse_number(text);
      if (!value || std::abs(*value) * static_cast<double>(unit) > static_cast<double>(kLatestNs))
        return std::nullopt;
      ns = static_cast<std::uint64_t>(std::llround(*value * static_cast<double>(unit)));
      i = text.size();
    } else if (remainder > 5) {
      ns += 1;
    }
  }
  if (i != text.size()) return std::nullopt;
  const auto signed_ns = static_cast<std::int64_t>(ns);
  return negative ? -signed_ns : signed_ns;
}

std::optional<std::int64_t> parse_clock_ns(std::string_view text, char decimal) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  text = base::trim(text);
  const std::size_t last = text.rfind(':');
  if (last == std::string_view::npos || text.size() > kLongestNumber) return std::nullopt;
  const std::string_view tail = text.substr(last + 1);
  if (tail.starts_with('-')) return std::nullopt;
  const auto seconds = parse_time_ns(tail, kSecond, decimal);
  if (!seconds || *seconds >= 60 * kSecond) return std::nullopt;
  std::int64_t minutes = 0;
  std::size_t parts = 0;
  for (const std::string_view part : base::split(text.substr(0, last), ':')) {
    const auto number = parse_time_ns(part, 1, decimal);
    if (!number || part.starts_with('-') || *number > 1'000'000 || ++parts > 2 ||
        (parts == 2 && *number > 59)) {
      return std::nullopt;
    }
    minutes = minutes * 60 + *number;
  }
  if (minutes > 100'000'000) return std::nullopt;
  return minutes * 60 * kSecond + *seconds;
}

}  // namespace tilebound::ingest::tables
