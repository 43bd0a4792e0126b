#include <fmt/format.h>
#include <limits>

#include "base/error.h"
#include "devices/expression.h"
#include "report/embedded.h"
#include "report/page_columns.h"
#include "report/report.h"
#include "report/sentences.h"

/// The page is a template with one place for data. What it holds is the analysis as docs/json.md
/// describes it, without its list of frames, and beside it what only a page needs: sentences, unit
/// definitions, and long columns in a compact form.
namespace tilebound::report {

namespace {

using analyze::Analysis;
using analyze::Timeline;

constexpr std::string_view kPlace = "@REPORT_DATA@";

std::string_view page() {
  return page_files().front().bytes;
}

double since(const Analysis& a, base::Nanoseconds t) {
  return static_cast<double>((t - a.span.begin).value);
}

/// An expression in postfix order, as the page evaluates it: a number, ["c", index of the
/// timeline's counter], or [operator, count of arguments]. Null stands for a counter that is not
/// there.
Json postfix(const devices::Expression& work, const Timeline& timeline,
             std::optional<std::uint32_t> cores) {
  using Kind = devices::Expression::Op::Kind;
  Json out = Json::array();
  for (const devices::Expression::Op& op : work.postfix()) {
    switch (op.kind) {
      case Kind::number:
        out.push_back(op.value);
        continue;
      case Kind::name: {
        const std::string& name = work.names()[op.operand];
        const auto index = timeline.find(name);
        if (index) {
          out.push_back(Json::array({"c", *index}));
        } else if (name == "ZOOM") {
          out.push_back(Json::array({"seconds", 0}));
        } else if (name == "MaliConstantsShaderCoreCount" && cores) {
          out.push_back(*cores);
        } else {
          out.push_back(nullptr);
        }
        continue;
      }
      case Kind::add:
        out.push_back(Json::array({"+", 2}));
        continue;
      case Kind::sub:
        out.push_back(Json::array({"-", 2}));
        continue;
      case Kind::mul:
        out.push_back(Json::array({"*", 2}));
        continue;
      case Kind::div:
        out.push_back(Json::array({"/", 2}));
        continue;
      case Kind::neg:
        out.push_back(Json::array({"neg", 1}));
        continue;
      case Kind::abs:
        out.push_back(Json::array({"abs", 1}));
        continue;
      case Kind::min:
        out.push_back(Json::array({"min", op.operand}));
        continue;
      case Kind::max:
        out.push_back(Json::array({"max", op.operand}));
        continue;
      case Kind::select:
        out.push_back(Json::array({"if", 3}));
        continue;
    }
  }
  return out;
}

/// What each unit is: expressions, peaks and where they come from; parallel to Analysis::units.
Json definitions(const Analysis& a, const Timeline& timeline) {
  Json out = Json::array();
  for (const analyze::UnitLoad& load : a.units) {
    Json paths = Json::array();
    for (const model::Unit& unit : a.device.units) {
      if (unit.id != load.id) continue;
      for (std::size_t i = 0; i < unit.paths.size(); ++i) {
        const model::UnitPath& path = unit.paths[i];
        const bool by_core = i < load.paths.size() && load.paths[i].basis == analyze::Basis::core;
        Json entry = {
            {"id", path.id},
            {"label", path.label},
            {"work", path.work},
            {"work_unit", path.work_unit},
            {"ready_percent", path.ready_percent},
            {"basis", by_core ? "core" : "gpu"},
            {"postfix", postfix(devices::Expression::parse(path.work), timeline, a.cores.count)}};
        entry["peak"] = path.peak ? Json({{"value", path.peak->value},
                                          {"per", per_name(path.peak->per)},
                                          {"provenance", provenance_name(path.peak->provenance)},
                                          {"source", path.peak->source}})
                                  : Json(nullptr);
        paths.push_back(std::move(entry));
      }
    }
    out.push_back({{"id", load.id}, {"label", load.label}, {"paths", std::move(paths)}});
  }
  return out;
}

Json timeline_json(const model::Capture& capture, const Analysis& a, const Timeline& t) {
  std::vector<double> edges;
  for (const base::Nanoseconds edge : t.edges) edges.push_back(since(a, edge));
  Json out = {{"bins", t.size()}, {"samples_per_bin", t.samples_per_bin}};
  out["edges"] = exact_column(edges);
  out["counters"] = Json::array();
  for (const analyze::CounterBins& counter : t.counters) {
    out["counters"].push_back({{"name", capture.counters[counter.index].name},
                               {"averaged", counter.averaged},
                               {"of_busy_time", counter.of_busy_time},
                               {"axis", counter.axis},
                               {"gpu_factor", or_null(counter.gpu_factor)},
                               {"core_factor", or_null(counter.core_factor)},
                               {"bins", column(counter.bins)}});
  }
  out["covered"] = Json::object();
  for (std::size_t axis = 0; axis < t.covered.size(); ++axis) {
    if (!t.covered[axis].empty()) out["covered"][std::to_string(axis)] = column(t.covered[axis]);
  }
  out["active"] = or_null(t.active);
  const auto& cycles = a.device.core_cycles_counter;
  out["core_cycles"] = cycles ? or_null(t.find(*cycles)) : Json(nullptr);
  out["core_cycles_apart"] = cycles.has_value();
  out["elapsed"] = t.elapsed.empty() ? Json(nullptr) : column(t.elapsed);
  out["clock_hz"] = t.clock_hz.empty() ? Json(nullptr) : column(t.clock_hz);
  return out;
}

/// Complete frames as columns: windows run from the previous frame's end to the frame's own.
Json frame_columns(const Analysis& a) {
  std::vector<double> begins;
  std::vector<double> ends;
  std::vector<double> active_ms;
  std::vector<double> idle;
  Json limiters = Json::array();
  std::vector<std::vector<double>> units(a.units.size());
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (const analyze::FrameResult& frame : a.frame_results) {
    begins.push_back(since(a, frame.window.begin));
    ends.push_back(since(a, frame.window.end));
    active_ms.push_back(frame.gpu_active_ms.value_or(kNone));
    idle.push_back(frame.idle_percent.value_or(kNone));
    Json which = Json::array();
    for (std::size_t u = 0; u < a.units.size(); ++u) {
      double percent = kNone;
      for (const analyze::UnitPercent& unit : frame.units) {
        if (unit.id == a.units[u].id) percent = unit.percent;
      }
      units[u].push_back(percent);
    }
    for (const std::string& id : frame.limiters) {
      for (std::size_t u = 0; u < a.units.size(); ++u) {
        if (a.units[u].id == id) which.push_back(u);
      }
    }
    limiters.push_back(std::move(which));
  }
  Json out = {{"count", a.frame_results.size()}, {"first_index", frame_number(0)}};
  out["begin_ns"] = exact_column(begins);
  out["end_ns"] = exact_column(ends);
  out["gpu_active_ms"] = column(active_ms);
  out["idle_percent"] = column(idle);
  out["limiters"] = std::move(limiters);
  out["units"] = Json::array();
  for (const auto& percents : units) out["units"].push_back(column(percents));
  return out;
}

Json lanes_json(const model::Capture& capture, const Analysis& a, const Passes* passes) {
  Json out = Json::array();
  for (const analyze::Lane& lane : all_lanes(capture, a, passes)) {
    Json spans = Json::array();
    for (const analyze::Span& span : lane.spans) {
      spans.push_back({{"begin_ns", since(a, span.interval.begin)},
                       {"end_ns", since(a, span.interval.end)},
                       {"label", span.label}});
    }
    out.push_back({{"label", lane.label}, {"spans", std::move(spans)}});
  }
  return out;
}

/// JSON that can stand inside a script element: no "<" can end it, whatever a counter is called.
std::string inside_script(const Json& json) {
  std::string out;
  for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace)) {
    if (c == '<' || c == '>' || c == '&') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string html_absent() {
  return page().find(kPlace) == std::string_view::npos ? std::string(page()) : std::string();
}

std::string analysis_html(const model::Capture& capture, const analyze::TrustReport& trust,
                          const Analysis& a, const Timeline& timeline, const Passes* passes) {
  if (const std::string reason = html_absent(); !reason.empty()) throw base::UsageError(reason);
  Json data = {{"analysis", analysis_document(capture, trust, a, passes)}};
  data["analysis"]["frames"].erase("list");
  if (passes != nullptr) data["analysis"]["alignment"].erase("frames");
  data["verdict"] = verdict_sentence(a);
  data["gains"] = gain_sentences(a);
  data["facts"] = Json::array();
  for (const Fact& fact : facts(capture, trust, a)) {
    data["facts"].push_back({fact.label, fact.sentence});
  }
  data["begin_ns"] = since(a, a.window.begin);
  data["end_ns"] = since(a, a.window.end);
  data["zero_ns"] = a.span.begin.value;
  data["span_ns"] = static_cast<double>(a.span.length().value);
  data["definitions"] = definitions(a, timeline);
  data["timeline"] = timeline_json(capture, a, timeline);
  data["frames"] = frame_columns(a);
  data["lanes"] = lanes_json(capture, a, passes);

  const std::string_view text = page();
  const std::size_t place = text.find(kPlace);
  std::string out(text.substr(0, place));
  out += inside_script(data);
  out += text.substr(place + kPlace.size());
  return out;
}

}  // namespace tilebound::report
