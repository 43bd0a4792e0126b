#include "report/json.h"
#include "report/lint_report.h"

namespace tilebound::report {

namespace {

using lint::Context;

std::string_view role_id(const model::Attachment& attachment) {
  if (attachment.is_resolve_target) return "resolve";
  switch (attachment.role) {
    case model::AttachmentRole::color:
      return "color";
    case model::AttachmentRole::depth_stencil:
      return "depth_stencil";
    case model::AttachmentRole::input:
      return "input";
    case model::AttachmentRole::shading_rate:
      return "shading_rate";
  }
  return "";
}

std::string_view fate_name(lint::Fate fate) {
  switch (fate) {
    case lint::Fate::read:
      return "read";
    case lint::Fate::presented:
      return "presented";
    case lint::Fate::kept:
      return "kept";
    case lint::Fate::never:
      return "never";
    case lint::Fate::unknown:
      break;
  }
  return "unknown";
}

/// By aspect: {"depth": "CLEAR", "stencil": "LOAD"}.
template <typename Name>
Json by_aspect(const model::Attachment& attachment, const Name& name) {
  static constexpr const char* kNames[] = {"color", "depth", "stencil"};
  Json out = Json::object();
  for (const lint::Aspect aspect : lint::kAspects) {
    if (!lint::has_aspect(attachment, aspect)) continue;
    out[kNames[static_cast<std::size_t>(aspect)]] = name(aspect);
  }
  return out;
}

/// What becomes of each aspect, and which passes read it.
Json flow_json(const Context& context, std::size_t p, std::size_t a) {
  const model::Attachment& attachment = context.frame.passes[p].attachments[a];
  return by_aspect(attachment, [&](lint::Aspect aspect) -> Json {
    if (lint::store_of(attachment, aspect) != model::StoreOp::store) return nullptr;
    const lint::Store store = context.flow.store(p, a, aspect);
    Json readers = Json::array();
    for (const std::size_t reader : store.readers) readers.push_back(reader + 1);
    return {{"fate", fate_name(store.fate)}, {"readers", std::move(readers)}};
  });
}

Json attachment_json(const Context& context, std::size_t p, std::size_t a) {
  const model::Pass& pass = context.frame.passes[p];
  const model::Attachment& attachment = pass.attachments[a];
  const model::Image* image = context.image_of(attachment);
  const lint::Traffic traffic = lint::traffic_of(pass, attachment);
  Json out = {
      {"role", role_id(attachment)},
      {"slot", attachment.slot},
      {"image", image == nullptr ? Json(nullptr) : Json(image->id)},
      {"name", image == nullptr || image->name.empty() ? Json(nullptr) : Json(image->name)},
      {"format", model::format_name(attachment.format)},
      {"samples", attachment.samples},
      {"load", by_aspect(attachment,
                         [&](lint::Aspect aspect) {
                           return load_name(lint::load_of(attachment, aspect));
                         })},
      {"store", by_aspect(attachment,
                          [&](lint::Aspect aspect) {
                            return store_name(lint::store_of(attachment, aspect));
                          })},
      {"flow", flow_json(context, p, a)},
      {"read_bytes", or_null(traffic.read)},
      {"write_bytes", or_null(traffic.written)},
      {"swapchain", image == nullptr ? Json(nullptr) : Json(image->swapchain)},
      {"lazily_allocated", image == nullptr ? Json(nullptr) : or_null(image->lazily_allocated)}};
  return out;
}

Json tile_json(const std::optional<lint::TileFit>& fit) {
  if (!fit || !fit->tile) return nullptr;
  return {{"width", fit->tile->width},   {"height", fit->tile->height}, {"full", fit->full},
          {"at_least", fit->at_least},   {"bins", or_null(fit->bins)},  {"spills", fit->spills},
          {"text", lint::tile_text(fit)}};
}

Json pass_json(const Context& context, std::size_t p) {
  const model::Pass& pass = context.frame.passes[p];
  const lint::PassFacts& facts = context.passes[p];
  const bool render = pass.kind == model::PassKind::render;
  Json attachments = Json::array();
  for (std::size_t a = 0; a < pass.attachments.size(); ++a) {
    attachments.push_back(attachment_json(context, p, a));
  }
  return {{"index", p + 1},
          {"label", pass.label.empty() ? pass.name : pass.label},
          {"kind", pass_kind_name(pass.kind)},
          {"width", pass.area.width},
          {"height", pass.area.height},
          {"layers", pass.layers},
          {"views", pass.views},
          {"subpasses", pass.subpasses},
          {"first_event", pass.first_event},
          {"last_event", pass.last_event},
          {"attachments", std::move(attachments)},
          {"bits_per_pixel", render ? or_null(facts.need.bits_per_pixel) : Json(nullptr)},
          {"tile_bits", render ? or_null(facts.need.tile_bits) : Json(nullptr)},
          {"tile", tile_json(facts.fit)},
          {"read_bytes", or_null(facts.traffic.read)},
          {"write_bytes", or_null(facts.traffic.written)},
          {"draws",
           {{"count", facts.counts.draws},
            {"indirect", facts.counts.indirect},
            {"dispatches", facts.counts.dispatches},
            {"vertices", or_null(facts.counts.vertices)},
            {"indirect_records", or_null(facts.counts.records)},
            {"empty_records", or_null(facts.counts.empty_records)}}}};
}

}  // namespace

std::string lint_json(const lint::Result& result) {
  const Context& context = result.context;
  const model::ApiFrame& frame = context.frame;
  Json out;
  out["schema"] = "tilebound.lint/1";
  out["capture"] = {{"file", frame.source},
                    {"format", frame.format},
                    {"api", frame.api == model::Api::gles ? "gles" : "vulkan"},
                    {"frame", or_null(frame.number)},
                    {"frames_in_source", frame.frames_in_source},
                    {"application", frame.application},
                    {"gpu", frame.device.empty() ? Json(nullptr) : Json(frame.device)},
                    {"notes", notes_json(result.notes)}};
  out["device"] = {
      {"id", context.target.device ? Json(context.target.device->id) : Json(nullptr)},
      {"name", context.target.name.empty() ? Json(nullptr) : Json(context.target.name)},
      {"asked", context.target.asked_for},
      {"bits_limit",
       context.target.hardware ? or_null(context.target.hardware->bits_limit) : Json(nullptr)}};
  out["fps"] = or_null(context.fps);
  out["passes"] = Json::array();
  for (std::size_t p = 0; p < frame.passes.size(); ++p)
    out["passes"].push_back(pass_json(context, p));
  out["findings"] = findings_json(result.findings);
  return dump(out);
}

}  // namespace tilebound::report
