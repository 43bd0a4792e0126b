#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "report/layout.h"
#include "report/report.h"

namespace tilebound::report {

namespace {

using analyze::Analysis;

constexpr std::size_t kPercentWidth = 9;
constexpr std::size_t kLabelWidth = 22;

std::string label_of(const Analysis& a, const std::string& id) {
  for (const analyze::UnitLoad& unit : a.units) {
    if (unit.id == id) return unit.label;
  }
  return id;
}

std::string labels_of(const Analysis& a, const std::vector<std::string>& ids) {
  std::vector<std::string> labels;
  for (const std::string& id : ids) labels.push_back(label_of(a, id));
  return fmt::format("{}", fmt::join(labels, ", "));
}

void head(std::string& out, const model::Capture& capture, const analyze::TrustReport& trust,
          const Analysis& a, std::size_t width) {
  std::size_t samples = 0;
  double period_ns = 0;
  for (const analyze::Sampling& axis : trust.axes) {
    if (axis.samples > samples) {
      samples = axis.samples;
      period_ns = axis.median_ns;
    }
  }
  paragraph(out, "Capture  ",
            fmt::format("{}: {}, {:.3f} s, {} counters, {} samples every {:.3f} ms", capture.source,
                        capture.format, base::seconds(a.span.length()), trust.sampled, samples,
                        period_ns * 1e-6),
            width);
  std::string device = a.device.name.empty() ? "unknown" : a.device.name;
  switch (a.device_choice) {
    case analyze::DeviceChoice::asked:
      device += ", as asked";
      break;
    case analyze::DeviceChoice::forced:
      device += ", FORCED: " + a.device_warning;
      break;
    case analyze::DeviceChoice::matched:
      device += ", matched by the capture";
      break;
    case analyze::DeviceChoice::generic:
      device += ", no profile: units without a peak show raw throughput (--device, devices)";
      break;
  }
  if (a.cores.count) {
    device += fmt::format("; {} shader cores ({})", *a.cores.count, a.cores.count_source);
  } else if (a.device.vendor == "arm") {
    device += "; number of shader cores unknown (--cores)";
  }
  paragraph(out, "Device   ", device, width);
  if (a.clock_summary) {
    std::string clock = fmt::format("{:.0f} MHz on average", a.clock_summary->mean_hz * 1e-6);
    if (a.clock_summary->percent_of_max) {
      clock += fmt::format(", {:.1f} % of {:.0f} MHz", *a.clock_summary->percent_of_max,
                           a.clock.max->value * 1e-6);
    }
    clock += fmt::format("; {} (confidence {:.2f}){}", a.clock.source, a.clock.confidence,
                         a.throttled ? "; THROTTLED" : "");
    paragraph(out, "Clock    ", clock, width);
  } else {
    paragraph(out, "Clock    ", "unknown", width);
  }
  const auto at = [&a](base::Nanoseconds t) { return base::seconds(t - a.span.begin); };
  paragraph(
      out, "Range    ",
      fmt::format("{}: {:.6f} s to {:.6f} s", a.window_text, at(a.window.begin), at(a.window.end)),
      width);
  if (a.frames.fps()) {
    const std::string count =
        a.frames.list.empty() ? "" : fmt::format("{} frames, ", a.frames.list.size());
    paragraph(
        out, "Frames   ",
        fmt::format(
            "{}{:.2f} FPS, {:.2f} ms each; {}{}", count, *a.frames.fps(), *a.frames.period_ms,
            a.frames.reason,
            a.frames.list.empty() ? "" : fmt::format(" (confidence {:.2f})", a.frames.confidence)),
        width);
  } else {
    paragraph(out, "Frames   ",
              fmt::format("not found: {}; --fps N gives values per frame", a.frames.reason), width);
  }
}

std::string verdict_sentence(const Analysis& a) {
  const analyze::Verdict& v = a.verdict;
  if (!v.kind) return "cannot tell: no unit can be judged from these counters";
  const std::string limiters = labels_of(a, v.limiters);
  switch (*v.kind) {
    case analyze::Case::idle: {
      std::string out = fmt::format("the GPU waits: idle {:.1f} %", *v.idle_percent);
      if (!v.limiters.empty()) out += "; its busy part is limited by " + limiters;
      return out;
    }
    case analyze::Case::high:
      return fmt::format("limited by {}, near its peak: take work off it", limiters);
    case analyze::Case::middle:
      return fmt::format("limited by {}: take work off it, and use it better", limiters);
    case analyze::Case::low:
      return fmt::format("nothing runs near its peak; the highest is {}: find what keeps it low",
                         limiters);
  }
  return {};
}

void verdict(std::string& out, const Analysis& a, std::size_t width) {
  out += '\n';
  paragraph(out, "VERDICT  ", verdict_sentence(a), width);
  for (const std::string& line : a.evidence) paragraph(out, "  - ", line, width);
  const analyze::Verdict& v = a.verdict;
  if (v.max_gain && *v.max_gain > 1.005) {
    paragraph(out, "  = ",
              fmt::format("at most {:.2f}x faster by what this case calls for", *v.max_gain),
              width);
  }
  if (v.gpu_bound) {
    paragraph(out, "  = ",
              *v.gpu_bound ? "GPU-bound: idle below 10 % at full clock"
                           : "not GPU-bound: idle time or a clock below its maximum leave headroom",
              width);
  }
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

/// The first names; the rest is counted.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 12;
  const auto last = static_cast<std::ptrdiff_t>(std::min(kShown, names.size()));
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + last, ", "));
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

void open_questions(std::string& out, const Analysis& a, std::size_t width) {
  if (!a.missing_counters.empty()) {
    out += "\nNOT RECORDED\n";
    paragraph(out, "  ", some_of(a.missing_counters), width);
  }
  if (!a.record_next.empty()) {
    paragraph(out, "  Record next: ", some_of(a.record_next), width);
  }
}

}  // namespace

std::string analysis_text(const model::Capture& capture, const analyze::TrustReport& trust,
                          const Analysis& a, const TextOptions& options) {
  std::string out;
  head(out, capture, trust, a, options.width);
  verdict(out, a, options.width);
  unit_rows(out, a, options.width);
  findings(out, a, options.width);
  causes(out, a, options.width);
  health(out, a, options.width);
  if (options.all_counters) counter_rows(out, capture, a, options.width);
  open_questions(out, a, options.width);
  std::vector<model::Note> all = trust.notes;
  all.insert(all.end(), a.notes.begin(), a.notes.end());
  notes(out, std::move(all), options.width);
  return out;
}

}  // namespace tilebound::report
