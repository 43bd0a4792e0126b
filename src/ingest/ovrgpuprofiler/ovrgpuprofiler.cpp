#include "ingest/ovrgpuprofiler/ovrgpuprofiler.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "ingest/ovrgpuprofiler/wall_clock.h"
#include "ingest/tables/delimited.h"
#include "ingest/tables/header.h"
#include "ingest/tables/naming.h"
#include "ingest/tables/settle.h"

namespace tilebound::ingest {

namespace {

using namespace ovrgpuprofiler;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr double kUnavailable = std::numeric_limits<double>::quiet_NaN();

/// A line taken apart; `name` is empty for the line that ends a block.
struct Line {
  std::int64_t stamp = 0;
  std::string_view name;
  std::string_view value;
};

std::optional<Line> parse_line(std::string_view text) {
  const std::size_t dash = text.find(" - ");
  const std::string_view stamp = dash == std::string_view::npos && base::trim(text).ends_with(" -")
                                     ? base::trim(text).substr(0, base::trim(text).size() - 2)
                                     : text.substr(0, dash);
  const auto time = parse_date_time(stamp);
  if (!time) return std::nullopt;
  Line line{.stamp = *time, .name = {}, .value = {}};
  if (dash == std::string_view::npos) return line;
  const std::string_view rest = text.substr(dash + 3);
  const std::size_t colon = rest.rfind(" :");
  if (colon == std::string_view::npos) {
    if (!base::trim(rest).empty()) return std::nullopt;
    return line;
  }
  line.name = base::trim(rest.substr(0, colon));
  line.value = base::trim(rest.substr(colon + 2));
  return line;
}

/// Samples by block. A block ends at the line without a metric, at another stamp, or where a
/// metric comes again.
class LogReader {
 public:
  explicit LogReader(base::ByteSource& source) : source_(source) {}

  model::Capture read() {
    std::uint64_t number = 0;
    while (const auto text = source_.next_line()) {
      ++number;
      const std::string_view line = number == 1 ? tables::without_mark(*text) : *text;
      if (base::trim(line).empty()) continue;
      const auto parsed = parse_line(line);
      if (parsed) {
        add(*parsed, number);
      } else if (strange_++ == 0) {
        first_strange_ = fmt::format("line {}: {} is no metric line; such lines are left out",
                                     number, tables::quoted(line));
      }
    }
    if (stamps_.empty()) {
      throw base::InputError(fmt::format("{}: no metric in the log", source_.name()));
    }
    if (stamps_.size() * columns_.size() > number * 64 + 1'000'000) {
      throw base::InputError(fmt::format("{}: {} metrics at {} times in only {} lines",
                                         source_.name(), columns_.size(), stamps_.size(), number));
    }
    return finish();
  }

 private:
  void add(const Line& line, std::uint64_t number) {
    if (line.name.empty()) {
      open_ = false;
      return;
    }
    const auto [at, added] = index_.try_emplace(std::string(line.name), columns_.size());
    if (added) {
      if (columns_.size() == tables::kMostCounters) {
        throw base::InputError(fmt::format("{}: line {}: more than {} metrics", source_.name(),
                                           number, tables::kMostCounters));
      }
      columns_.emplace_back().name = line.name;
    }
    Metric& metric = columns_[at->second];
    if (!open_ || stamps_.back() != line.stamp || metric.values.size() == stamps_.size()) {
      stamps_.push_back(line.stamp);
      open_ = true;
      if (stamps_.size() > 1) last_size_ = block_size_;
      block_size_ = 0;
    }
    ++block_size_;
    while (metric.values.size() + 1 < stamps_.size()) metric.values.push_back(kUnavailable);
    const tables::Cell cell = tables::parse_cell(line.value, {});
    metric.values.push_back(cell.state == tables::CellState::number ? cell.value : kUnavailable);
    if (cell.state == tables::CellState::wrong) {
      complaints_.add(metric.name, line.value, number, at->second);
    }
  }

  model::Capture finish() {
    model::Capture capture;
    capture.format = "ovrgpuprofiler";
    capture.source = source_.name();
    capture.system["gpu_vendor"] = "qualcomm";
    capture.axes.push_back({stamps_, {}, model::ValueDirection::backwards});
    for (Metric& metric : columns_) {
      model::Counter& counter = capture.counters.emplace_back();
      counter.name = metric.name;
      counter.unit = tables::unit_in_name(metric.name);
      if (tables::is_gpu_clock(metric.name) && counter.unit.empty()) counter.unit = "Hz";
      counter.kind = tables::kind_of(metric.name, counter.unit);
      counter.axis = 0;
      while (metric.values.size() < stamps_.size()) metric.values.push_back(kUnavailable);
      counter.values = std::move(metric.values);
    }
    complaints_.report(capture);
    if (strange_ > 0) {
      capture.note("skipped_line", model::Severity::warning, first_strange_, strange_);
    }
    if (open_ && block_size_ < last_size_) {
      capture.note("truncated", model::Severity::warning,
                   fmt::format("the last block has {} of {} metrics", block_size_, last_size_));
    }
    capture.note("wall_clock", model::Severity::info,
                 "times are the device's wall clock in whole seconds, taken for UTC");
    tables::settle_axis(capture, 0);
    tables::cover_period(capture, 0, kSecond);
    tables::add_clocks(capture);
    return capture;
  }

  struct Metric {
    std::string name;
    base::Column values;
  };
  base::ByteSource& source_;
  std::vector<Metric> columns_;
  std::map<std::string, std::size_t> index_;
  std::vector<std::int64_t> stamps_;
  tables::CellComplaints complaints_;
  bool open_ = false;
  std::size_t block_size_ = 0;
  std::size_t last_size_ = 0;
  std::uint64_t strange_ = 0;
  std::string first_strange_;
};

Fit sniff(std::string_view head) {
  std::string_view text = tables::without_mark(head);
  // adb may print a few lines of its own first.
  for (int i = 0; i < 50 && !text.empty(); ++i) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto line = parse_line(text.substr(0, end));
    if (line && !line->name.empty()) return Fit::yes;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return Fit::no;
}

model::Capture read(base::ByteSource& source) {
  return LogReader(source).read();
}

}  // namespace

Importer ovrgpuprofiler_importer() {
  return {"ovrgpuprofiler", "ovrgpuprofiler log", sniff, read};
}

}  // namespace tilebound::ingest
