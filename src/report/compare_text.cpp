#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "report/compare.h"
#include "report/compare_words.h"
#include "report/layout.h"

namespace tilebound::report {

namespace {

using analyze::Comparison;
using analyze::CounterRow;

constexpr std::size_t kValueWidth = 11;
constexpr std::size_t kRatioWidth = 9;
constexpr std::size_t kIntervalWidth = 17;
/// From this width on the table has room for intervals and units.
constexpr std::size_t kWide = 110;
constexpr std::size_t kUnitWidth = 14;

void head(std::string& out, const ComparisonInput& in, std::size_t width) {
  for (const Fact& fact : side_facts(in)) paragraph(out, left(fact.label, 9), fact.sentence, width);
  out += '\n';
  paragraph(out, "GAP      ", in.comparison.summary, width);
  paragraph(out, "         ", rate_sentence(in.comparison), width);
}

void ablation(std::string& out, const Comparison& c) {
  if (!c.ablation) return;
  const analyze::Ablation& a = *c.ablation;
  out += fmt::format("\nABLATION of {}: only {} has it (ms per frame, 95 %)\n",
                     base::printable(a.label), a.in_a ? "A" : "B");
  const std::pair<const char*, const std::optional<analyze::Estimate>*> rows[] = {
      {"GPU time", &a.gpu_ms},
      {"fragment queue", &a.fragment_ms},
      {"non-fragment queue", &a.non_fragment_ms}};
  for (const auto& [name, ms] : rows) {
    out += fmt::format(
        "  {} {}\n", left(name, 20),
        *ms ? fmt::format("{:+.3f} ({:+.3f} to {:+.3f})", (*ms)->value, (*ms)->low, (*ms)->high)
            : std::string("n/a"));
  }
}

void guards(std::string& out, const Comparison& c, std::size_t width) {
  out += "\nGUARDS\n";
  for (const analyze::Guard& guard : c.guards) {
    const char* mark = !guard.holds ? "  ?     " : *guard.holds ? "  holds " : "  FAILS ";
    paragraph(out, mark, fmt::format("{}: {}", guard.id, guard.message), width);
  }
}

void reading(std::string& out, const Comparison& c, std::size_t width) {
  out += "\nREADING\n";
  if (c.reading.empty()) {
    paragraph(out, "  none: ", c.no_reading, width);
    return;
  }
  std::size_t index = 0;
  for (const analyze::ReadingStep& step : c.reading) {
    const char* mark = !step.applies ? "?" : *step.applies ? "*" : "-";
    paragraph(out, fmt::format("{:4}. {} ", ++index, mark),
              fmt::format("{}: {}", step.title, step.conclusion), width);
  }
  out += "        * applies   - does not   ? cannot tell\n";
}

void split(std::string& out, const Comparison& c, std::size_t width) {
  if (c.causes.empty() && !c.split.gap_ms) return;
  out += "\nWHERE THE TIME GOES (GPU-active ms per frame, B above A)\n";
  const auto row = [&](std::string_view name, std::optional<double> ms, std::string_view more) {
    out += fmt::format("  {}  {}\n", right(ms ? fmt::format("{:+.3f}", *ms) : "n/a", 9),
                       left(fmt::format("{}{}", name, more), width - 13));
    while (out.size() > 1 && out[out.size() - 2] == ' ') out.erase(out.size() - 2, 1);
  };
  for (const analyze::GapCause& cause : c.causes) {
    row(cause.title, cause.ms, fmt::format(" [{}], confidence {:.2f}", cause.id, cause.confidence));
  }
  if (!c.causes.empty()) row("not explained", c.split.remainder_ms, "");
  row("gap", c.split.gap_ms,
      c.split.a_ms ? fmt::format(" ({:.3f} ms to {:.3f} ms)", *c.split.a_ms, *c.split.b_ms) : "");
}

void table_row(std::string& out, const CounterRow& row, std::size_t name_width, bool wide) {
  const auto value = [](std::optional<double> v) { return v ? base::short_number(*v) : "n/a"; };
  std::string name = "  " + base::printable(row.name) + (row.per_core ? " (per core)" : "");
  std::string line = left(name, name_width) + right(value(row.a), kValueWidth) +
                     right(value(row.b), kValueWidth) + right(ratio_text(row), kRatioWidth);
  if (wide) {
    const bool interval = row.ratio && !row.derived;
    line += right(interval ? fmt::format("{:.4f}..{:.4f}", row.ratio->low, row.ratio->high) : "",
                  kIntervalWidth) +
            "  " + left(base::printable(row.unit), kUnitWidth);
  }
  line += row.significant ? " *" : "  ";
  while (line.ends_with(' ')) line.pop_back();
  out += line + '\n';
}

void table(std::string& out, const Comparison& c, std::size_t width) {
  const bool wide = width >= kWide;
  const std::size_t fixed =
      2 * kValueWidth + kRatioWidth + 2 + (wide ? kIntervalWidth + kUnitWidth + 2 : 0);
  const std::size_t name_width = width - fixed;
  const auto heading = [&](std::string_view title) {
    out += '\n' + left(title, name_width) + right("A", kValueWidth) + right("B", kValueWidth) +
           right("B/A", kRatioWidth);
    if (wide) out += right("95 %", kIntervalWidth) + "  unit";
    out += '\n';
  };
  heading("COUNTERS PER FRAME");
  bool derived = false;
  for (const CounterRow& row : c.counters) {
    if (row.derived && !derived) {
      heading("DERIVED (averages; not judged)");
      derived = true;
    }
    table_row(out, row, name_width, wide);
  }
  paragraph(out, "  ",
            fmt::format("* differs beyond the noise of all {} counters together, and by "
                        "0.5 % or more",
                        c.counters_judged),
            width);
}

void units(std::string& out, const ComparisonInput& in, std::size_t width) {
  if (!other_devices(in) || in.comparison.units.empty()) return;
  out += "\n" + left("PERCENT OF OWN PEAK, WHILE BUSY", width - 22) + right("A", 11) +
         right("B", 11) + "\n";
  for (const analyze::UnitPair& unit : in.comparison.units) {
    out += left("  " + base::printable(unit.label), width - 22) +
           right(percent(unit.a_percent), 11) + right(percent(unit.b_percent), 11) + "\n";
  }
}

}  // namespace

std::string comparison_text(const ComparisonInput& in, const TextOptions& options) {
  std::string out;
  head(out, in, options.width);
  ablation(out, in.comparison);
  guards(out, in.comparison, options.width);
  reading(out, in.comparison, options.width);
  split(out, in.comparison, options.width);
  units(out, in, options.width);
  table(out, in.comparison, options.width);
  notes(out, in.comparison.notes, options.width);
  if (!in.failures.empty()) {
    out += "\nFAILED\n";
    for (const std::string& line : in.failures) paragraph(out, "  ! ", line, options.width);
  }
  return out;
}

}  // namespace tilebound::report
