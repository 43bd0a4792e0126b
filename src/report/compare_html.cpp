#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/text.h"
#include "report/compare.h"
#include "report/compare_words.h"
#include "report/markup.h"

/// The page is static: no script, so that what a file's names hold can do nothing, and a pull
/// request or a mail can show it.
namespace tilebound::report {

namespace {

using analyze::Comparison;
using analyze::CounterRow;
using analyze::ProfileBin;

constexpr double kChartWidth = 720;
constexpr double kLaneHeight = 26;
constexpr double kLaneGap = 6;
constexpr double kLabelWidth = 110;
/// A bar is full at this ratio, on a logarithmic scale; it is as long the other way.
constexpr double kFullRatio = 4;
constexpr double kHalfBar = 70;

constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--ink:#1b1f24;--faint:#5b6470;--line:#d5dae0;--page:#fff;
--card:#f5f7f9;--more:#b3450a;--less:#0b6e6e;--frag:#2f62c4;--other:#a8620c;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebee;--faint:#a3adb8;--line:#3a424b;--page:#14171a;
--card:#1d2227;--more:#f0955a;--less:#5cc8c8;--frag:#86aaf5;--other:#e6ac5c;--bad:#ff8a80}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);margin:0 auto;
padding:1.5rem;max-width:64rem}
h1{font-size:1.35rem}h2{font-size:1.1rem;margin-top:2rem}
p,li{max-width:52rem}.faint{color:var(--faint)}.bad{color:var(--bad);font-weight:600}
td.q{white-space:nowrap}table{border-collapse:collapse;width:100%}th,td{padding:.2rem .6rem;text-align:left;
border-bottom:1px solid var(--line);vertical-align:top}td.n,th.n{text-align:right;
font-variant-numeric:tabular-nums;white-space:nowrap}
svg{display:block;max-width:100%;height:auto}svg text{fill:var(--ink);font:12px system-ui,sans-serif}
.scroll{overflow-x:auto}
@media print{body{max-width:none;padding:0}}
)";

const char* answer(std::optional<bool> value, const char* yes, const char* no) {
  return !value ? "cannot tell" : *value ? yes : no;
}

void guards(std::string& out, const Comparison& c) {
  out +=
      "<h2>Guards</h2>\n<div class=scroll><table><thead><tr><th>guard<th>holds<th>why"
      "</thead><tbody>\n";
  for (const analyze::Guard& guard : c.guards) {
    out += fmt::format("<tr><td>{}<td{}>{}<td>{}\n", markup(guard.id),
                       guard.holds == false ? " class=\"q bad\"" : " class=q",
                       answer(guard.holds, "holds", "fails"), markup(guard.message));
  }
  out += "</tbody></table></div>\n";
}

void reading(std::string& out, const Comparison& c) {
  out += "<h2>Reading</h2>\n";
  if (c.reading.empty()) {
    out += fmt::format("<p class=bad>None: {}\n", markup(c.no_reading));
    return;
  }
  out +=
      "<div class=scroll><table><thead><tr><th class=n>step<th>what<th>applies<th>conclusion"
      "</thead><tbody>\n";
  std::size_t index = 0;
  for (const analyze::ReadingStep& step : c.reading) {
    const std::string name = markup(step.title);
    out += fmt::format("<tr><td class=n>{}<td>{}<td class=q>{}<td>{}\n", ++index,
                       step.applies == true ? "<strong>" + name + "</strong>" : name,
                       answer(step.applies, "yes", "no"), markup(step.conclusion));
  }
  out += "</tbody></table></div>\n";
}

