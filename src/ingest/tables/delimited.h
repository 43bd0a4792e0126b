#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "ingest/tables/numbers.h"
#include "model/capture.h"

/// Comma-, semicolon- and tab-separated text: rows, dialect, and what is wrong with them.
namespace tilebound::ingest::tables {

/// One record, cells without their quotes. The views hold until the next record is read.
using Row = std::vector<std::string_view>;

/// Cuts a line into cells; `scratch` keeps the cells whose doubled quotes were undone. `closed` is
/// false when a quote is still open at the end, or is followed by more than a delimiter.
void split_cells(std::string_view line, char delimiter, Row& row, std::deque<std::string>& scratch,
                 bool* closed = nullptr);

/// The separator that cuts `line` into most cells, outside quotes: ',' ';' or tab; nothing where
/// there is none.
std::optional<char> find_delimiter(std::string_view line);

/// `head` without a UTF-8 byte order mark.
std::string_view without_mark(std::string_view head);

/// Whether `head` looks like text in a one-byte encoding or UTF-8: hardly a NUL among its bytes.
bool is_text(std::string_view head);

/// Throws base::InputError when `head` is UTF-16 or UTF-32 text, which is not read.
void refuse_wide_text(std::string_view head, const std::string& source);

/// Records of a delimited text, one at a time. A quoted cell may hold line ends.
class DelimitedReader {
 public:
  /// `lines_read` lines of the input have been consumed already. A record over several lines must
  /// have `width` cells (0: any number); otherwise its quote is a stray one.
  DelimitedReader(base::ByteSource& source, char delimiter, std::uint64_t lines_read = 0,
                  std::size_t width = 0)
      : source_(source), delimiter_(delimiter), width_(width), line_(lines_read) {}

  /// The next record that is not blank, or nullptr at the end.
  const Row* next();

  /// Line of the input, from 1, on which the last record began.
  std::uint64_t line() const { return record_line_; }

  /// Whether the last record had a line end. One without may have been cut short.
  bool terminated() const { return terminated_; }

  /// How often a quote was opened and never closed; such a line is taken as it stands.
  std::uint64_t open_quotes() const { return open_quotes_; }

 private:
  std::optional<std::string_view> source_line();
  std::optional<std::string> pending_line();

  base::ByteSource& source_;
  char delimiter_;
  std::size_t width_;
  Row row_;
  std::deque<std::string> scratch_;
  std::string joined_;
  std::deque<std::string> pending_;  // lines read ahead for a quote that never closed
  std::uint64_t line_;
  std::uint64_t record_line_ = 0;
  std::uint64_t open_quotes_ = 0;
  bool terminated_ = true;
};

/// Counts wrong cells by column, and tells of each column once, with the place of its first.
class CellComplaints {
 public:
  void add(std::string_view column, std::string_view cell, std::uint64_t line, std::size_t field);

  /// Forgets a column that turned out to hold no numbers at all.
  void forget(std::size_t field) { complaints_.erase(field); }

  /// Adds a note "bad_cell" for each column. What is wrong was taken for unavailable.
  void report(model::Capture& capture) const;

 private:
  struct Complaint {
    std::string column;
    std::string first;
    std::uint64_t line = 0;
    std::uint64_t count = 0;
  };
  std::map<std::size_t, Complaint> complaints_;  // by column
};

/// Text for a message: printable, and cut at 60 bytes.
std::string quoted(std::string_view text);

}  // namespace tilebound::ingest::tables
