#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "report/json.h"
#include "report/layout.h"
#include "report/lint_report.h"
#include "report/markup.h"

namespace tilebound::report {

namespace {

using lint::Context;
using lint::PassFacts;

// The page has no script. Both colour schemes, and paper, are this sheet's.
constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--dim:#57606a;--line:#d0d7de;--box:#f6f8fa;
--info:#0860ca;--warning:#8a5300;--error:#b3161b;--bar:#2f6fb0;--over:#b3161b}
@media(prefers-color-scheme:dark){:root{--back:#14171a;--text:#e6e9ec;--dim:#9aa4ae;--line:#3a4148;
--box:#1d2126;--info:#79b8ff;--warning:#e3b341;--error:#ff8b82;--bar:#5a9bd8;--over:#ff8b82}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:70rem;padding:1rem;background:var(--back);color:var(--text);
font:16px/1.45 system-ui,sans-serif}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}h3{font-size:1rem;margin:0}
.dim{color:var(--dim)}
section.pass,li.finding{border:1px solid var(--line);border-radius:6px;background:var(--box);
padding:.7rem .9rem;margin:.6rem 0;break-inside:avoid}
ol.findings{padding-left:0;list-style:none}
.info{color:var(--info)}.warning{color:var(--warning)}.error{color:var(--error)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;padding:.2rem .7rem .2rem 0;vertical-align:top}
th{font-weight:600;color:var(--dim)}
svg{max-width:100%;height:auto}
svg text{fill:var(--text);font:12px system-ui,sans-serif}
svg .frame{fill:none;stroke:var(--line)}svg .bar{fill:var(--bar)}svg .over{fill:var(--over)}
svg .edge{fill:none;stroke:var(--bar);stroke-width:1.5}svg .mark{stroke:var(--dim);stroke-dasharray:3 2}
svg .moves{stroke:var(--over);stroke-width:2.5}svg .free{stroke:var(--line);stroke-width:1.5}
svg .tile{fill:var(--back);stroke:var(--dim)}
@media print{body{max-width:none}section.pass,li.finding{background:none}}
)css";

std::string bytes(const std::optional<std::uint64_t>& value) {
  return value ? base::short_number(static_cast<double>(*value), "B") : "unknown";
}

/// A bar against the thresholds, with words for those who do not see it.
std::string bits_bar(const PassFacts& facts, const Context& context) {
  if (!facts.need.bits_per_pixel || !facts.need.tile_bits) return "<p>bits a pixel: unknown</p>";
  const std::uint32_t limit = context.target.hardware
                                  ? context.target.hardware->bits_limit.value_or(lint::kHighBits)
                                  : lint::kLowBits;
  constexpr std::uint32_t kWidth = 360;
  const std::uint32_t most =
      std::max({lint::kHighBits, *facts.need.bits_per_pixel, *facts.need.tile_bits});
  const auto x = [&](std::uint32_t bits) { return std::uint64_t{bits} * kWidth / most; };
  const char* kind = *facts.need.tile_bits > limit ? "over" : "bar";
  const std::string words =
      fmt::format("{} bits a pixel with depth, {} bits of colour in the tile, budget {}",
                  *facts.need.bits_per_pixel, *facts.need.tile_bits, limit);
  return fmt::format(
      "<p>{}</p><svg role=\"img\" aria-label=\"{}\" viewBox=\"0 0 362 34\" width=\"362\" "
      "height=\"34\"><rect class=\"{}\" x=\"1\" y=\"2\" width=\"{}\" height=\"14\"/>"
      "<rect class=\"frame\" x=\"1\" y=\"2\" width=\"{}\" height=\"14\"/>"
      "<line class=\"mark\" x1=\"{}\" x2=\"{}\" y1=\"0\" y2=\"20\"/>"
      "<text x=\"{}\" y=\"31\" text-anchor=\"middle\">{}</text></svg>",
      words, words, kind, x(*facts.need.tile_bits), kWidth, x(limit) + 1, x(limit) + 1,
      std::min<std::uint64_t>(x(limit) + 1, kWidth - 12), limit);
}

/// load -> tile -> store; a thick arrow moves bytes.
std::string arrows(const model::Attachment& attachment, const lint::Traffic& traffic) {
  const auto style = [](const std::optional<std::uint64_t>& moved) {
    return moved == 0U ? "free" : "moves";
  };
  const std::string load = load_words(attachment);
  const std::string store = store_words(attachment);
  return fmt::format(
      "<svg role=\"img\" aria-label=\"load {}, store {}\" viewBox=\"0 0 480 26\" width=\"480\" "
      "height=\"26\"><text x=\"0\" y=\"17\">{}</text><line class=\"{}\" x1=\"160\" x2=\"208\" "
      "y1=\"13\" y2=\"13\"/><path class=\"{}\" d=\"M202 8l7 5l-7 5\" fill=\"none\"/>"
      "<rect class=\"tile\" x=\"212\" y=\"3\" width=\"44\" height=\"20\" rx=\"3\"/>"
      "<text x=\"234\" y=\"17\" text-anchor=\"middle\">tile</text><line class=\"{}\" x1=\"260\" "
      "x2=\"308\" y1=\"13\" y2=\"13\"/><path class=\"{}\" d=\"M302 8l7 5l-7 5\" fill=\"none\"/>"
      "<text x=\"316\" y=\"17\">{}</text></svg>",
      load, store, load, style(traffic.read), style(traffic.read), style(traffic.written),
      style(traffic.written), store);
}

void attachments(std::string& out, const Context& context, std::size_t p) {
  const model::Pass& pass = context.frame.passes[p];
  if (pass.attachments.empty()) return;
  out +=
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"attachments\"><table>"
      "<tr><th scope=\"col\">attachment</th><th scope=\"col\">load, tile, store</th><th "
      "scope=\"col\">read</th><th scope=\"col\">written</th></tr>";
  for (std::size_t a = 0; a < pass.attachments.size(); ++a) {
    const model::Attachment& attachment = pass.attachments[a];
    const lint::Traffic traffic = lint::traffic_of(pass, attachment);
    const std::string prefix = context.pass_name(p) + ", ";
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                       markup(context.attachment_name(p, a).substr(prefix.size())),
                       arrows(attachment, traffic), bytes(traffic.read), bytes(traffic.written));
  }
  out += "</table></div>";
}

