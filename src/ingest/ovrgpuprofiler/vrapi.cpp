#include "ingest/ovrgpuprofiler/vrapi.h"

#include <algorithm>
#include <charconv>
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
#include "ingest/tables/settle.h"

namespace tilebound::ingest {

namespace {

using namespace ovrgpuprofiler;
using model::CounterKind;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr double kUnavailable = std::numeric_limits<double>::quiet_NaN();
/// VrApi writes about thirty; more says that the line is something else.
constexpr std::size_t kMostCounters = 256;

/// A number in the value of a key: the `part`-th between '/' of the `piece`-th between commas.
struct Field {
  std::string_view key;
  std::size_t piece = 0;
  std::size_t part = 0;
  std::string_view name;
  std::string_view unit;
  CounterKind kind = CounterKind::level;
  double scale = 1;
};

/// What the keys mean, from Meta's description of the VrApi log line. "GPU%" is a fraction of 1.
constexpr Field kFields[] = {
    {"FPS", 0, 0, "VrApi FPS", "frames/s"},
    {"FPS", 0, 1, "VrApi target FPS", "frames/s"},
    {"Prd", 0, 0, "VrApi prediction", "ms"},
    {"Tear", 0, 0, "VrApi screen tears", "", CounterKind::count},
    {"Early", 0, 0, "VrApi early frames", "frames", CounterKind::count},
    {"Stale", 0, 0, "VrApi stale frames", "frames", CounterKind::count},
    {"Stale2/5/10/max", 0, 3, "VrApi stale frames in a row", "frames"},
    {"VSnc", 0, 0, "VrApi swap interval", ""},
    {"Lat", 0, 0, "VrApi latency mode", ""},
    {"Fov", 0, 0, "VrApi foveation", ""},
    {"CPU/GPU", 0, 0, "VrApi CPU level", ""},
    {"CPU/GPU", 0, 1, "VrApi GPU level", ""},
    {"CPU/GPU", 1, 0, "VrApi CPU frequency", "Hz", CounterKind::level, 1e6},
    {"CPU/GPU", 1, 1, "VrApi GPU frequency", "Hz", CounterKind::level, 1e6},
    {"Mem", 0, 0, "VrApi memory frequency", "Hz", CounterKind::level, 1e6},
    {"Free", 0, 0, "VrApi free memory", "MB"},
    {"PLS", 0, 0, "VrApi power level state", ""},
    {"Temp", 0, 0, "VrApi temperature", "C"},
    {"TW", 0, 0, "VrApi TimeWarp GPU time", "ms"},
    {"App", 0, 0, "VrApi App GPU time", "ms"},
    {"GD", 0, 0, "VrApi guardian GPU time", "ms"},
    {"CPU&GPU", 0, 0, "VrApi CPU and GPU time", "ms"},
    {"LCnt", 0, 0, "VrApi layers", ""},
    {"GPU%", 0, 0, "VrApi GPU utilisation", "%", CounterKind::percent, 100},
    {"CPU%", 0, 0, "VrApi CPU utilisation", "%", CounterKind::percent, 100},
    {"DSF", 0, 0, "VrApi dynamic resolution scale", ""},
    {"CFL", 0, 0, "VrApi compositor latency, least", "ms"},
    {"CFL", 0, 1, "VrApi compositor latency, most", "ms"},
    {"SF", 0, 0, "VrApi scale factor", ""},
};

/// Keys whose values are no numbers: a mask of cores, states, scheduling classes.
constexpr std::string_view kNoNumbers[] = {"OC", "TA", "SP"};

/// The number at the front of `text`, whatever unit follows.
std::optional<double> leading_number(std::string_view text) {
  text = base::trim(text);
  const std::size_t end = text.find_first_not_of("0123456789.-");
  return base::parse_number(text.substr(0, end));
}

/// "CPU4/GPU" names the core in charge; the key is the same for all.
std::string key_of(std::string_view text) {
  text = base::trim(text);
  if (text.starts_with("CPU") && text.ends_with("/GPU")) return "CPU/GPU";
  return std::string(text);
}

/// The part of a logcat line after "VrApi   : " that begins the statistics; empty for other lines.
std::string_view statistics_of(std::string_view line) {
  const std::size_t tag = line.find(" VrApi");
  if (tag == std::string_view::npos) return {};
  const std::size_t start = line.find("FPS=", tag);
  return start == std::string_view::npos ? std::string_view{} : line.substr(start);
}

class LogcatReader {
 public:
  explicit LogcatReader(base::ByteSource& source) : source_(source) {}

  model::Capture read() {
    std::uint64_t number = 0;
    while (const auto text = source_.next_line()) {
      ++number;
      const std::string_view line = number == 1 ? tables::without_mark(*text) : *text;
      const std::string_view statistics = statistics_of(line);
      if (statistics.empty()) {
        if (!base::trim(line).empty()) ++other_;
        continue;
      }
      auto stamp = parse_logcat_time(line, kLogcatYear + years_);
      if (!stamp) {
        ++other_;
        continue;
      }
      // A stamp half a year back is of the next year.
      constexpr std::int64_t kHalfYear = std::int64_t{183} * 86400 * kSecond;
      if (!stamps_.empty() && *stamp < stamps_.back() - kHalfYear && years_ == 0) {
        ++years_;
        stamp = parse_logcat_time(line, kLogcatYear + years_);
        if (!stamp) continue;
      }
      stamps_.push_back(*stamp);
      add(statistics);
    }
    if (stamps_.empty()) {
      throw base::InputError(fmt::format("{}: no VrApi statistics in the log", source_.name()));
    }
    return finish();
  }

