#include "base/statistics.h"
#include "report/advice_json.h"
#include "report/align.h"
#include "report/json.h"
#include "report/report.h"
#include "report/sentences.h"

namespace tilebound::report {

namespace {

using analyze::Analysis;

const char* choice_name(analyze::DeviceChoice choice) {
  switch (choice) {
    case analyze::DeviceChoice::asked:
      return "asked";
    case analyze::DeviceChoice::forced:
      return "forced";
    case analyze::DeviceChoice::matched:
      return "matched";
    case analyze::DeviceChoice::generic:
      return "generic";
  }
  return "";
}

/// How the device's peaks were found: the provenance that all of them share, or "mixed".
Json peaks_of(const model::Device& device) {
  std::optional<model::Provenance> common;
  for (const model::Unit& unit : device.units) {
    for (const model::UnitPath& path : unit.paths) {
      if (!path.peak) continue;
      if (common && *common != path.peak->provenance) return "mixed";
      common = path.peak->provenance;
    }
  }
  return common ? Json(provenance_name(*common)) : Json(nullptr);
}

Json path_json(const analyze::PathLoad& path) {
  Json out = {{"id", path.id},
              {"label", path.label},
              {"sol_percent", or_null(path.sol_percent)},
              {"active_percent", or_null(path.active_percent)},
              {"work", or_null(path.work)},
              {"work_unit", path.work_unit},
              {"basis", path.basis == analyze::Basis::gpu ? "gpu" : "core"},
              {"work_per_cycle", or_null(path.per_cycle)},
              {"work_per_second", or_null(path.per_second)}};
  out["peak"] = path.peak ? Json(path.peak->value) : Json(nullptr);
  out["peak_per"] = path.peak ? Json(per_name(path.peak->per)) : Json(nullptr);
  out["missing"] = path.missing;
  return out;
}

Json unit_json(const analyze::UnitLoad& unit, bool forced) {
  const analyze::PathLoad* path = unit.busiest         ? &unit.paths[*unit.busiest]
                                  : unit.paths.empty() ? nullptr
                                                       : &unit.paths.front();
  const auto& peak = path != nullptr ? path->peak : std::optional<model::Peak>();
  const bool per_cycle = peak && peak->per != model::PeakPer::second;
  Json out = {{"id", unit.id},
              {"label", unit.label},
              {"sol_percent", or_null(unit.sol_percent)},
              {"active_percent", or_null(unit.active_percent)},
              {"peak_per_cycle", per_cycle ? Json(peak->value) : Json(nullptr)},
              {"peak_source",
               peak ? Json(std::string(provenance_name(peak->provenance)) + ": " + peak->source)
                    : Json(nullptr)},
              {"forced_device", forced},
              {"work_per_cycle", path != nullptr ? or_null(path->per_cycle) : Json(nullptr)},
              {"work_per_second", path != nullptr ? or_null(path->per_second) : Json(nullptr)},
              {"work_unit", path != nullptr ? Json(path->work_unit) : Json(nullptr)}};
  out["paths"] = Json::array();
  for (const analyze::PathLoad& p : unit.paths) out["paths"].push_back(path_json(p));
  return out;
}

Json verdict_json(const Analysis& a) {
  const analyze::Verdict& v = a.verdict;
  Json pairs = Json::array();
  for (const auto& [first, second] : v.interface_limited) pairs.push_back({first, second});
  Json causes = Json::array();
  for (const analyze::Cause& cause : a.low_top_causes) {
    const char* answer = cause.answer == analyze::Answer::yes  ? "yes"
                         : cause.answer == analyze::Answer::no ? "no"
                                                               : "cannot_tell";
    causes.push_back({{"id", cause.id},
                      {"title", cause.title},
                      {"answer", answer},
                      {"evidence", cause.evidence}});
  }
  return {{"case", v.kind ? Json(analyze::case_name(*v.kind)) : Json(nullptr)},
          {"limiters", v.limiters},
          {"secondary", v.secondary},
          {"top", units_percent_json(v.top)},
          {"interface_limited", std::move(pairs)},
          {"idle_percent", or_null(v.idle_percent)},
          {"gpu_bound", or_null(v.gpu_bound)},
          {"max_gain", or_null(v.max_gain)},
          {"gains",
           {{"raise_top_unit", or_null(v.gain_raise)},
            {"take_work_off", or_null(v.gain_remove)},
            {"remove_idle", or_null(v.gain_idle)}}},
          {"not_worth", v.not_worth},
          {"evidence", a.evidence},
          {"low_top_causes", std::move(causes)},
          {"advice", advice_json(a.advice)},
          {"missing_counters", a.missing_counters},
          {"record_next", a.record_next}};
}

Json health_json(const std::vector<analyze::HealthMetric>& table) {
  Json out = Json::array();
  for (const analyze::HealthMetric& m : table) {
    out.push_back(
        {{"id", m.id},
         {"title", m.title},
         {"value", or_null(m.value)},
         {"unit", m.unit},
         {"threshold", m.threshold.empty() ? Json(nullptr) : Json(m.threshold)},
         {"good", m.health == analyze::Health::unknown ? Json(nullptr)
                                                       : Json(m.health == analyze::Health::good)},
         {"missing", m.missing}});
  }
  return out;
}

Json counters_json(const model::Capture& capture, const Analysis& a) {
  Json out = Json::array();
  for (const analyze::CounterRate& rate : a.counters) {
    const model::Counter& counter = capture.counters[rate.index];
    out.push_back({{"id", or_null(counter.id)},
                   {"name", counter.name},
                   {"unit", counter.unit},
                   {"kind", kind_name(counter.kind)},
                   {"per_core", rate.per_core},
                   {"total", or_null(rate.total)},
                   {"average", or_null(rate.average)},
                   {"per_second", or_null(rate.per_second)},
                   {"per_frame", or_null(rate.per_frame)}});
  }
  return out;
}

const char* core_counters_name(analyze::CoreCounters counters) {
  switch (counters) {
    case analyze::CoreCounters::averaged:
      return "average";
    case analyze::CoreCounters::summed:
      return "sum";
    case analyze::CoreCounters::unknown:
      break;
  }
  return "unknown";
}

}  // namespace

Json analysis_document(const model::Capture& capture, const analyze::TrustReport& trust,
                       const Analysis& a, const Passes* passes) {
  Json out = {{"schema", "tilebound.analyze/1"},
              {"capture", capture_json(capture, trust, notes_with(passes, trust, a))}};
  out["device"] = {{"id", a.device.id},
                   {"name", a.device.name},
                   {"choice", choice_name(a.device_choice)},
                   {"warning", a.device_warning.empty() ? Json(nullptr) : Json(a.device_warning)},
                   {"peaks", peaks_of(a.device)},
                   {"cores", or_null(a.cores.count)},
                   {"cores_source", a.cores.count ? Json(a.cores.count_source) : Json(nullptr)},
                   {"cores_confidence", a.cores.count_confidence},
                   {"core_counters", core_counters_name(a.cores.counters)}};
  out["range"] = {{"begin_ns", a.window.begin.value},
                  {"end_ns", a.window.end.value},
                  {"duration_s", base::seconds(a.window.length())},
                  {"covered_s", base::seconds(a.activity.covered)},
                  {"what", a.window_text}};
  const auto& clock = a.clock_summary;
  out["clock"] = {{"max_hz", a.clock.max ? Json(a.clock.max->value) : Json(nullptr)},
                  {"max_source", a.clock.max ? Json(a.clock.max_source) : Json(nullptr)},
                  {"mean_hz", clock ? Json(clock->mean_hz) : Json(nullptr)},
                  {"mean_percent", clock ? or_null(clock->percent_of_max) : Json(nullptr)},
                  {"min_hz", clock ? Json(clock->min_hz) : Json(nullptr)},
                  {"highest_hz", clock ? Json(clock->max_hz) : Json(nullptr)},
                  {"changes", clock ? Json(clock->changes) : Json(nullptr)},
                  {"expression_percent", or_null(a.clock_expression_percent)},
                  {"throttled", a.throttled},
                  {"source", a.clock.known() ? Json(a.clock.source) : Json(nullptr)},
                  {"confidence", a.clock.confidence}};
  out["activity"] = {
      {"active_cycles", a.activity.active ? Json(a.activity.active->value) : Json()},
      {"elapsed_cycles", a.activity.elapsed ? Json(a.activity.elapsed->value) : Json()},
      {"idle_percent", or_null(a.activity.idle_percent())},
      {"frame_ms", or_null(a.frame_ms)}};
  out["frames"] = frames_json(a);
  out["units"] = Json::array();
  for (const analyze::UnitLoad& unit : a.units) {
    out["units"].push_back(unit_json(unit, a.device_choice == analyze::DeviceChoice::forced));
  }
  out["verdict"] = verdict_json(a);
  out["passes"] = Json::array();
  std::vector<model::Finding> findings = a.findings;
  if (passes != nullptr) {
    findings.insert(findings.end(), passes->findings.begin(), passes->findings.end());
    add_alignment(out, passes->alignment, passes->lint.context);
  }
  out["findings"] = findings_json(findings);
  out["advice"] = advice_texts_json(a);
  out["health"] = health_json(a.health);
  out["counters"] = counters_json(capture, a);
  return out;
}

std::string analysis_json(const model::Capture& capture, const analyze::TrustReport& trust,
                          const Analysis& a, const Passes* passes) {
  return dump(analysis_document(capture, trust, a, passes));
}

}  // namespace tilebound::report
