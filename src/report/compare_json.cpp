#include "report/compare.h"
#include "report/compare_words.h"
#include "report/json.h"

namespace tilebound::report {

namespace {

using analyze::Comparison;

Json run_json(const analyze::Run& run) {
  Json system = Json::object();
  for (const auto& [key, value] : run.system) system[key] = value;
  const auto& clock = run.analysis.clock_summary;
  return {{"file", run.source},
          {"format", run.format},
          {"gpu", run.analysis.gpu_name.empty() ? Json(nullptr) : Json(run.analysis.gpu_name)},
          {"device", run.analysis.device.id},
          {"cores", or_null(run.analysis.cores.count)},
          {"build", build_of(run)},
          {"system", std::move(system)},
          {"cut_by", run.by_frames ? "frames" : "rate"},
          {"windows", run.windows.size()},
          {"frames_a_window", run.frames_a_window},
          {"fps", run.fps()},
          {"frame_ms", run.mean_frame_ms},
          {"clock_hz", clock ? Json(clock->mean_hz) : Json(nullptr)},
          {"sample_period_ms", run.sample_period_ms},
          {"idle_percent", or_null(run.analysis.verdict.idle_percent)},
          {"temperature_c", or_null(run.temperature_c)}};
}

Json runs_json(std::span<const analyze::Run> runs) {
  Json out = Json::array();
  for (const analyze::Run& run : runs) out.push_back(run_json(run));
  return out;
}

Json counters_json(const Comparison& c) {
  Json out = Json::array();
  for (const analyze::CounterRow& row : c.counters) {
    const Json none = nullptr;
    const bool spread = row.ratio && !row.derived;
    out.push_back({{"id", or_null(row.id)},
                   {"key", row.key},
                   {"name", row.name},
                   {"unit", row.unit},
                   {"derived", row.derived},
                   {"per_core", row.per_core},
                   {"a_per_frame", row.derived ? none : or_null(row.a)},
                   {"b_per_frame", row.derived ? none : or_null(row.b)},
                   {"a_average", row.derived ? or_null(row.a) : none},
                   {"b_average", row.derived ? or_null(row.b) : none},
                   {"ratio", row.ratio ? Json(row.ratio->value) : none},
                   {"ratio_low", spread ? Json(row.ratio->low) : none},
                   {"ratio_high", spread ? Json(row.ratio->high) : none},
                   {"significant", row.significant}});
  }
  return out;
}

Json reading_json(const Comparison& c) {
  Json out = Json::array();
  for (const analyze::ReadingStep& step : c.reading) {
    Json numbers = Json::object();
    for (const auto& [name, value] : step.numbers) numbers[name] = or_null(value);
    out.push_back({{"step", step.id},
                   {"title", step.title},
                   {"applies", or_null(step.applies)},
                   {"conclusion", step.conclusion},
                   {"numbers", std::move(numbers)}});
  }
  return out;
}

Json estimate_json(const std::optional<analyze::Estimate>& e) {
  if (!e) return nullptr;
  return {{"value", e->value}, {"low", e->low}, {"high", e->high}};
}

Json ablation_json(const analyze::Ablation& a) {
  return {{"label", a.label},
          {"in", a.in_a ? "a" : "b"},
          {"gpu_ms", estimate_json(a.gpu_ms)},
          {"fragment_ms", estimate_json(a.fragment_ms)},
          {"non_fragment_ms", estimate_json(a.non_fragment_ms)}};
}

}  // namespace

std::string comparison_json(const ComparisonInput& in) {
  const Comparison& c = in.comparison;
  Json out = {{"schema", "tilebound.compare/1"}, {"a", runs_json(in.a)}, {"b", runs_json(in.b)}};
  const auto& active = c.gap.gpu_active_ratio;
  out["gap"] = {{"gpu_active_ratio", active ? Json(active->value) : Json(nullptr)},
                {"gpu_active_low", active ? Json(active->low) : Json(nullptr)},
                {"gpu_active_high", active ? Json(active->high) : Json(nullptr)},
                {"significant", c.gap.gpu_active_significant},
                {"fps_ratio", c.gap.fps_ratio},
                {"fps_a", c.gap.fps_a},
                {"fps_b", c.gap.fps_b},
                {"a_ms", or_null(c.split.a_ms)},
                {"b_ms", or_null(c.split.b_ms)},
                {"ms", or_null(c.split.gap_ms)},
                {"remainder_ms", or_null(c.split.remainder_ms)}};
  out["summary"] = c.summary;
  out["judged"] = {{"enough_frames", c.judged},
                   {"counters", c.counters_judged},
                   {"standard_errors", c.critical}};
  out["guards"] = Json::array();
  for (const analyze::Guard& guard : c.guards) {
    out["guards"].push_back(
        {{"id", guard.id}, {"holds", or_null(guard.holds)}, {"message", guard.message}});
  }
  out["reading"] = reading_json(c);
  out["no_reading"] = c.no_reading.empty() ? Json(nullptr) : Json(c.no_reading);
  out["causes"] = Json::array();
  for (const analyze::GapCause& cause : c.causes) {
    out["causes"].push_back({{"id", cause.id},
                             {"title", cause.title},
                             {"ms", or_null(cause.ms)},
                             {"low_ms", or_null(cause.low_ms)},
                             {"high_ms", or_null(cause.high_ms)},
                             {"confidence", cause.confidence}});
  }
  out["counters"] = counters_json(c);
  out["only_a"] = c.only_a;
  out["only_b"] = c.only_b;
  out["units"] = Json::array();
  for (const analyze::UnitPair& unit : c.units) {
    out["units"].push_back({{"id", unit.id},
                            {"label", unit.label},
                            {"a_percent", or_null(unit.a_percent)},
                            {"b_percent", or_null(unit.b_percent)}});
  }
  out["ablation"] = c.ablation ? ablation_json(*c.ablation) : Json(nullptr);
  out["failures"] = in.failures;
  out["notes"] = notes_json(c.notes);
  return dump(out);
}

}  // namespace tilebound::report
