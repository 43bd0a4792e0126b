#include "report/census.h"

#include <fmt/format.h>

#include "report/lint_report.h"

namespace tilebound::report {

Census census_of(const model::ApiFrame& frame) {
  Census out;
  out.commands = frame.calls;
  out.work = {{"dispatches", frame.dispatches.size()},   {"barriers", frame.barriers.size()},
              {"clears in passes", frame.clears.size()}, {"draws", frame.draws.size()},
              {"presents", frame.presents.size()},       {"submissions", frame.submits},
              {"transfers", frame.transfers.size()},     {"images", frame.images.size()},
              {"pipelines", frame.pipelines.size()}};
  for (const char* kind : {"render passes", "compute passes", "transfer passes"}) {
    out.work[kind] = 0;
  }
  out.work["indirect draws"] = 0;
  for (const model::Draw& draw : frame.draws) {
    if (draw.indirect != model::IndirectSource::direct) ++out.work["indirect draws"];
    ++out.labels[draw.label.empty() ? "(no label)" : draw.label];
  }
  for (const model::Dispatch& dispatch : frame.dispatches) {
    ++out.labels[dispatch.label.empty() ? "(no label)" : dispatch.label];
  }
  for (const model::Pass& pass : frame.passes) {
    ++out.work[fmt::format("{} passes", pass_kind_name(pass.kind))];
    if (pass.kind != model::PassKind::render) continue;
    ++out.areas[fmt::format("{}x{}", pass.area.width, pass.area.height)];
    for (const model::Attachment& attachment : pass.attachments) {
      const char* role = attachment.is_resolve_target                              ? "resolve"
                         : attachment.role == model::AttachmentRole::depth_stencil ? "depth"
                         : attachment.role == model::AttachmentRole::color         ? "colour"
                                                                                   : "other";
      ++out.ops[fmt::format("{} {} -> {}", role, load_words(attachment), store_words(attachment))];
      ++out.attachments[format_words(attachment)];
    }
  }
  return out;
}

}  // namespace tilebound::report
