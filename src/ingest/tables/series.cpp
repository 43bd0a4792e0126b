#include "ingest/tables/series.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "ingest/tables/naming.h"
#include "ingest/tables/settle.h"

namespace tilebound::ingest::tables {

namespace {

constexpr double kUnavailable = std::numeric_limits<double>::quiet_NaN();

std::optional<std::size_t> time_column(const Row& row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (is_time_name(row[i])) return i;
  }
  return std::nullopt;
}

/// A column that becomes a counter.
struct Column {
  std::size_t field = 0;
  std::string name;
  std::string unit;
  base::Column values;
  std::uint64_t numbers = 0;
  std::uint64_t wrong = 0;
};

class SeriesReader {
 public:
  SeriesReader(base::ByteSource& source, const TableHead& head)
      : rows_(source, head.delimiter, head.lines_before + 1, head.columns.size()),
        head_(head),
        source_(source) {}

  model::Capture read(std::string_view format) {
    capture_.format = format;
    capture_.source = source_.name();
    choose_columns();
    style_ = time_style();
    if (!style_.assumption.empty()) {
      capture_.note("assumed_time_unit", model::Severity::info, style_.assumption);
    }
    note_numbers(head_, capture_);
    while (const Row* row = rows_.next()) {
      if (!add(*row)) break;
    }
    finish();
    return std::move(capture_);
  }

 private:
  void choose_columns() {
    time_ = head_.find(is_time_name).value_or(0);
    std::map<std::string, std::uint64_t> seen;
    for (std::size_t i = 0; i < head_.columns.size(); ++i) {
      const std::string& name = head_.columns[i];
      if (i == time_ || name.empty()) continue;
      const std::uint64_t count = ++seen[name];
      Column& column = columns_.emplace_back();
      column.field = i;
      column.name = name;
      column.unit = unit_in_name(name);
      if (count > 1) {
        capture_.note("duplicate_name", model::Severity::warning,
                      fmt::format("more than one column is called {}", quoted(name)));
      }
    }
  }

  TimeStyle time_style() const {
    std::vector<std::string_view> cells;
    CycleHint hint;
    for (const auto& row : head_.rows) {
      if (row.size() != head_.columns.size()) continue;
      cells.emplace_back(row[time_]);
      for (const Column& column : columns_) {
        const std::string low = base::lower(column.name);
        const bool active = low.find("gpu active") != std::string::npos ||
                            low.find("gpuactive") != std::string::npos ||
                            low.find("gpu_active") != std::string::npos ||
                            low.find("queue active") != std::string::npos ||
                            low.find("queueactive") != std::string::npos;
        if (!active || kind_of(column.name, column.unit) != model::CounterKind::count) continue;
        const Cell cell = parse_cell(row[column.field], head_.numbers);
        if (cell.state == CellState::number) hint.cycles = std::max(hint.cycles, cell.value);
      }
    }
    return guess_time_style(head_.columns[time_], cells, head_.numbers.decimal, hint);
  }

  /// False at the start of another table, which ends this one.
  bool add(const Row& row) {
    const auto time =
        row.size() > time_ ? parse_time(row[time_], style_) : std::optional<std::int64_t>();
    if (!time) return skip(row);
    std::size_t filled = row.size();
    while (filled > 0 && base::trim(row[filled - 1]).empty()) --filled;
    const std::size_t wanted = head_.columns.size();
    // A row of another width has its cells under the wrong names. One that merely lacks some at
    // its end can still be read, but not the last of a file that was cut.
    const bool last = !rows_.terminated();
    if (filled > wanted || row.size() < std::max<std::size_t>(2, wanted / 2) ||
        (row.size() < wanted && last)) {
      if (row.size() < wanted && last) {
        capture_.note(
            "truncated", model::Severity::warning,
            fmt::format("line {}: the file ends within a row; the row is left out", rows_.line()));
      } else {
        ragged(row.size());
        ++dropped_;
      }
      return true;
    }
    if (last) {
      capture_.note("unterminated", model::Severity::info,
                    fmt::format("line {}: the last line has no end; its last value may be cut",
                                rows_.line()));
    }
    if (row.size() < wanted) ragged(row.size());
    stamps_.push_back(*time);
    for (Column& column : columns_) {
      const Cell cell = column.field < row.size() ? parse_cell(row[column.field], head_.numbers)
                                                  : Cell{CellState::unavailable, 0};
      column.values.push_back(cell.state == CellState::number ? cell.value : kUnavailable);
      if (cell.state == CellState::number) ++column.numbers;
      if (cell.state == CellState::wrong) {
        ++column.wrong;
        complaints_.add(column.name, row[column.field], rows_.line(), column.field);
      }
    }
    return true;
  }

