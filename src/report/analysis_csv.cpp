#include <fmt/format.h>

#include "report/csv.h"
#include "report/report.h"

namespace tilebound::report {

std::string analysis_csv(const model::Capture& capture, const analyze::Analysis& a) {
  std::string out =
      "row,id,name,unit,sol_percent,active_percent,total,average,per_second,per_frame\n";
  for (const analyze::UnitLoad& unit : a.units) {
    out += fmt::format("unit,{},{},%,{},{},,,,\n", unit.id, csv_text(unit.label),
                       csv_number(unit.sol_percent), csv_number(unit.active_percent));
  }
  for (const analyze::CounterRate& rate : a.counters) {
    const model::Counter& counter = capture.counters[rate.index];
    out += fmt::format("counter,{},{},{},,,{},{},{},{}\n",
                       counter.id ? std::to_string(*counter.id) : "", csv_text(counter.name),
                       csv_text(counter.unit), csv_number(rate.total), csv_number(rate.average),
                       csv_number(rate.per_second), csv_number(rate.per_frame));
  }
  return out;
}

}  // namespace tilebound::report