std::string draws_words(const lint::DrawCounts& counts) {
  std::string out = fmt::format("{} draws", counts.draws);
  if (counts.indirect > 0) {
    out += fmt::format(", {} of them indirect, ", counts.indirect);
    out += counts.records
               ? fmt::format("{} of {} records empty", *counts.empty_records, *counts.records)
               : "records unknown";
  }
  if (counts.dispatches > 0) out += fmt::format(", {} dispatches", counts.dispatches);
  return out;
}

void passes(std::string& out, const Context& context) {
  out +=
      "<h2 id=\"passes\">Passes</h2><p class=\"dim\">Bytes are upper bounds: framebuffer "
      "compression is ignored. Thick arrows move bytes between tile and memory.</p>";
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const model::Pass& pass = context.frame.passes[p];
    const PassFacts& facts = context.passes[p];
    out += fmt::format("<section class=\"pass\" id=\"pass-{}\"><h3>{}</h3><p>", p + 1,
                       markup(context.pass_name(p)));
    if (pass.kind != model::PassKind::render) {
      out += fmt::format("{}; {}</p></section>\n", pass_kind_name(pass.kind),
                         draws_words(facts.counts));
      continue;
    }
    out += fmt::format("{}x{}; {}; tile {}; reads {}, writes {}</p>", pass.area.width,
                       pass.area.height, draws_words(facts.counts), lint::tile_text(facts.fit),
                       bytes(facts.traffic.read), bytes(facts.traffic.written));
    out += bits_bar(facts, context);
    attachments(out, context, p);
    out += "</section>\n";
  }
}

/// A pass that reads what another stored.
struct FlowEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  std::string title;
};

/// One edge a pair of passes.
std::vector<FlowEdge> flow_edges(const Context& context) {
  std::vector<FlowEdge> out;
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const model::Pass& pass = context.frame.passes[p];
    for (std::size_t a = 0; a < pass.attachments.size(); ++a) {
      for (const lint::Aspect aspect : lint::kAspects) {
        if (!lint::has_aspect(pass.attachments[a], aspect)) continue;
        if (lint::store_of(pass.attachments[a], aspect) != model::StoreOp::store) continue;
        for (const std::size_t reader : context.flow.store(p, a, aspect).readers) {
          const bool there = std::any_of(out.begin(), out.end(), [&](const FlowEdge& edge) {
            return edge.from == p && edge.to == reader;
          });
          if (!there) out.push_back({p, reader, context.attachment_name(p, a)});
        }
      }
    }
  }
  return out;
}