  bool skip(const Row& row) {
    const std::size_t wanted = head_.columns.size();
    if (stamps_.empty() && row.size() == wanted && take_units(row)) return true;
    const bool header = row.size() > 1 && time_column(row).has_value();
    const bool same =
        header && std::equal(row.begin(), row.end(), head_.columns.begin(), head_.columns.end(),
                             [](auto a, const auto& b) { return base::trim(a) == b; });
    if (header && !same) {
      capture_.note(
          "second_table", model::Severity::warning,
          fmt::format("line {}: another table begins here; it is not read", rows_.line()));
      return false;
    }
    if (skipped_++ == 0) {
      first_skipped_ = fmt::format("line {}: {} is no time", rows_.line(),
                                   quoted(row.size() > time_ ? row[time_] : row[0]));
    }
    return true;
  }

  /// A row of units below the header: no cell of it is a number, and the time has a time's unit.
  bool take_units(const Row& row) {
    std::string_view time = base::trim(row[time_]);
    if (!time.empty() && !time_unit_in_name(time)) return false;
    for (const std::string_view cell : row) {
      if (parse_cell(cell, head_.numbers).state == CellState::number) return false;
    }
    bool any = false;
    for (Column& column : columns_) {
      const std::string_view unit = base::trim(row[column.field]);
      if (unit.empty()) continue;
      any = true;
      if (column.unit.empty()) column.unit = unit;
    }
    if (const auto unit = time_unit_in_name(time); unit && !style_.clock) style_.unit_ns = *unit;
    return any;
  }

  void ragged(std::size_t cells) {
    if (ragged_++ == 0) {
      first_ragged_ = fmt::format("line {}: {} cells where the header has {}", rows_.line(), cells,
                                  head_.columns.size());
    }
  }

  void finish() {
    if (stamps_.empty()) {
      const std::string why = ragged_ > 0    ? first_ragged_
                              : skipped_ > 0 ? first_skipped_
                                             : "line 1: a header and no rows";
      throw base::InputError(fmt::format("{}: {}", source_.name(), why));
    }
    for (Column& column : columns_) {
      if (column.numbers == 0 && column.wrong > 0) {
        capture_.note("text_column", model::Severity::info,
                      fmt::format("column {} ({}) holds text, not numbers; it is left out",
                                  column.field + 1, quoted(column.name)));
        complaints_.forget(column.field);
        continue;
      }
      model::Counter& counter = capture_.counters.emplace_back();
      counter.name = column.name;
      counter.unit = column.unit;
      counter.kind = kind_of(column.name, column.unit);
      counter.axis = 0;
      counter.values = std::move(column.values);
    }
    capture_.axes.push_back({std::move(stamps_), {}, model::ValueDirection::backwards});
    complaints_.report(capture_);
    note("ragged_row", first_ragged_, ragged_,
         dropped_ == ragged_ ? "; such rows are left out" : "");
    note("skipped_row", first_skipped_, skipped_, "; such rows are left out");
    if (rows_.open_quotes() > 0) {
      capture_.note("open_quote", model::Severity::warning, "a quote that never ends",
                    rows_.open_quotes());
    }
    settle_axis(capture_, 0);
  }

  void note(std::string_view id, const std::string& first, std::uint64_t count,
            std::string_view consequence) {
    if (count == 0) return;
    capture_.note(id, model::Severity::warning, first + std::string(consequence), count);
  }

  DelimitedReader rows_;
  const TableHead& head_;
  const base::ByteSource& source_;
  model::Capture capture_;
  std::size_t time_ = 0;
  TimeStyle style_;
  std::vector<Column> columns_;
  std::vector<std::int64_t> stamps_;
  CellComplaints complaints_;
  std::uint64_t skipped_ = 0;
  std::uint64_t ragged_ = 0;
  std::uint64_t dropped_ = 0;  // of the ragged ones
  std::string first_skipped_;
  std::string first_ragged_;
};

}  // namespace

bool is_series_header(const Row& row, const Row& next) {
  const auto time = time_column(row);
  if (!time || row.size() < 2) return false;
  // A header has names: a row of numbers with one word in it is data.
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i != *time && base::parse_number(base::trim(row[i]))) return false;
  }
  if (next.empty()) return *time == 0;
  if (next.size() <= *time) return false;
  if (looks_like_time(next[*time]) || time_unit_in_name(next[*time])) return true;
  // A row of units may leave the time's out.
  return base::trim(next[*time]).empty() && std::none_of(next.begin(), next.end(), looks_like_time);
}

model::Capture read_series(base::ByteSource& source, const TableHead& head,
                           std::string_view format) {
  return SeriesReader(source, head).read(format);
}

}  // namespace tilebound::ingest::tables
