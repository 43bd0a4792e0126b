#include "devices/table.h"

#include <charconv>
#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace tilebound::devices {

Table::Table(const EmbeddedFile& file) {
  std::size_t number = 0;
  bool in_source = false;
  for (const std::string_view line : base::split(file.bytes, '\n')) {
    ++number;
    if (line.empty()) continue;
    if (line.front() == '#') {
      const std::string_view comment = base::trim(line.substr(1));
      if (comment.starts_with("source:")) {
        source_ = base::trim(comment.substr(7));
        in_source = true;
      } else if (in_source) {
        source_ += ' ';
        source_ += comment;
      }
      continue;
    }
    std::vector<std::string_view> fields = base::split(line, '\t');
    if (columns_.empty()) {
      for (std::size_t i = 0; i < fields.size(); ++i) columns_.emplace(fields[i], i);
    } else if (fields.size() != columns_.size()) {
      throw base::InputError(fmt::format("{}: line {}: {} fields instead of {}", file.name, number,
                                         fields.size(), columns_.size()));
    } else {
      rows_.push_back(std::move(fields));
    }
  }
}

std::string_view Table::at(std::size_t row, std::string_view column) const {
  const auto found = columns_.find(column);
  return found == columns_.end() ? std::string_view() : rows_[row][found->second];
}

const EmbeddedFile& find_file(std::span<const EmbeddedFile> files, std::string_view name) {
  for (const EmbeddedFile& file : files) {
    if (file.name == name) return file;
  }
  throw base::InputError(fmt::format("built-in file {} is missing", name));
}

std::optional<std::uint32_t> parse_id(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace tilebound::devices
