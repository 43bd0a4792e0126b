#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "report/compare.h"
#include "report/compare_words.h"
#include "report/csv.h"

namespace tilebound::report {

namespace {

/// Text from a file inside a table or a sentence: nothing of it is markup.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : base::printable(text)) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      if (std::string_view("\\`*_[]|#~@").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string number(std::optional<double> value) {
  return value ? base::short_number(*value) : "n/a";
}

void changed_counters(std::string& out, const analyze::Comparison& c) {
  out += "| counter | A | B | B/A |\n|---|--:|--:|--:|\n";
  for (const analyze::CounterRow& row : c.counters) {
    if (!row.significant) continue;
    out += fmt::format("| {} | {} | {} | {} |\n", escaped(row.name), number(row.a), number(row.b),
                       ratio_text(row));
  }
}

}  // namespace

std::string comparison_markdown(const ComparisonInput& in) {
  const analyze::Comparison& c = in.comparison;
  std::string out = fmt::format("### GPU comparison: {}\n\n", escaped(c.summary));
  for (const std::string& line : in.failures)
    out += fmt::format("- **Failed:** {}\n", escaped(line));
  const auto failed_for = [&in](const analyze::Guard& guard) {
    return std::any_of(in.failures.begin(), in.failures.end(), [&](const std::string& line) {
      return line.starts_with("guard " + guard.id + ":");
    });
  };
  for (const analyze::Guard& guard : c.guards) {
    if (guard.holds == false && !failed_for(guard)) {
      out += fmt::format("- **Guard {} fails:** {}\n", escaped(guard.id), escaped(guard.message));
    }
  }
  if (!c.no_reading.empty()) out += fmt::format("- No reading: {}\n", escaped(c.no_reading));
  for (const analyze::ReadingStep& step : c.reading) {
    if (step.applies == true) {
      out += fmt::format("- **{}:** {}\n", escaped(step.title), escaped(step.conclusion));
    }
  }
  if (!c.causes.empty()) {
    out += "\n| cause | ms per frame | confidence |\n|---|--:|--:|\n";
    for (const analyze::GapCause& cause : c.causes) {
      out += fmt::format("| {} | {} | {:.2f} |\n", escaped(cause.title),
                         cause.ms ? fmt::format("{:+.3f}", *cause.ms) : "n/a", cause.confidence);
    }
    if (c.split.remainder_ms) {
      out += fmt::format("| not explained | {:+.3f} | |\n", *c.split.remainder_ms);
    }
  }
  out += "\n<details><summary>Counters that differ</summary>\n\n";
  changed_counters(out, c);
  out += "\n</details>\n\n";
  for (const Fact& fact : side_facts(in)) {
    out += fmt::format("- {}: {}\n", fact.label, escaped(fact.sentence));
  }
  return out;
}

std::string comparison_csv(const ComparisonInput& in) {
  std::string out = "id,name,unit,derived,a,b,ratio,ratio_low,ratio_high,significant\n";
  for (const analyze::CounterRow& row : in.comparison.counters) {
    const auto& r = row.ratio;
    const bool judged = r && !row.derived;
    out += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", row.id ? std::to_string(*row.id) : "",
                       csv_text(row.name), csv_text(row.unit), row.derived ? 1 : 0,
                       csv_number(row.a), csv_number(row.b), r ? csv_number(r->value) : "",
                       judged ? csv_number(r->low) : "", judged ? csv_number(r->high) : "",
                       row.significant ? 1 : 0);
  }
  return out;
}

}  // namespace tilebound::report
