#include "base/statistics.h"
#include "report/advice_json.h"
#include "report/json.h"
#include "report/report.h"
#include "report/sentences.h"

namespace tilebound::report {

namespace {

using analyze::Analysis;

Json alternatives_json(const analyze::Frames& frames) {
  Json out = Json::array();
  for (const double ms : frames.alternatives_ms) {
    out.push_back({{"period_ms", ms}, {"fps", or_null(base::ratio(1000, ms))}});
  }
  return out;
}

Json spread_json(const std::optional<analyze::Spread>& spread) {
  if (!spread) return nullptr;
  return {{"mean", spread->mean}, {"p50", spread->p50}, {"p90", spread->p90},
          {"p95", spread->p95},   {"p99", spread->p99}, {"max", spread->max}};
}

Json statistics_json(const Analysis& a) {
  const analyze::FrameStatistics& s = a.frame_statistics;
  Json longest = Json::array();
  for (const analyze::LongFrame& frame : s.longest) {
    Json changes = Json::array();
    for (const analyze::WorkChange& change : frame.changes) {
      changes.push_back({{"unit", change.unit}, {"ratio", change.ratio}});
    }
    longest.push_back({{"index", frame_number(frame.index)},
                       {"longer_ms", frame.longer_ms},
                       {"idle_ms", or_null(frame.idle_ms)},
                       {"work_ms", or_null(frame.work_ms)},
                       {"clock_ms", or_null(frame.clock_ms)},
                       {"work_changes", std::move(changes)}});
  }
  return {{"warm_up", s.warm_up},
          {"counted", s.counted},
          {"time_ms", spread_json(s.time_ms)},
          {"gpu_active_ms", spread_json(s.gpu_active_ms)},
          {"full_clock_ms", spread_json(s.full_clock_ms)},
          {"full_clock_counts_memory", a.full_clock_counts_memory},
          {"typical", s.typical ? Json(frame_number(*s.typical)) : Json(nullptr)},
          {"longest", std::move(longest)}};
}

Json frame_json(const analyze::FrameResult& result) {
  Json out;
  out["gpu_active_ms"] = or_null(result.gpu_active_ms);
  out["time_ms"] = result.time_ms();
  out["idle_percent"] = or_null(result.idle_percent);
  out["clock_percent"] = or_null(result.clock_percent);
  out["clock_hz"] = result.clock ? Json({{"mean", result.clock->mean_hz},
                                         {"min", result.clock->min_hz},
                                         {"max", result.clock->max_hz},
                                         {"changes", result.clock->changes}})
                                 : Json(nullptr);
  out["full_clock_ms"] = or_null(result.full_clock_ms);
  out["limiters"] = result.limiters;
  out["limiter_share"] = units_percent_json(result.limiter_share);
  out["units"] = units_percent_json(result.units);
  return out;
}

}  // namespace

Json units_percent_json(const std::vector<analyze::UnitPercent>& units) {
  Json out = Json::array();
  for (const analyze::UnitPercent& unit : units) {
    out.push_back({{"id", unit.id}, {"percent", unit.percent}});
  }
  return out;
}

Json frames_json(const Analysis& a) {
  const bool cut = !a.frames.list.empty();
  const char* const phase = a.frames.phase == analyze::Phase::seen ? "seen" : "assumed";
  Json out = {{"method", a.frames.method},
              {"confidence", a.frames.confidence},
              {"period_ms", or_null(a.frames.period_ms)},
              {"fps", or_null(a.frames.fps())},
              {"count", a.frames.list.size()},
              {"phase", cut ? Json(phase) : Json(nullptr)},
              {"reason", a.frames.reason},
              {"alternatives", alternatives_json(a.frames)},
              {"statistics", statistics_json(a)},
              {"list", Json::array()}};
  for (std::size_t i = 0; i < a.frames.list.size(); ++i) {
    Json frame = {{"index", i + 1},
                  {"begin_ns", a.frames.list[i].begin.value},
                  {"end_ns", a.frames.list[i].end.value}};
    if (i > 0 && i - 1 < a.frame_results.size()) {
      frame.update(frame_json(a.frame_results[i - 1]));
      if (i - 1 < a.segments.size()) frame["segments"] = segments_json(a.segments[i - 1]);
    } else {
      // The idle time before the first frame is not in the capture.
      frame["gpu_active_ms"] = nullptr;
      frame["limiters"] = Json::array();
    }
    out["list"].push_back(std::move(frame));
  }
  return out;
}

std::string frames_json(const model::Capture& capture, const analyze::TrustReport& trust,
                        const Analysis& a) {
  Json out = {{"schema", "tilebound.frames/1"},
              {"capture", capture_json(capture, trust, all_notes(trust, a))}};
  out["frames"] = frames_json(a);
  out["advice"] = advice_texts_json(a);
  return dump(out);
}

}  // namespace tilebound::report
