#include "ingest/tables/long.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "ingest/tables/header.h"
#include "ingest/tables/naming.h"
#include "ingest/tables/settle.h"

namespace tilebound::ingest {

namespace {

using namespace tables;

constexpr double kUnavailable = std::numeric_limits<double>::quiet_NaN();

using Names = std::span<const std::string_view>;
constexpr std::array<std::string_view, 3> kValueNames = {"value", "counter_value", "val"};
constexpr std::array<std::string_view, 6> kNameNames = {"counter_name", "counter", "track_name",
                                                        "metric",       "name",    "track"};
constexpr std::array<std::string_view, 2> kUnitNames = {"unit", "units"};
constexpr std::array<std::string_view, 3> kGpuNames = {"gpu_id", "gpu", "ugpu"};
constexpr std::array<std::string_view, 1> kIdNames = {"counter_id"};
constexpr std::array<std::string_view, 1> kTrackNames = {"track_id"};
constexpr std::array<std::string_view, 2> kDurationNames = {"dur", "duration"};
/// Columns that only a table of the trace processor has.
constexpr std::array<std::string_view, 4> kTraceProcessorNames = {"ts", "track_id", "arg_set_id",
                                                                  "counter_track_id"};

/// `name` without a unit in parentheses: "Value (raw)" is a value.
std::string plain(std::string_view name) {
  const std::size_t open = name.find_first_of("([");
  return base::lower(base::trim(name.substr(0, open == 0 ? std::string_view::npos : open)));
}

template <typename Cells>
std::optional<std::size_t> find_name(const Cells& cells, Names names) {
  for (const std::string_view name : names) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (plain(cells[i]) == name) return i;
    }
  }
  return std::nullopt;
}

bool is_long_header(const Row& row, const Row& next) {
  const auto value = find_name(row, kValueNames);
  const auto name = find_name(row, kNameNames);
  if (!value || !name || *value == *name) return false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (is_time_name(row[i])) return next.empty() || (i < next.size() && looks_like_time(next[i]));
  }
  return false;
}

struct Series {
  model::Counter counter;
  std::vector<std::int64_t> stamps;
  std::vector<std::int64_t> begins;
};

class LongReader {
 public:
  explicit LongReader(base::ByteSource& source)
      : source_(source),
        head_(read_head(source, is_long_header, "columns for time, name and value")),
        rows_(source, head_.delimiter, head_.lines_before + 1, head_.columns.size()) {}

  model::Capture read() {
    capture_.format = "csv-long";
    capture_.source = source_.name();
    time_ = head_.find(is_time_name).value_or(0);
    name_ = find_name(head_.columns, kNameNames).value_or(0);
    value_ = find_name(head_.columns, kValueNames).value_or(0);
    unit_ = find_name(head_.columns, kUnitNames);
    gpu_ = find_name(head_.columns, kGpuNames);
    id_ = find_name(head_.columns, kIdNames);
    track_ = find_name(head_.columns, kTrackNames);
    duration_ = find_name(head_.columns, kDurationNames);
    style_ = time_style();
    note_numbers(head_, capture_);
    while (const Row* row = rows_.next()) add(*row);
    return finish();
  }

 private:
  /// From the distances of the stamps of one counter, the one in the first row.
  TimeStyle time_style() {
    std::vector<std::string_view> cells;
    CycleHint hint;
    const std::string* first = nullptr;
    for (const auto& row : head_.rows) {
      if (row.size() <= std::max({time_, name_, value_})) continue;
      if (first == nullptr) first = &row[name_];
      if (row[name_] != *first) continue;
      cells.emplace_back(row[time_]);
    }
    // The trace processor's own column is in nanoseconds whatever the period.
    TimeStyle style = guess_time_style(head_.columns[time_], cells, head_.numbers.decimal, hint);
    if (!style.assumption.empty() && plain(head_.columns[time_]) == "ts" &&
        from_trace_processor() && integers(cells)) {
      style.unit_ns = 1;
      style.assumption.clear();
    }
    if (!style.assumption.empty()) {
      capture_.note("assumed_time_unit", model::Severity::info, style.assumption);
    }
    return style;
  }

  static bool integers(std::span<const std::string_view> cells) {
    return std::all_of(cells.begin(), cells.end(), [](std::string_view cell) {
      return cell.find_first_not_of("0123456789") == std::string_view::npos;
    });
  }

  bool from_trace_processor() const {
    return find_name(head_.columns, kTraceProcessorNames).has_value();
  }

