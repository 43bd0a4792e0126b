#include "report/json.h"
#include "report/report.h"

namespace tilebound::report {

namespace {

Json counter_json(const model::Counter& counter, const analyze::CounterSummary& summary) {
  return {{"id", or_null(counter.id)},
          {"name", counter.name},
          {"unit", counter.unit},
          {"kind", kind_name(counter.kind)},
          {"gpu", counter.gpu},
          {"sampled", counter.sampled()},
          {"samples", summary.samples},
          {"unavailable", summary.unavailable},
          {"total", or_null(summary.total)},
          {"mean", or_null(summary.mean)},
          {"min", or_null(summary.min)},
          {"max", or_null(summary.max)},
          {"axis", or_null(counter.axis)}};
}

Json axis_json(const model::TimeAxis& axis, const analyze::Sampling& sampling) {
  return {
      {"samples", sampling.samples},
      {"intervals", sampling.intervals},
      {"direction", axis.direction == model::ValueDirection::backwards ? "backwards" : "forwards"},
      {"median_period_ms", sampling.median_ns * 1e-6},
      {"shortest_ms", sampling.shortest_ns * 1e-6},
      {"longest_ms", sampling.longest_ns * 1e-6},
      {"holes", sampling.holes.size()},
      {"hole_ms", static_cast<double>(sampling.hole_ns) * 1e-6}};
}

}  // namespace

std::string info_json(const model::Capture& capture, const analyze::TrustReport& trust) {
  Json out = {{"schema", "tilebound.info/1"},
              {"capture", capture_json(capture, trust, trust.notes)}};
  const model::CaptureRequest& request = capture.request;
  out["specs"] = trust.specs;
  out["sampled"] = trust.sampled;
  out["request"] = {
      {"data_sources", request.data_sources},    {"gpu_counters", request.gpu_counters},
      {"counter_ids", request.counter_ids},      {"counter_names", request.counter_names},
      {"period_ns", or_null(request.period_ns)}, {"duration_ns", or_null(request.duration_ns)}};
  out["axes"] = Json::array();
  for (std::size_t a = 0; a < capture.axes.size(); ++a) {
    out["axes"].push_back(axis_json(capture.axes[a], trust.axes[a]));
  }
  out["clock_events"] = capture.clock.size();
  out["render_stages"] = capture.render_stages.size();
  out["other_content"] = Json::object();
  for (const auto& [kind, count] : capture.other_content) out["other_content"][kind] = count;
  out["counters"] = Json::array();
  for (const analyze::CounterSummary& summary : trust.counters) {
    out["counters"].push_back(counter_json(capture.counters[summary.index], summary));
  }
  return dump(out);
}

}  // namespace tilebound::report
