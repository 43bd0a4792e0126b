#include "ingest/tables/header.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace tilebound::ingest::tables {

namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 20;
constexpr std::size_t kKeptRows = 128;
constexpr std::uint64_t kMostLinesBefore = 1000;

/// The lines of a text, with the rest that has no line end last.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  std::optional<std::string_view> next() {
    if (text_.empty()) return std::nullopt;
    const std::size_t end = text_.find('\n');
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  /// The line after the next one is the last.
  bool cut() const { return text_.find('\n') == std::string_view::npos; }
  std::optional<std::string_view> peek_filled() const {
    Lines ahead = *this;
    while (auto line = ahead.next()) {
      if (!base::trim(*line).empty()) return line;
    }
    return std::nullopt;
  }

 private:
  std::string_view text_;
};

void look_at_rows(Lines lines, TableHead& head) {
  Row row;
  std::deque<std::string> scratch;
  NumberEvidence evidence;
  while (!lines.cut() || head.rows.empty()) {
    const auto line = lines.next();
    if (!line) break;
    split_cells(*line, head.delimiter, row, scratch);
    if (row.size() < 2) continue;
    for (const std::string_view cell : row) evidence.add(cell);
    if (head.rows.size() < kKeptRows) head.rows.emplace_back(row.begin(), row.end());
  }
  head.numbers = evidence.decide(head.delimiter);
  head.numbers_ambiguous = evidence.ambiguous(head.delimiter);
}

}  // namespace

std::optional<TableHead> find_table(std::string_view text,
                                    bool (*is_header)(const Row& row, const Row& next)) {
  Lines lines(without_mark(text));
  Row row, next_row;
  std::deque<std::string> scratch, next_scratch;
  for (std::uint64_t before = 0; before < kMostLinesBefore; ++before) {
    const auto line = lines.next();
    if (!line) break;
    const auto delimiter = find_delimiter(*line);
    if (!delimiter) continue;
    split_cells(*line, *delimiter, row, scratch);
    if (row.size() > kMostCounters) continue;
    next_row.clear();
    if (const auto after = lines.peek_filled()) {
      split_cells(*after, *delimiter, next_row, next_scratch);
    }
    if (!is_header(row, next_row)) continue;
    TableHead head;
    head.delimiter = *delimiter;
    head.lines_before = before;
    for (const std::string_view name : row) head.columns.emplace_back(base::trim(name));
    look_at_rows(lines, head);
    return head;
  }
  return std::nullopt;
}

TableHead read_head(base::ByteSource& source, bool (*is_header)(const Row& row, const Row& next),
                    std::string_view wanted) {
  const std::string_view text = source.peek(kHeadBytes);
  refuse_wide_text(text, source.name());
  auto head = find_table(text, is_header);
  if (!head) {
    throw base::InputError(fmt::format("{}: line 1: no header row with {}", source.name(), wanted));
  }
  for (std::uint64_t i = 0; i <= head->lines_before; ++i) source.next_line();
  return std::move(*head);
}

void note_numbers(const TableHead& head, model::Capture& capture) {
  if (head.numbers_ambiguous) {
    capture.note("ambiguous_numbers", model::Severity::warning,
                 fmt::format("the file does not tell whether 1{}234 is a thousand or a fraction; "
                             "the {} is taken for the decimal sign",
                             head.numbers.decimal == ',' ? ','
                             : head.numbers.group        ? head.numbers.group
                                                         : '.',
                             head.numbers.decimal == ',' ? "comma" : "point"));
  } else if (head.numbers.decimal == ',') {
    capture.note("decimal_comma", model::Severity::info,
                 head.numbers.group == '.' ? "numbers are written 1.234,5"
                                           : "numbers are written with decimal commas");
  }
}

}  // namespace tilebound::ingest::tables