  void add(const Row& row) {
    const std::size_t wanted = std::max({time_, name_, value_, duration_.value_or(0)}) + 1;
    const bool whole = rows_.terminated() || row.size() >= head_.columns.size();
    const auto time = row.size() >= wanted ? parse_time(row[time_], style_) : std::nullopt;
    if (!whole) {
      capture_.note(
          "truncated", model::Severity::warning,
          fmt::format("line {}: the file ends within a row; the row is left out", rows_.line()));
      return;
    }
    if (!rows_.terminated()) {
      capture_.note("unterminated", model::Severity::info,
                    fmt::format("line {}: the last line has no end; its last value may be cut",
                                rows_.line()));
    }
    if (!time) {
      if (skipped_++ == 0) {
        first_skipped_ =
            fmt::format("line {}: no time, name and value; such rows are left out", rows_.line());
      }
      return;
    }
    const std::int64_t begin = time.value_or(0);
    Series& series = series_of(row);
    const Cell cell = parse_cell(row[value_], head_.numbers);
    if (cell.state == CellState::wrong) {
      complaints_.add(series.counter.name, row[value_], rows_.line(), value_);
    }
    series.counter.values.push_back(cell.state == CellState::number ? cell.value : kUnavailable);
    if (duration_) {
      TimeStyle style = style_;
      if (const auto unit = time_unit_in_name(head_.columns[*duration_])) style.unit_ns = *unit;
      const auto length = parse_time(row[*duration_], style);
      // A length of -1 is the trace processor's "still open".
      const bool known = length && *length > 0 && begin <= kLatestNs - *length;
      series.begins.push_back(begin);
      series.stamps.push_back(known ? begin + *length : begin);
    } else {
      series.stamps.push_back(begin);
    }
  }

  std::string_view cell(const Row& row, std::optional<std::size_t> column) const {
    return column && *column < row.size() ? base::trim(row[*column]) : std::string_view{};
  }

  Series& series_of(const Row& row) {
    const std::string_view name = base::trim(row[name_]);
    key_.assign(name);
    for (const auto& part : {gpu_, id_, track_}) {
      key_ += '\x1f';
      key_ += cell(row, part);
    }
    const auto [at, added] = index_.try_emplace(key_, series_.size());
    if (!added) return series_[at->second];
    if (series_.size() == kMostCounters) {
      throw base::InputError(fmt::format("{}: line {}: more than {} counters", source_.name(),
                                         rows_.line(), kMostCounters));
    }
    model::Counter& counter = series_.emplace_back().counter;
    const auto id = parse_cell(cell(row, id_), {});
    if (id.state == CellState::number && id.value >= 0 && id.value <= 4294967295.0) {
      counter.id = static_cast<std::uint32_t>(id.value);
    }
    const auto gpu = parse_cell(cell(row, gpu_), {});
    if (gpu.state == CellState::number && gpu.value >= 0 && gpu.value < 64) {
      counter.gpu = static_cast<std::uint32_t>(gpu.value);
    }
    counter.named = !name.empty();
    counter.name = counter.named ? std::string(name)
                   : counter.id  ? fmt::format("counter {}", *counter.id)
                                 : "counter without a name";
    counter.unit = cell(row, unit_);
    if (counter.unit.empty()) counter.unit = unit_in_name(counter.name);
    counter.kind = kind_of(counter.name, counter.unit);
    return series_.back();
  }

  model::Capture finish() {
    if (series_.empty()) {
      throw base::InputError(fmt::format("{}: {}", source_.name(),
                                         skipped_ > 0 ? first_skipped_ : "a header and no rows"));
    }
    const bool forwards = !duration_ && from_trace_processor();
    const auto direction =
        forwards ? model::ValueDirection::forwards : model::ValueDirection::backwards;
    std::map<std::pair<std::size_t, std::int64_t>, std::vector<std::size_t>> candidates;
    for (Series& series : series_) {
      series.counter.axis = axis_of(series, direction, candidates);
      capture_.counters.push_back(std::move(series.counter));
    }
    for (std::size_t i = 0; i < capture_.axes.size(); ++i) settle_axis(capture_, i);
    complaints_.report(capture_);
    if (skipped_ > 0) {
      capture_.note("skipped_row", model::Severity::warning, first_skipped_, skipped_);
    }
    if (!duration_) {
      capture_.note("assumed_direction", model::Severity::info,
                    forwards ? "a trace processor table: a value is taken for the interval that "
                               "begins at its time"
                             : "a value is taken for the interval that ends at its time");
    }
    add_clocks(capture_);
    return std::move(capture_);
  }

  /// An axis with the series' stamps: one that is there, or a new one.
  std::size_t axis_of(
      Series& series, model::ValueDirection direction,
      std::map<std::pair<std::size_t, std::int64_t>, std::vector<std::size_t>>& candidates) {
    auto& same_size = candidates[{series.stamps.size(), series.stamps.front()}];
    for (const std::size_t i : same_size) {
      const model::TimeAxis& axis = capture_.axes[i];
      if (axis.stamps_ns == series.stamps && axis.begins_ns == series.begins) return i;
    }
    same_size.push_back(capture_.axes.size());
    capture_.axes.push_back({std::move(series.stamps), std::move(series.begins), direction});
    return capture_.axes.size() - 1;
  }

  base::ByteSource& source_;
  TableHead head_;
  DelimitedReader rows_;
  model::Capture capture_;
  std::size_t time_ = 0, name_ = 0, value_ = 0;
  std::optional<std::size_t> unit_, gpu_, id_, track_, duration_;
  TimeStyle style_;
  std::vector<Series> series_;
  std::map<std::string, std::size_t> index_;
  std::string key_;
  CellComplaints complaints_;
  std::uint64_t skipped_ = 0;
  std::string first_skipped_;
};

Fit sniff(std::string_view head) {
  if (!is_text(head)) return Fit::no;
  return find_table(head, is_long_header) ? Fit::yes : Fit::no;
}

model::Capture read(base::ByteSource& source) {
  return LongReader(source).read();
}

}  // namespace

Importer long_csv_importer() {
  return {"csv-long", "CSV table, a row a value", sniff, read};
}

}  // namespace tilebound::ingest