void causes(std::string& out, const Comparison& c) {
  if (!c.split.gap_ms) return;
  out +=
      "<h2>Where the time goes</h2>\n<p class=faint>GPU-active milliseconds per frame, B above A."
      "\n<div class=scroll><table><thead><tr><th>cause<th class=n>ms<th class=n>confidence"
      "</thead><tbody>\n";
  const auto ms = [](std::optional<double> v) {
    return v ? fmt::format("{:+.3f}", *v) : std::string("n/a");
  };
  for (const analyze::GapCause& cause : c.causes) {
    out += fmt::format("<tr><td>{}<td class=n>{}<td class=n>{:.2f}\n", markup(cause.title),
                       ms(cause.ms), cause.confidence);
  }
  out += fmt::format("<tr><td>not explained<td class=n>{}<td>\n", ms(c.split.remainder_ms));
  out += fmt::format("<tr><td><strong>gap</strong> ({:.3f} ms to {:.3f} ms)<td class=n>{}<td>\n",
                     *c.split.a_ms, *c.split.b_ms, ms(c.split.gap_ms));
  out += "</tbody></table></div>\n";
}

/// A step line through the bins, closed along the bottom of its lane.
std::string area(const std::vector<ProfileBin>& bins, double ProfileBin::*share, double scale,
                 double bottom) {
  std::string path = fmt::format("M{:.1f} {:.1f}", kLabelWidth, bottom);
  for (const ProfileBin& bin : bins) {
    const double y = bottom - bin.*share * kLaneHeight;
    path += fmt::format("L{:.1f} {:.1f}L{:.1f} {:.1f}", kLabelWidth + bin.at_ms * scale, y,
                        kLabelWidth + (bin.at_ms + bin.length_ms) * scale, y);
  }
  const double end = bins.empty() ? 0 : bins.back().at_ms + bins.back().length_ms;
  return path + fmt::format("L{:.1f} {:.1f}Z", kLabelWidth + end * scale, bottom);
}

double end_of(const std::vector<ProfileBin>& bins) {
  return bins.empty() ? 0 : bins.back().at_ms + bins.back().length_ms;
}

/// When work begins in a frame, so that both are drawn from there.
std::vector<ProfileBin> from_first_work(std::vector<ProfileBin> bins) {
  constexpr double kWork = 0.02;
  const auto works = [](const ProfileBin& b) { return b.fragment + b.non_fragment > kWork; };
  const auto first = std::find_if(bins.begin(), bins.end(), works);
  if (first == bins.end()) return bins;
  const double at = first->at_ms;
  bins.erase(bins.begin(), first);
  while (!bins.empty() && !works(bins.back())) bins.pop_back();
  for (ProfileBin& bin : bins) bin.at_ms -= at;
  return bins;
}

void typical_frames(std::string& out, const ComparisonInput& in) {
  const auto a = from_first_work(in.a.front().typical_frame);
  const auto b = from_first_work(in.b.front().typical_frame);
  if (a.empty() || b.empty()) return;
  const double longest = std::max(end_of(a), end_of(b));
  const double scale = (kChartWidth - kLabelWidth - 10) / longest;
  const double lane = kLaneHeight + kLaneGap;
  const double height = 4 * lane + 40;
  out +=
      "<h2>The typical frames</h2>\n<p class=faint>The frame of median GPU time of each, from its "
      "first work on; height is how much of the time a queue is active.\n";
  out += fmt::format(
      "<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=img aria-label=\"Activity of both "
      "queues over the typical frame: A takes {:.2f} ms, B {:.2f} ms\">\n",
      kChartWidth, height, end_of(a), end_of(b));
  double bottom = lane;
  const auto draw = [&](const std::vector<ProfileBin>& bins, double ProfileBin::*share,
                        const char* label, const char* color) {
    out += fmt::format("<text x=0 y={:.1f}>{}</text><path d=\"{}\" fill=\"var({})\"/>\n",
                       bottom - 8, label, area(bins, share, scale, bottom), color);
    bottom += lane;
  };
  draw(a, &ProfileBin::non_fragment, "A non-fragment", "--other");
  draw(a, &ProfileBin::fragment, "A fragment", "--frag");
  draw(b, &ProfileBin::non_fragment, "B non-fragment", "--other");
  draw(b, &ProfileBin::fragment, "B fragment", "--frag");
  for (const auto& [bins, name] : {std::pair(&a, "A"), std::pair(&b, "B")}) {
    const double x = kLabelWidth + end_of(*bins) * scale;
    out += fmt::format(
        "<path d=\"M{:.1f} 4V{:.1f}\" stroke=\"var(--faint)\" stroke-dasharray=\"3 "
        "3\"/><text x={:.1f} y={:.1f} text-anchor=end>{} {:.2f} ms</text>\n",
        x, bottom - lane + 4, x, bottom - lane + (name[0] == 'A' ? 16.0 : 32.0), name,
        end_of(*bins));
  }
  out += "</svg>\n";
}

