#include <cmath>

#include "report/align.h"
#include "report/lint_report.h"
#include "report/sentences.h"

namespace tilebound::report {

namespace {

using align::Alignment;
using align::PassOnQueue;
using align::PassTime;
using analyze::Queue;

std::int64_t whole(double ns) {
  return std::llround(ns);
}

Json time_json(const PassTime& time) {
  return {{"begin_ns", whole(time.begin.ns)},           {"end_ns", whole(time.end.ns)},
          {"begin_min_ns", whole(time.begin.least_ns)}, {"begin_max_ns", whole(time.begin.most_ns)},
          {"end_min_ns", whole(time.end.least_ns)},     {"end_max_ns", whole(time.end.most_ns)}};
}

std::size_t pass_index(const Alignment& a, std::size_t work) {
  return a.works[work].pass + 1;
}

Json queue_json(const align::QueueAlignment& queue) {
  return {{"method", method_name(queue.method)},
          {"counter", queue.counter.empty() ? Json(nullptr) : Json(queue.counter)},
          {"confidence", queue.confidence},
          {"unaccounted_share", queue.unaccounted_share},
          {"reason", queue.reason}};
}

Json amount_json(const align::Amount& amount) {
  static constexpr const char* kNames[] = {"unknown", "estimated", "exact"};
  return {{"value", amount.known() ? Json(amount.value) : Json(nullptr)},
          {"certainty", kNames[static_cast<std::size_t>(amount.certainty)]}};
}

Json expected_json(const align::PassWork& work) {
  return {{"tiles", amount_json(work.tiles)},
          {"tasks", amount_json(work.tasks)},
          {"jobs", amount_json(work.jobs)},
          {"primitives", amount_json(work.primitives)},
          {"vertices", amount_json(work.vertices)},
          {"stored_bytes", amount_json(work.stored_bytes)},
          {"loaded_bytes", amount_json(work.loaded_bytes)},
          {"shading", amount_json(work.shading)}};
}

/// A pass on one queue, with its place in the typical frame.
Json on_queue_json(const Alignment& a, const align::QueueAlignment& queue, std::size_t k) {
  const PassOnQueue& pass = queue.passes[k];
  Json out;
  if (a.typical) {
    const align::FrameTimes& frame = a.frames[*a.typical];
    const auto& times = queue.queue == Queue::fragment ? frame.fragment : frame.non_fragment;
    if (k < times.size()) out = time_json(times[k]);
  }
  out["min_ns"] = whole(1e6 * pass.ms.least);
  out["max_ns"] = whole(1e6 * pass.ms.most);
  out["ms"] = pass.ms.estimate;
  out["limiters"] = pass.limiters;
  out["units"] = units_percent_json(pass.units);
  out["read_bytes"] = or_null(pass.read_bytes);
  out["written_bytes"] = or_null(pass.written_bytes);
  Json merged = Json::array();
  for (const std::size_t w : pass.merged_with) merged.push_back(pass_index(a, w));
  out["merged_with"] = std::move(merged);
  return out;
}

Json pass_json(const Alignment& a, const lint::Context& context, std::size_t w) {
  const align::PassWork& work = a.works[w];
  Json intervals = {{"non_fragment", nullptr}, {"fragment", nullptr}};
  Json limiters = Json::array();
  Json merged = Json::array();
  // What a person calls the pass's limiter is that of its fragments; a compute pass has none.
  for (const Queue queue : {Queue::non_fragment, Queue::fragment}) {
    const align::QueueAlignment& on = a.on(queue);
    for (std::size_t k = 0; k < on.passes.size(); ++k) {
      if (on.passes[k].work != w) continue;
      Json entry = on_queue_json(a, on, k);
      limiters = entry["limiters"];
      merged = entry["merged_with"];
      intervals[queue_name(queue)] = std::move(entry);
    }
  }
  return {{"index", work.pass + 1},
          {"label", align::work_name(context, work)},
          {"kind", pass_kind_name(context.frame.passes[work.pass].kind)},
          {"queue_intervals", std::move(intervals)},
          {"limiters", std::move(limiters)},
          {"merged_with", std::move(merged)},
          {"expected", expected_json(work)}};
}

Json frame_json(const Alignment& a, std::size_t f) {
  const align::FrameTimes& frame = a.frames[f];
  Json out = {{"index", f + 1},
              {"begin_ns", whole(frame.begin_ns)},
              {"end_ns", whole(frame.end_ns)},
              {"matches", frame.matches},
              {"fragment", Json::array()},
              {"non_fragment", Json::array()}};
  for (const Queue queue : {Queue::fragment, Queue::non_fragment}) {
    const auto& times = queue == Queue::fragment ? frame.fragment : frame.non_fragment;
    for (std::size_t k = 0; k < times.size(); ++k) {
      out[queue_name(queue)].push_back({{"pass", pass_index(a, a.on(queue).passes[k].work)},
                                        {"begin_ns", whole(times[k].begin.ns)},
                                        {"end_ns", whole(times[k].end.ns)}});
    }
  }
  return out;
}

Json stages_json(const std::optional<align::StageCheck>& check) {
  if (!check) return nullptr;
  return {{"frames", check->frames},
          {"found", check->found},
          {"median_off_ms", check->median_off_ms},
          {"used", check->used}};
}

Json alignment_json(const Alignment& a) {
  Json compared = Json::array();
  for (const align::Comparison& one : a.compared) {
    compared.push_back({{"counter", one.counter},
                        {"expected", one.expected},
                        {"measured", or_null(one.measured)},
                        {"ratio", or_null(one.ratio())}});
  }
  Json path = Json::array();
  for (const align::Step& step : a.critical_path) {
    path.push_back({{"queue", queue_name(step.queue)},
                    {"pass", pass_index(a, step.work)},
                    {"begin_ns", whole(step.begin_ns)},
                    {"end_ns", whole(step.end_ns)}});
  }
  Json frames = Json::array();
  for (std::size_t f = 0; f < a.frames.size(); ++f) frames.push_back(frame_json(a, f));
  return {{"aligned", a.aligned},
          {"reason", a.reason},
          {"queues",
           {{"fragment", queue_json(a.fragment)}, {"non_fragment", queue_json(a.non_fragment)}}},
          {"compared", std::move(compared)},
          {"matching", a.matching},
          {"typical", a.typical ? Json(*a.typical + 1) : Json(nullptr)},
          {"frame",
           {{"active_ms", a.shape.active_ms},
            {"fragment_ms", a.shape.fragment_ms},
            {"non_fragment_ms", a.shape.non_fragment_ms},
            {"overlap_ms", a.shape.overlap_ms},
            {"unattributed_ms", a.shape.unattributed_ms}}},
          {"stages", stages_json(a.stages)},
          {"critical_path", std::move(path)},
          {"frames", std::move(frames)}};
}

}  // namespace

const char* method_name(align::Method method) {
  switch (method) {
    case align::Method::exact:
      return "exact";
    case align::Method::mix:
      return "mix";
    case align::Method::none:
      break;
  }
  return "none";
}

const char* queue_name(Queue queue) {
  return queue == Queue::fragment ? "fragment" : "non_fragment";
}

void add_alignment(Json& document, const Alignment& alignment, const lint::Context& context) {
  Json passes = Json::array();
  for (std::size_t w = 0; w < alignment.works.size(); ++w) {
    passes.push_back(pass_json(alignment, context, w));
  }
  document["alignment"] = alignment_json(alignment);
  document["passes"] = std::move(passes);
}

std::string align_json(const AlignReport& report) {
  Json out = {{"schema", "tilebound.align/1"},
              {"capture", capture_json(report.capture, report.trust,
                                       notes_with(&report.passes, report.trust, report.analysis))}};
  out["frames"] = frames_json(report.analysis);
  add_alignment(out, report.passes.alignment, report.passes.lint.context);
  out["findings"] = findings_json(report.passes.findings);
  return dump(out);
}

}  // namespace tilebound::report
