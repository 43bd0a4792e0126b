#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "report/json.h"
#include "report/layout.h"
#include "report/lint_report.h"

namespace tilebound::report {

namespace {

using lint::Context;
using lint::PassFacts;

std::string bytes(const std::optional<std::uint64_t>& value) {
  return value ? base::short_number(static_cast<double>(*value), "B") : "unknown";
}

std::string number(const std::optional<std::uint32_t>& value) {
  return value ? std::to_string(*value) : "unknown";
}

std::string draws_text(const lint::DrawCounts& counts) {
  std::string out = fmt::format("{} {}", counts.draws, counts.draws == 1 ? "draw" : "draws");
  if (counts.indirect > 0) {
    out += fmt::format(", {} indirect (", counts.indirect);
    out += counts.records
               ? fmt::format("{} of {} records empty)", *counts.empty_records, *counts.records)
               : "records unknown)";
  }
  if (counts.dispatches > 0) out += fmt::format(", {} dispatches", counts.dispatches);
  return out;
}

void head(std::string& out, const Context& context, std::size_t width) {
  const model::ApiFrame& frame = context.frame;
  out += fmt::format("LINT  {}\n", base::printable(frame.source));
  paragraph(out, "  Frame     ",
            fmt::format("{}{}{}", frame.format,
                        frame.number ? fmt::format(", frame {}", *frame.number) : "",
                        frame.application.empty() ? "" : ", " + frame.application),
            width);
  paragraph(out, "  Captured  ", frame.device.empty() ? "GPU unknown" : "on " + frame.device,
            width);
  const std::string name =
      context.target.name.empty()
          ? "tile-based GPUs in general; --device names one"
          : context.target.name + (context.target.hardware ? "" : " (its tiles are not known)");
  paragraph(out, "  Judged    ", "for " + name, width);
}

void attachment_rows(std::string& out, const model::Pass& pass, std::size_t width) {
  for (const model::Attachment& attachment : pass.attachments) {
    const char* role = attachment.is_resolve_target                              ? "resolve"
                       : attachment.role == model::AttachmentRole::color         ? "colour"
                       : attachment.role == model::AttachmentRole::depth_stencil ? "depth"
                       : attachment.role == model::AttachmentRole::input         ? "input"
                                                                                 : "rate";
    paragraph(out, fmt::format("      {} {} ", left(role, 7), left(format_words(attachment), 26)),
              fmt::format("{} -> tile -> {}", load_words(attachment), store_words(attachment)),
              width);
  }
}

void pass_rows(std::string& out, const lint::Result& result, std::size_t p, std::size_t width) {
  const model::Pass& pass = result.context.frame.passes[p];
  const PassFacts& facts = result.context.passes[p];
  const std::string& label = pass.label.empty() ? pass.name : pass.label;
  std::string size = fmt::format("{}x{}", pass.area.width, pass.area.height);
  if (pass.layers > 1) size += fmt::format(", {} layers", pass.layers);
  if (pass.views > 1) size += fmt::format(", {} views", pass.views);
  if (pass.subpasses > 1) size += fmt::format(", {} subpasses", pass.subpasses);
  if (pass.kind != model::PassKind::render) {
    paragraph(out, fmt::format("  {:3}  ", p + 1),
              fmt::format("{}{}: {}", pass_kind_name(pass.kind), label.empty() ? "" : " " + label,
                          draws_text(facts.counts)),
              width);
    return;
  }
  paragraph(
      out, fmt::format("  {:3}  ", p + 1),
      fmt::format("{}{}; {}", label.empty() ? "" : label + ": ", size, draws_text(facts.counts)),
      width);
  paragraph(out, "      ",
            fmt::format("{} bits a pixel, {} in the tile; tile {}; reads {}, writes {}",
                        number(facts.need.bits_per_pixel), number(facts.need.tile_bits),
                        lint::tile_text(facts.fit), bytes(facts.traffic.read),
                        bytes(facts.traffic.written)),
            width);
  attachment_rows(out, pass, width);
}

}  // namespace

void add_findings(std::string& out, const std::vector<model::Finding>& findings,
                  std::size_t width) {
  out += "\nFINDINGS\n";
  if (findings.empty()) {
    out += "  none\n";
    return;
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const model::Finding& f = findings[i];
    std::string title = fmt::format("{}: {} [{}]", severity_name(f.severity), f.title, f.id);
    if (f.saving.ms_per_frame) {
      title += fmt::format(", up to {:.2f} ms a frame", *f.saving.ms_per_frame);
    }
    paragraph(out, fmt::format("{:3}. ", i + 1), title, width);
    paragraph(out, "     ", f.where, width);
    for (const std::string& line : f.evidence) paragraph(out, "     - ", line, width);
    for (const std::string& line : f.advice) paragraph(out, "     > ", line, width);
  }
}

std::string lint_text(const lint::Result& result, const TextOptions& options) {
  std::string out;
  head(out, result.context, options.width);
  out += "\nPASSES  bytes are upper bounds: framebuffer compression is ignored\n";
  if (result.context.frame.passes.empty()) out += "  none\n";
  for (std::size_t p = 0; p < result.context.frame.passes.size(); ++p) {
    pass_rows(out, result, p, options.width);
  }
  add_findings(out, result.findings, options.width);
  if (!result.notes.empty()) notes(out, result.notes, options.width);
  return out;
}

}  // namespace tilebound::report
