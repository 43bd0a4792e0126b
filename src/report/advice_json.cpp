#include "report/advice_json.h"

#include <algorithm>
#include <set>
#include <string>

namespace tilebound::report {

namespace {

/// Of a segment; a long capture has very many.
constexpr std::size_t kTopUnits = 5;

}  // namespace

Json segments_json(const std::vector<analyze::Segment>& segments) {
  Json out = Json::array();
  for (const analyze::Segment& segment : segments) {
    const auto shown = std::min(kTopUnits, segment.units.size());
    const std::vector<analyze::UnitPercent> top(
        segment.units.begin(), segment.units.begin() + static_cast<std::ptrdiff_t>(shown));
    Json one = {{"begin_ns", segment.interval.begin.value},
                {"end_ns", segment.interval.end.value},
                {"work", analyze::work_name(segment.work)},
                {"gpu_active_ms", segment.active_ms},
                {"fragment_percent", or_null(segment.fragment_percent)},
                {"non_fragment_percent", or_null(segment.non_fragment_percent)},
                {"limiters", segment.limiters},
                {"top", units_percent_json(top)},
                {"max_gain", or_null(segment.max_gain)},
                {"frame_gain", or_null(segment.frame_gain)},
                {"confidence", segment.confidence},
                {"advice", segment.advice}};
    one["case"] = segment.kind ? Json(analyze::case_name(*segment.kind)) : Json(nullptr);
    out.push_back(std::move(one));
  }
  return out;
}

Json advice_json(const std::vector<analyze::Advice>& advice) {
  Json out = Json::array();
  for (const analyze::Advice& one : advice) {
    out.push_back({{"id", one.id},
                   {"text", one.text},
                   {"source", one.source},
                   {"where", one.where},
                   {"because", one.because},
                   {"against", one.against}});
  }
  return out;
}

Json advice_texts_json(const analyze::Analysis& a) {
  std::set<std::string> used;
  for (const auto& frame : a.segments) {
    for (const analyze::Segment& segment : frame) {
      used.insert(segment.advice.begin(), segment.advice.end());
    }
  }
  Json out = Json::array();
  for (const analyze::AdviceText& record : analyze::advice_catalogue()) {
    if (!used.contains(std::string(record.id))) continue;
    out.push_back({{"id", record.id}, {"text", record.text}, {"source", record.source}});
  }
  return out;
}

}  // namespace tilebound::report
