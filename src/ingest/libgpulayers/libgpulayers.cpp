#include "ingest/libgpulayers/libgpulayers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "ingest/tables/header.h"
#include "ingest/tables/naming.h"

namespace tilebound::ingest {

namespace {

using namespace tables;

constexpr double kUnavailable = std::numeric_limits<double>::quiet_NaN();
/// Length of a row without any count of cycles.
constexpr std::int64_t kNominalNs = 1000;
/// Cycles of one workload beyond this are a fault, and would overflow the times.
constexpr double kMostCycles = 1e13;

bool is(std::string_view cell, std::string_view name) {
  return base::lower(base::trim(cell)) == name;
}

bool is_workload_header(const Row& row) {
  return row.size() >= 3 && is(row[0], "index") && base::lower(row[1]).starts_with("workload");
}
bool is_frame_header(const Row& row) {
  return row.size() >= 2 && is(row[0], "frame id");
}
bool is_profile_header(const Row& row, const Row&) {
  return is_workload_header(row) || is_frame_header(row);
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

class ProfileReader {
 public:
  explicit ProfileReader(base::ByteSource& source)
      : source_(source),
        head_(read_head(source, is_profile_header, "Workload type or Frame ID")),
        rows_(source, head_.delimiter, head_.lines_before + 1, head_.columns.size()) {}

  model::Capture read() {
    capture_.format = "libgpulayers-csv";
    capture_.source = source_.name();
    capture_.system["gpu_vendor"] = "arm";
    choose_columns();
    while (const Row* row = rows_.next()) add(*row);
    return finish();
  }

 private:
  void choose_columns() {
    workloads_ = is(head_.columns[0], "index");
    std::vector<std::size_t> queues;
    std::optional<std::size_t> active;
    for (std::size_t i = workloads_ ? 2 : 0; i < head_.columns.size(); ++i) {
      const std::string& name = head_.columns[i];
      const std::string low = base::lower(name);
      if (name.empty()) continue;
      if (workloads_ && (low == "label" || low == "labels")) {
        label_ = i;
        continue;
      }
      const auto unit = time_unit_in_name(name);
      if (unit && (contains(low, "duration") || contains(low, "time"))) {
        duration_ = i;
        duration_ns_ = static_cast<double>(*unit);
      }
      if (low.starts_with("gpu active")) active = i;
      if (contains(low, "queue active")) queues.push_back(i);
      fields_.push_back(i);
      model::Counter& counter = capture_.counters.emplace_back();
      counter.name = name;
      counter.unit = unit_in_name(name);
      counter.kind = low == "frame id" ? model::CounterKind::level : kind_of(name, counter.unit);
      counter.axis = 0;
    }
    // Workloads do not overlap, and a render pass is shaded after it was binned: the queues' cycles
    // add up. The layer's authors call GPU active cycles unreliable, so they come second.
    cycles_ = queues;
    if (cycles_.empty() && active) cycles_.push_back(*active);
  }

  void add(const Row& row) {
    if (is_profile_header(row, row)) return;  // files of several frames, one after the other
    const bool short_row = row.size() < head_.columns.size();
    if (short_row && !rows_.terminated()) {
      capture_.note(
          "truncated", model::Severity::warning,
          fmt::format("line {}: the file ends within a row; the row is left out", rows_.line()));
      return;
    }
    if (row.size() != head_.columns.size()) {
      capture_.note("ragged_row", model::Severity::warning,
                    "rows with another number of cells than the header are left out");
      return;
    }
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const Cell cell = parse_cell(row[fields_[i]], head_.numbers);
      model::Counter& counter = capture_.counters[i];
      counter.values.push_back(cell.state == CellState::number ? cell.value : kUnavailable);
      if (cell.state == CellState::wrong) {
        complaints_.add(counter.name, row[fields_[i]], rows_.line(), fields_[i]);
      }
    }
    const std::int64_t length = length_of(row);
    axis_.begins_ns.push_back(now_);
    axis_.stamps_ns.push_back(now_ + length);
    if (workloads_) {
      model::RenderStage& stage = capture_.render_stages.emplace_back();
      stage.begin_ns = now_;
      stage.duration_ns = length;
      stage.stage = base::trim(row[1]);
      if (label_) stage.label = base::trim(row[*label_]);
    }
    now_ += length;
  }

  std::int64_t length_of(const Row& row) {
    double ns = 0;
    if (duration_) {
      const Cell cell = parse_cell(row[*duration_], head_.numbers);
      if (cell.state == CellState::number) ns = cell.value * duration_ns_;
    } else {
      for (const std::size_t field : cycles_) {
        const Cell cell = parse_cell(row[field], head_.numbers);
        if (cell.state == CellState::number) ns += cell.value;
      }
    }
    if (duration_ || !cycles_.empty()) {
      if (ns >= 0 && ns <= kMostCycles) return std::llround(ns);
      ++unlikely_;
    }
    return kNominalNs;
  }

  model::Capture finish() {
    if (axis_.size() == 0) {
      throw base::InputError(fmt::format("{}: a header and no rows", source_.name()));
    }
    capture_.axes.push_back(std::move(axis_));
    capture_.system["time_base"] = duration_ ? "serialised" : "gpu-cycles";
    complaints_.report(capture_);
    note_numbers(head_, capture_);
    if (unlikely_ > 0) {
      capture_.note("unlikely_length", model::Severity::warning,
                    "rows whose length cannot be true take a nominal one", unlikely_);
    }
    std::string message =
        "workloads ran one at a time: percentages of active time are too low, "
        "and times are not those of a frame";
    if (!duration_) {
      message += cycles_.empty() ? "; the table has no cycles either, so each row takes 1 us"
                                 : "; active cycles stand for nanoseconds";
    }
    capture_.note("serialised_workloads", model::Severity::warning, message);
    return std::move(capture_);
  }

  base::ByteSource& source_;
  TableHead head_;
  DelimitedReader rows_;
  model::Capture capture_;
  model::TimeAxis axis_;
  bool workloads_ = false;
  std::optional<std::size_t> label_, duration_;
  double duration_ns_ = 1;
  std::vector<std::size_t> fields_;  // of each counter
  std::vector<std::size_t> cycles_;  // columns that make up a row's length
  CellComplaints complaints_;
  std::int64_t now_ = 0;
  std::uint64_t unlikely_ = 0;
};

Fit sniff(std::string_view head) {
  if (!is_text(head)) return Fit::no;
  return find_table(head, is_profile_header) ? Fit::yes : Fit::no;
}

model::Capture read(base::ByteSource& source) {
  return ProfileReader(source).read();
}

}  // namespace

Importer libgpulayers_importer() {
  return {"libgpulayers-csv", "libGPULayers profile CSV", sniff, read};
}

}  // namespace tilebound::ingest
