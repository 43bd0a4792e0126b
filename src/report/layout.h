#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/note.h"

/// Plain-text building blocks.
namespace tilebound::report {

/// Columns that a terminal gives to UTF-8 text: one for each code point.
std::size_t columns_of(std::string_view text);

/// `text` padded with spaces, or cut with "..", to exactly `width` columns.
std::string left(std::string_view text, std::size_t width);
std::string right(std::string_view text, std::size_t width);

/// A bar of `width` columns, filled to `percent` of it.
std::string bar(double percent, std::size_t width);

/// "42.3 %"; "n/a" for what is unavailable, which is not 0.
std::string percent(std::optional<double> value);

/// Appends `text`, made printable and wrapped to `width` columns; the first line after `first`, the
/// others after as many spaces.
void paragraph(std::string& out, std::string_view first, std::string_view text, std::size_t width);

/// The notes of a report, warnings before information.
void notes(std::string& out, std::vector<model::Note> list, std::size_t width);

}  // namespace tilebound::report
