#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "ingest/tables/delimited.h"
#include "ingest/tables/numbers.h"
#include "ingest/tables/time_column.h"

/// Where a table begins in a text, and how it is written.
namespace tilebound::ingest::tables {

/// The header row of a table and what the rows after it tell. Text before the header (program
/// output, comments) is passed over.
struct TableHead {
  char delimiter = ',';
  std::uint64_t lines_before = 0;  // the header row
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // the first ones, to guess from
  NumberFormat numbers;
  bool numbers_ambiguous = false;

  /// Index of the first column that `test` accepts.
  template <typename Test>
  std::optional<std::size_t> find(Test&& test) const {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (test(columns[i])) return i;
    }
    return std::nullopt;
  }
};

/// Finds the first row that `is_header` accepts; its second argument is the row after it, empty
/// at the end of the text. `head` is the front of the file; its last, possibly cut line is not
/// looked at unless it is the only one.
std::optional<TableHead> find_table(std::string_view head,
                                    bool (*is_header)(const Row& row, const Row& next));

/// find_table on as much of the front of `source` as tells the number format; consumes the lines
/// before the header and the header. Throws base::InputError when there is no such table.
TableHead read_head(base::ByteSource& source, bool (*is_header)(const Row& row, const Row& next),
                    std::string_view wanted);

/// Most columns or counters that a table may have; more is taken for a damaged file.
constexpr std::size_t kMostCounters = 16384;

/// Tells of number formats that are not certain.
void note_numbers(const TableHead& head, model::Capture& capture);

}  // namespace tilebound::ingest::tables
