#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "devices/embedded.h"

/// Our own tab-separated data files: "# ..." comments, a header line, a row a line.
namespace tilebound::devices {

class Table {
 public:
  /// Throws base::InputError naming file and line where a row has other than the header's fields.
  explicit Table(const EmbeddedFile& file);

  std::size_t size() const { return rows_.size(); }

  /// A field; empty where the table has no such column.
  std::string_view at(std::size_t row, std::string_view column) const;

  /// What the comment line "# source: ..." says, with the comment lines that follow it.
  const std::string& source() const { return source_; }

 private:
  std::map<std::string_view, std::size_t> columns_;
  std::vector<std::vector<std::string_view>> rows_;
  std::string source_;
};

/// The built-in file of that name. Throws base::InputError where there is none.
const EmbeddedFile& find_file(std::span<const EmbeddedFile> files, std::string_view name);

/// A whole number; nothing for other text, such as an empty field.
std::optional<std::uint32_t> parse_id(std::string_view text);

}  // namespace tilebound::devices