std::string ratio_bar(const CounterRow& row) {
  if (!row.ratio || row.ratio->value <= 0) return "";
  const double length = std::clamp(std::log(row.ratio->value) / std::log(kFullRatio), -1.0, 1.0);
  const double x = length < 0 ? kHalfBar * (1 + length) : kHalfBar;
  return fmt::format(
      "<svg width={0:.0f} height=12 viewBox=\"0 0 {0:.0f} 12\" aria-hidden=true><path "
      "d=\"M{1:.0f} 0V12\" stroke=\"var(--line)\"/><rect x={2:.1f} y=2 width={3:.1f} "
      "height=8 fill=\"var({4})\" opacity={5}/></svg>",
      2 * kHalfBar, kHalfBar, x, std::abs(length) * kHalfBar, length > 0 ? "--more" : "--less",
      row.significant ? "1" : "0.3");
}

void table(std::string& out, const Comparison& c) {
  out += fmt::format(
      "<h2>Counters per frame</h2>\n<p class=faint>Full bars differ beyond the noise of "
      "all {} counters together; derived ones are averages and not judged.\n"
      "<div class=scroll><table><thead><tr><th>counter<th>unit<th class=n>A<th "
      "class=n>B<th class=n>B/A<th>95 %<th>less, more</thead><tbody>\n",
      c.counters_judged);
  const auto value = [](std::optional<double> v) { return v ? base::short_number(*v) : "n/a"; };
  for (const CounterRow& row : c.counters) {
    const std::string ratio = ratio_text(row);
    const bool spread = row.ratio && !row.derived;
    out += fmt::format(
        "<tr><td>{}{}<td>{}<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}<td>{}\n",
        markup(row.name), row.derived ? " <span class=faint>(derived)</span>" : "",
        markup(row.unit), value(row.a), value(row.b),
        row.significant ? "<strong>" + ratio + "</strong>" : ratio,
        spread ? fmt::format("{:.3f} to {:.3f}", row.ratio->low, row.ratio->high) : "",
        ratio_bar(row));
  }
  out += "</tbody></table></div>\n";
}

}  // namespace

std::string comparison_html(const ComparisonInput& in) {
  const Comparison& c = in.comparison;
  std::string out =
      "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n<meta name=viewport "
      "content=\"width=device-width\">\n<meta http-equiv=Content-Security-Policy "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>GPU comparison</title>\n"
      "<style>";
  out += kStyle;
  out += fmt::format("</style>\n<main>\n<h1>{}</h1>\n<p>{}\n", markup(c.summary),
                     markup(rate_sentence(c)));
  out += "<ul>\n";
  for (const Fact& fact : side_facts(in)) {
    out += fmt::format("<li><strong>{}</strong> {}\n", markup(fact.label), markup(fact.sentence));
  }
  out += "</ul>\n";
  for (const std::string& line : in.failures) {
    out += fmt::format("<p class=bad>Failed: {}\n", markup(line));
  }
  reading(out, c);
  causes(out, c);
  typical_frames(out, in);
  guards(out, c);
  table(out, c);
  if (!c.notes.empty()) out += "<h2>Notes</h2>\n<ul>\n";
  for (const model::Note& note : c.notes) {
    out += fmt::format("<li>{}\n", markup(note.message));
  }
  if (!c.notes.empty()) out += "</ul>\n";
  out += "</main>\n</html>\n";
  return out;
}

}  // namespace tilebound::report
