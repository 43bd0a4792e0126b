#include <fmt/format.h>

#include "report/lint_report.h"

namespace tilebound::report {

using model::LoadOp;
using model::StoreOp;

namespace {

/// The op of colour or depth, and stencil's where it has one that differs.
template <typename Name, typename Of>
std::string words(const model::Attachment& attachment, const Name& name, const Of& of) {
  std::string out;
  for (const lint::Aspect aspect : lint::kAspects) {
    if (!lint::has_aspect(attachment, aspect)) continue;
    const std::string_view word = name(of(attachment, aspect));
    if (out.empty()) {
      out = word;
    } else if (out != word) {
      out += fmt::format(", stencil {}", word);
    }
  }
  return out.empty() ? "unknown" : out;
}

}  // namespace

std::string_view load_name(LoadOp op) {
  switch (op) {
    case LoadOp::load:
      return "LOAD";
    case LoadOp::clear:
      return "CLEAR";
    case LoadOp::dont_care:
      return "DONT_CARE";
    case LoadOp::none:
      return "NONE";
    case LoadOp::unknown:
      break;
  }
  return "unknown";
}

std::string_view store_name(StoreOp op) {
  switch (op) {
    case StoreOp::store:
      return "STORE";
    case StoreOp::dont_care:
      return "DONT_CARE";
    case StoreOp::none:
      return "NONE";
    case StoreOp::unknown:
      break;
  }
  return "unknown";
}

std::string format_words(const model::Attachment& attachment) {
  std::string out = model::format_name(attachment.format);
  if (attachment.samples > 1) out += fmt::format(" {}x", attachment.samples);
  return out;
}

std::string load_words(const model::Attachment& attachment) {
  return words(attachment, load_name, lint::load_of);
}

std::string store_words(const model::Attachment& attachment) {
  return words(attachment, store_name, lint::store_of);
}

std::string_view pass_kind_name(model::PassKind kind) {
  switch (kind) {
    case model::PassKind::render:
      return "render";
    case model::PassKind::compute:
      return "compute";
    case model::PassKind::transfer:
      return "transfer";
  }
  return "";
}

}  // namespace tilebound::report