void data_flow(std::string& out, const Context& context) {
  const std::vector<FlowEdge> edges = flow_edges(context);
  const std::size_t count = context.frame.passes.size();
  if (count == 0) return;
  constexpr std::size_t kRow = 26;
  constexpr std::size_t kLeft = 260;
  constexpr std::size_t kName = 38;
  out += fmt::format(
      "<h2 id=\"flow\">Data flow</h2><p class=\"dim\">Arcs on the right: what a pass stores and a "
      "later one reads. On the left: what the next frame reads.</p><div class=\"scroll\" "
      "tabindex=\"0\" role=\"region\" aria-label=\"data flow\"><svg role=\"img\" aria-label=\"data "
      "flow of {} passes\" viewBox=\"0 0 760 {}\" width=\"760\" height=\"{}\">",
      count, count * kRow + 8, count * kRow + 8);
  for (std::size_t p = 0; p < count; ++p) {
    out += fmt::format(
        "<rect class=\"tile\" x=\"{}\" y=\"{}\" width=\"260\" height=\"20\" rx=\"3\"/><text "
        "x=\"{}\" "
        "y=\"{}\">{}</text>",
        kLeft, p * kRow + 4, kLeft + 6, p * kRow + 18,
        markup(base::trim(left(base::printable(context.pass_name(p)), kName))));
  }
  for (const FlowEdge& edge : edges) {
    const bool later = edge.to > edge.from;
    const std::size_t span = later ? edge.to - edge.from : edge.from - edge.to;
    const std::size_t bend = std::min<std::size_t>(220, 20 + span * 14);
    const std::size_t x = later ? kLeft + 260 : kLeft;
    const std::size_t control = later ? x + bend : x - bend;
    out += fmt::format(
        "<path class=\"edge\" d=\"M{0} {2}C{1} {2} {1} {3} {0} {3}\"><title>{4} is "
        "read by {5}</title></path>",
        x, control, edge.from * kRow + 14, edge.to * kRow + 14, markup(edge.title),
        markup(context.pass_name(edge.to)));
  }
  out += "</svg></div>\n";
}

void findings(std::string& out, const lint::Result& result) {
  out += "<h2 id=\"findings\">Findings</h2>";
  if (result.findings.empty()) {
    out += "<p>none</p>\n";
    return;
  }
  out += "<ol class=\"findings\">\n";
  for (const model::Finding& f : result.findings) {
    out += fmt::format(
        "<li class=\"finding\"><h3><span class=\"{0}\">{0}</span> {1} "
        "<code>{2}</code></h3><p>{3}</p><ul>",
        severity_name(f.severity), markup(f.title), markup(f.id), markup(f.where));
    for (const std::string& line : f.evidence) out += fmt::format("<li>{}</li>", markup(line));
    out += "</ul>";
    for (const std::string& line : f.advice) out += fmt::format("<p>{}</p>", markup(line));
    if (f.saving.ms_per_frame) {
      out += fmt::format("<p class=\"dim\">up to {:.2f} ms a frame; {}</p>", *f.saving.ms_per_frame,
                         markup(f.saving.bound));
    }
    out += "</li>\n";
  }
  out += "</ol>\n";
}

}  // namespace

std::string lint_html(const lint::Result& result) {
  const Context& context = result.context;
  const std::string name = markup(context.frame.source);
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\"><title>Tilebound lint: {}</title>"
      "<style>{}</style></head><body><main>\n<h1>{}</h1><p>{}{}; captured on {}; judged for {}; {} "
      "passes, {} findings</p>\n",
      name, kStyle, name, markup(context.frame.format),
      context.frame.number ? fmt::format(", frame {}", *context.frame.number) : "",
      context.frame.device.empty() ? "an unknown GPU" : markup(context.frame.device),
      context.target.name.empty() ? "tile-based GPUs in general" : markup(context.target.name),
      context.frame.passes.size(), result.findings.size());
  findings(out, result);
  passes(out, context);
  data_flow(out, context);
  if (!result.notes.empty()) {
    out += "<h2>Notes</h2><ul>";
    for (const model::Note& note : result.notes) {
      out += fmt::format("<li>{}{}</li>", markup(note.message),
                         note.count > 1 ? fmt::format(" ({} times)", note.count) : "");
    }
    out += "</ul>\n";
  }
  return out + "</main></body></html>\n";
}

}  // namespace tilebound::report