 private:
  void add(std::string_view statistics) {
    std::string key;
    std::size_t piece = 0;
    for (const std::string_view text : base::split(statistics, ',')) {
      const std::size_t equals = text.find('=');
      std::string_view value = text;
      if (equals != std::string_view::npos) {
        key = key_of(text.substr(0, equals));
        value = text.substr(equals + 1);
        piece = 0;
      } else {
        ++piece;
      }
      const auto parts = base::split(value, '/');
      bool known =
          std::find(std::begin(kNoNumbers), std::end(kNoNumbers), key) != std::end(kNoNumbers);
      for (const Field& field : kFields) {
        if (field.key != key) continue;
        known = true;
        if (field.piece != piece || field.part >= parts.size()) continue;
        if (const auto number = leading_number(parts[field.part])) set(field, *number);
      }
      if (known || piece > 0) continue;
      if (const auto number = leading_number(value)) {
        const std::string name = "VrApi " + base::printable(key.substr(0, 40));
        set({.key = key, .name = name, .unit = {}}, *number);
      }
    }
  }

  void set(const Field& field, double value) {
    const auto [at, added] = index_.try_emplace(std::string(field.name), counters_.size());
    if (added) {
      if (counters_.size() == kMostCounters) {
        index_.erase(at);
        return;
      }
      model::Counter& counter = counters_.emplace_back();
      counter.name = field.name;
      counter.unit = field.unit;
      counter.kind = field.kind;
      counter.axis = 0;
    }
    base::Column& values = counters_[at->second].values;
    if (values.size() == stamps_.size()) return;
    while (values.size() + 1 < stamps_.size()) values.push_back(kUnavailable);
    values.push_back(value * field.scale);
  }

  model::Capture finish() {
    model::Capture capture;
    capture.format = "vrapi-logcat";
    capture.source = source_.name();
    capture.system["gpu_vendor"] = "qualcomm";
    for (model::Counter& counter : counters_) {
      while (counter.values.size() < stamps_.size()) counter.values.push_back(kUnavailable);
    }
    capture.counters = std::move(counters_);
    capture.axes.push_back({std::move(stamps_), {}, model::ValueDirection::backwards});
    if (other_ > 0) capture.other_content["log lines without statistics"] = other_;
    capture.note(
        "no_year", model::Severity::info,
        "logcat stamps have no year and no time zone; joined to another log they take its");
    tables::settle_axis(capture, 0);
    tables::cover_period(capture, 0, kSecond);
    tables::add_clocks(capture);
    return capture;
  }

  base::ByteSource& source_;
  std::vector<std::int64_t> stamps_;
  std::vector<model::Counter> counters_;
  std::map<std::string, std::size_t> index_;
  std::uint64_t other_ = 0;
  int years_ = 0;
};

Fit sniff(std::string_view head) {
  for (const std::string_view line : base::split(head, '\n')) {
    if (!statistics_of(line).empty() &&
        parse_logcat_time(tables::without_mark(line), kLogcatYear)) {
      return Fit::yes;
    }
  }
  return Fit::no;
}

model::Capture read(base::ByteSource& source) {
  return LogcatReader(source).read();
}

void shift(model::Capture& capture, std::int64_t by) {
  for (model::TimeAxis& axis : capture.axes) {
    for (std::int64_t& t : axis.stamps_ns) t += by;
    for (std::int64_t& t : axis.begins_ns) t += by;
  }
  for (model::ClockEvent& event : capture.clock) event.time_ns += by;
}

std::string show(base::Interval span) {
  return fmt::format("{} to {}", show_time(span.begin.value), show_time(span.end.value));
}

}  // namespace

void move_to_year(model::Capture& log, const model::Capture& capture) {
  const base::Interval wanted = capture.span();
  const base::Interval had = log.span();
  const int year = year_of(wanted.begin.value);
  std::optional<base::Interval> nearest;
  for (const int candidate : {year, year - 1, year + 1}) {
    // The calendar day of the log's begin, in that year.
    const auto moved = same_day(had.begin.value, candidate);
    if (!moved) continue;
    const std::int64_t by = *moved - had.begin.value;
    const base::Interval there = {{had.begin.value + by}, {had.end.value + by}};
    if (!nearest) nearest = there;
    if (base::overlap(there, wanted).empty()) continue;
    shift(log, by);
    return;
  }
  throw base::InputError(fmt::format(
      "{}: covers {}, but {} covers {}; logs of different runs or time zones cannot be joined",
      log.source, show(nearest.value_or(had)), capture.source, show(wanted)));
}

Importer vrapi_importer() {
  return {"vrapi-logcat", "logcat with VrApi statistics", sniff, read};
}

}  // namespace tilebound::ingest
