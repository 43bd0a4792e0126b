#include <fmt/format.h>

#include "report/report.h"

namespace tilebound::report {

namespace {

/// Quoted where RFC 4180 asks for it.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string number(std::optional<double> value) {
  return value ? fmt::format("{}", *value) : "";
}

}  // namespace

std::string analysis_csv(const model::Capture& capture, const analyze::Analysis& a) {
  std::string out =
      "row,id,name,unit,sol_percent,active_percent,total,average,per_second,per_frame\n";
  for (const analyze::UnitLoad& unit : a.units) {
    out += fmt::format("unit,{},{},%,{},{},,,,\n", unit.id, field(unit.label),
                       number(unit.sol_percent), number(unit.active_percent));
  }
  for (const analyze::CounterRate& rate : a.counters) {
    const model::Counter& counter = capture.counters[rate.index];
    out += fmt::format("counter,{},{},{},,,{},{},{},{}\n",
                       counter.id ? std::to_string(*counter.id) : "", field(counter.name),
                       field(counter.unit), number(rate.total), number(rate.average),
                       number(rate.per_second), number(rate.per_frame));
  }
  return out;
}

}  // namespace tilebound::report
