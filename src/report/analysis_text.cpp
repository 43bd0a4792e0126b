#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "report/align.h"
#include "report/frames_text.h"
#include "report/layout.h"
#include "report/lint_report.h"
#include "report/report.h"
#include "report/sentences.h"

namespace tilebound::report {

namespace {

using analyze::Analysis;

constexpr std::size_t kPercentWidth = 9;
constexpr std::size_t kLabelWidth = 22;
constexpr std::size_t kNamesShown = 12;
constexpr std::size_t kAdviceShown = 8;

void head(std::string& out, const model::Capture& capture, const analyze::TrustReport& trust,
          const Analysis& a, std::size_t width) {
  for (const Fact& fact : facts(capture, trust, a)) {
    paragraph(out, left(fact.label, 9), fact.sentence, width);
  }
}

void verdict(std::string& out, const Analysis& a, std::size_t width) {
  out += '\n';
  paragraph(out, "VERDICT  ", verdict_sentence(a), width);
  for (const std::string& line : a.evidence) paragraph(out, "  - ", line, width);
  for (const std::string& line : gain_sentences(a)) paragraph(out, "  = ", line, width);
}

void unit_rows(std::string& out, const Analysis& a, std::size_t width) {
  if (a.units.empty()) return;
  const std::size_t bar_width = std::min<std::size_t>(40, width > 76 ? width - 56 : 20);
  out += fmt::format("\nUNITS{}{}{}{}\n", std::string(kLabelWidth - 3, ' '),
                     std::string(bar_width + 1, ' '), right("of peak", kPercentWidth + 2),
                     right("while busy", kPercentWidth + 3));
  std::vector<std::string> unavailable;
  for (const analyze::UnitLoad& unit : a.units) {
    if (!unit.percent()) {
      const auto path = std::find_if(unit.paths.begin(), unit.paths.end(),
                                     [](const auto& p) { return p.per_cycle.has_value(); });
      if (path != unit.paths.end()) {
        out += fmt::format(
            "  {} {} {}\n", left(base::printable(unit.label), kLabelWidth), "no peak known;",
            fmt::format("{:.4g} {}/cycle, {}/s", *path->per_cycle, base::printable(path->work_unit),
                        base::short_number(path->per_second.value_or(0),
                                           path->work_unit == "bytes" ? "B" : "")));
      } else {
        unavailable.push_back(unit.label);
      }
      continue;
    }
    out += fmt::format("  {} {}{}{}\n", left(base::printable(unit.label), kLabelWidth),
                       bar(*unit.percent(), bar_width),
                       right(percent(unit.sol_percent), kPercentWidth + 2),
                       right(percent(unit.active_percent), kPercentWidth + 3));
  }
  if (!unavailable.empty()) {
    paragraph(out, "  n/a: ", fmt::format("{}", fmt::join(unavailable, ", ")), width);
  }
  if (!a.verdict.not_worth.empty()) {
    paragraph(out, "  Not worth work here: ", labels_of(a, a.verdict.not_worth), width);
  }
}

void causes(std::string& out, const Analysis& a, std::size_t width) {
  if (a.low_top_causes.empty() || !a.verdict.kind) return;
  out += "\nWHY THE TOP IS NOT HIGHER\n";
  for (const analyze::Cause& cause : a.low_top_causes) {
    const char* mark = cause.answer == analyze::Answer::yes  ? "  yes  "
                       : cause.answer == analyze::Answer::no ? "  no   "
                                                             : "  ?    ";
    paragraph(out, mark, fmt::format("{}: {}", cause.title, cause.evidence), width);
  }
}

/// The typical frame's, one row each.
void segments(std::string& out, const Analysis& a) {
  const auto typical = a.frame_statistics.typical;
  if (!typical || *typical >= a.segments.size() || a.segments[*typical].empty()) return;
  const analyze::FrameResult& frame = a.frame_results[*typical];
  out += fmt::format("\nSEGMENTS of the typical frame, {}, {:.2f} ms from its begin\n",
                     *typical + 2, base::milliseconds(frame.window.end - frame.frame.begin));
  for (const analyze::Segment& s : a.segments[*typical]) {
    std::string limiters;
    for (const std::string& id : s.limiters) {
      const auto unit =
          std::find_if(s.units.begin(), s.units.end(), [&](const auto& u) { return u.id == id; });
      limiters += fmt::format("{}{} {}", limiters.empty() ? "" : ", ", analyze::unit_label(a, id),
                              unit == s.units.end() ? "" : percent(unit->percent));
    }
    std::string row = fmt::format("  {:7.2f} to {:7.2f} ms  {} {}",
                                  base::milliseconds(s.interval.begin - frame.frame.begin),
                                  base::milliseconds(s.interval.end - frame.frame.begin),
                                  left(work_title(s.work), 12), base::printable(limiters));
    if (s.frame_gain && *s.frame_gain >= 1.005) {
      row += fmt::format("; frame at most {:.2f} times as fast", *s.frame_gain);
    }
    out += row + '\n';
  }
}

void advice(std::string& out, const Analysis& a, std::size_t width) {
  if (a.advice.empty()) return;
  out += "\nADVICE\n";
  std::size_t shown = 0;
  std::string where;
  for (const analyze::Advice& one : a.advice) {
    if (!one.against && ++shown > kAdviceShown) continue;
    if (one.where != where) paragraph(out, "  ", base::printable(one.where) + ":", width);
    where = one.where;
    paragraph(out, one.against ? "  - " : "  > ",
              base::printable(fmt::format("{} ({}) [{}]", one.text, one.because, one.id)), width);
  }
  if (shown > kAdviceShown) out += fmt::format("  and {} more (JSON)\n", shown - kAdviceShown);
}

void findings(std::string& out, const Analysis& a, std::size_t width) {
  if (a.findings.empty()) return;
  out += "\nFINDINGS\n";
  for (std::size_t i = 0; i < a.findings.size(); ++i) {
    const model::Finding& f = a.findings[i];
    std::string title = fmt::format("{} [{}]", f.title, f.id);
    if (f.saving.ms_per_frame) {
      title += fmt::format(", up to {:.2f} ms a frame", *f.saving.ms_per_frame);
    }
    paragraph(out, fmt::format("{:3}. ", i + 1), title, width);
    for (const std::string& line : f.evidence) paragraph(out, "     - ", line, width);
    for (const std::string& line : f.advice) paragraph(out, "     > ", line, width);
  }
}

void health(std::string& out, const Analysis& a, std::size_t width) {
  const bool any = std::any_of(a.health.begin(), a.health.end(),
                               [](const auto& m) { return m.value.has_value(); });
  if (!any) return;
  out += "\nHEALTH\n";
  for (const analyze::HealthMetric& m : a.health) {
    if (!m.value) continue;
    const std::string value =
        *m.value >= 1000 ? base::short_number(*m.value) : fmt::format("{:.2f}", *m.value);
    const char* mark = m.health == analyze::Health::poor   ? "!"
                       : m.health == analyze::Health::good ? "+"
                                                           : " ";
    const std::string limit = m.threshold.empty() ? "" : fmt::format("({})", m.threshold);
    std::string row =
        fmt::format("  {} {} {} {} {}", mark, left(m.title, 38), right(value, 9), m.unit, limit);
    while (row.ends_with(' ')) row.pop_back();
    out += row + '\n';
    if (m.health == analyze::Health::poor && !m.hint.empty())
      paragraph(out, "      > ", m.hint, width);
  }
}

std::string rate_text(std::optional<double> value) {
  return value ? base::short_number(*value) : "n/a";
}

void counter_rows(std::string& out, const model::Capture& capture, const Analysis& a,
                  std::size_t width) {
  const std::size_t name_width = width - 36;
  out += fmt::format("\n{}{}{}{}\n", left("COUNTERS", name_width), right("average", 12),
                     right("per second", 12), right("per frame", 12));
  for (const analyze::CounterRate& rate : a.counters) {
    const model::Counter& counter = capture.counters[rate.index];
    out += fmt::format(
        "{}{}{}{}\n",
        left("  " + base::printable(counter.name) + (rate.per_core ? " (per core)" : ""),
             name_width),
        right(rate.average ? rate_text(rate.average) : "-", 12),
        right(rate.total ? rate_text(rate.per_second) : "-", 12),
        right(rate.total ? rate_text(rate.per_frame) : "-", 12));
  }
}

void open_questions(std::string& out, const Analysis& a, std::size_t width) {
  if (!a.missing_counters.empty()) {
    out += "\nNOT RECORDED\n";
    paragraph(out, "  ", base::join_some(a.missing_counters, kNamesShown), width);
  }
  if (!a.record_next.empty()) {
    paragraph(out, "  Record next: ", base::join_some(a.record_next, kNamesShown), width);
  }
}

}  // namespace

std::string analysis_text(const model::Capture& capture, const analyze::TrustReport& trust,
                          const Analysis& a, const TextOptions& options, const Passes* passes) {
  std::string out;
  head(out, capture, trust, a, options.width);
  verdict(out, a, options.width);
  unit_rows(out, a, options.width);
  frame_summary(out, a, options.width);
  segments(out, a);
  if (passes != nullptr) {
    add_passes(out, a, *passes, options.width);
    add_findings(out, passes->findings, options.width);
  }
  findings(out, a, options.width);
  advice(out, a, options.width);
  causes(out, a, options.width);
  health(out, a, options.width);
  if (options.all_counters) counter_rows(out, capture, a, options.width);
  open_questions(out, a, options.width);
  notes(out, notes_with(passes, trust, a), options.width);
  return out;
}

}  // namespace tilebound::report
