#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilebound::base {

std::string_view trim(std::string_view text);

/// ASCII only.
std::string lower(std::string_view text);

/// Pieces between separators, each as it stands; an empty text is one empty piece.
std::vector<std::string_view> split(std::string_view text, char separator);

/// A number written the C way, all of `text`: "12", "-1.5e3". No spaces, no "inf", no "nan".
std::optional<double> parse_number(std::string_view text);

/// A duration with its unit: "1.5s", "20ms", "3us", "40ns"; nanoseconds. Nothing when it is none.
std::optional<double> parse_duration_ns(std::string_view text);

/// What a terminal or a report shows of text from a file: control characters and bytes that are
/// not UTF-8 become "\xNN", so that a hostile name cannot drive the terminal.
std::string printable(std::string_view text);

/// `text` cut into lines of at most `width` columns at spaces.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// The first `shown` of `items`, joined by commas; how many more there are is said.
std::string join_some(const std::vector<std::string>& items, std::size_t shown);

/// A number with `digits` significant digits and thousands separators: 1,234,567.
std::string group_digits(double value, int decimals);

/// A short form with a decimal prefix: 1.23 G, 45.6 M, 789, 0.0123. Unit appended when given.
std::string short_number(double value, std::string_view unit = {});

}  // namespace tilebound::base
