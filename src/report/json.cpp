#include "report/json.h"

#include <algorithm>

#include "report/sentences.h"

namespace tilebound::report {

const char* severity_name(model::Severity severity) {
  switch (severity) {
    case model::Severity::info:
      return "info";
    case model::Severity::warning:
      return "warning";
    case model::Severity::error:
      return "error";
  }
  return "";
}

const char* kind_name(model::CounterKind kind) {
  switch (kind) {
    case model::CounterKind::count:
      return "count";
    case model::CounterKind::rate:
      return "rate";
    case model::CounterKind::percent:
      return "percent";
    case model::CounterKind::level:
      return "level";
  }
  return "";
}

const char* provenance_name(model::Provenance p) {
  switch (p) {
    case model::Provenance::measured:
      return "measured";
    case model::Provenance::theoretical:
      return "theoretical";
    case model::Provenance::estimated:
      return "estimated";
  }
  return "";
}

const char* per_name(model::PeakPer per) {
  switch (per) {
    case model::PeakPer::gpu_cycle:
      return "gpu_cycle";
    case model::PeakPer::core_cycle:
      return "core_cycle";
    case model::PeakPer::second:
      return "second";
  }
  return "";
}

Json notes_json(const std::vector<model::Note>& notes) {
  Json out = Json::array();
  for (const model::Note& note : notes) {
    out.push_back({{"id", note.id},
                   {"severity", severity_name(note.severity)},
                   {"message", note.message},
                   {"count", note.count}});
  }
  return out;
}

Json findings_json(const std::vector<model::Finding>& findings) {
  Json out = Json::array();
  for (const model::Finding& f : findings) {
    out.push_back({{"id", f.id},
                   {"severity", severity_name(f.severity)},
                   {"title", f.title},
                   {"where", f.where},
                   {"evidence", f.evidence},
                   {"saving",
                    {{"bytes_per_frame", or_null(f.saving.bytes_per_frame)},
                     {"ms_per_frame", or_null(f.saving.ms_per_frame)},
                     {"bound", f.saving.bound.empty() ? Json(nullptr) : Json(f.saving.bound)}}},
                   {"advice", f.advice},
                   {"related", f.related}});
  }
  return out;
}

Json capture_json(const model::Capture& capture, const analyze::TrustReport& trust,
                  const std::vector<model::Note>& notes) {
  const analyze::Sampling axis = longest_axis(trust);
  const base::Interval span = capture.span();
  Json gpus = Json::array();
  for (const std::string& name : capture.gpu_names) gpus.push_back(name);
  Json system = Json::object();
  for (const auto& [key, value] : capture.system) system[key] = value;
  const auto named = std::find_if(capture.gpu_names.begin(), capture.gpu_names.end(),
                                  [](const std::string& name) { return !name.empty(); });
  return {{"file", capture.source},
          {"format", capture.format},
          {"gpu", named == capture.gpu_names.end() ? Json(nullptr) : Json(*named)},
          {"gpus", std::move(gpus)},
          {"system", std::move(system)},
          {"begin_ns", span.begin.value},
          {"duration_s", base::seconds(span.length())},
          {"sample_period_ms", axis.samples > 1 ? Json(axis.median_ns * 1e-6) : Json(nullptr)},
          {"counters", trust.sampled},
          {"samples", axis.samples},
          {"notes", notes_json(notes)}};
}

std::string dump(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilebound::report
