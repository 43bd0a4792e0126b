#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/csv.h"
#include "report/report.h"

namespace tilebound::report {

std::string frames_csv(const analyze::Analysis& a) {
  std::string out =
      "index,begin_ns,end_ns,time_ms,gpu_active_ms,idle_percent,clock_percent,clock_min_hz,"
      "clock_max_hz,full_clock_ms,limiters";
  for (const analyze::UnitLoad& unit : a.units) out += ',' + csv_text(unit.id + "_percent");
  out += '\n';
  for (std::size_t i = 0; i < a.frames.list.size(); ++i) {
    const analyze::Frame& frame = a.frames.list[i];
    out += fmt::format("{},{},{},", i + 1, frame.begin.value, frame.end.value);
    if (i == 0 || i - 1 >= a.frame_results.size()) {
      // No window: the idle time before the first frame is not in the capture.
      out += ",,,,,,," + std::string(a.units.size(), ',') + '\n';
      continue;
    }
    const analyze::FrameResult& r = a.frame_results[i - 1];
    const auto hz = [&](double analyze::ClockSummary::*member) {
      return r.clock ? csv_number(*r.clock.*member) : std::string();
    };
    out += fmt::format("{},{},{},{},{},{},{},{}", csv_number(r.time_ms()),
                       csv_number(r.gpu_active_ms), csv_number(r.idle_percent),
                       csv_number(r.clock_percent), hz(&analyze::ClockSummary::min_hz),
                       hz(&analyze::ClockSummary::max_hz), csv_number(r.full_clock_ms),
                       csv_text(fmt::format("{}", fmt::join(r.limiters, ";"))));
    for (const analyze::UnitLoad& unit : a.units) {
      std::optional<double> percent;
      for (const analyze::UnitPercent& u : r.units) {
        if (u.id == unit.id) percent = u.percent;
      }
      out += ',' + csv_number(percent);
    }
    out += '\n';
  }
  return out;
}

}  // namespace tilebound::report
