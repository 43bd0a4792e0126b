#include "align/findings.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "base/text.h"

namespace tilebound::align {

namespace {

constexpr const char* kMemoryUnit = "external_memory";
/// Measured bytes below and above these shares of the estimate are worth a look.
constexpr double kFewBytes = 0.4;
constexpr double kManyBytes = 1.2;
/// Passes that write less than this a frame are not worth one.
constexpr double kLeastBytes = 1e6;

const PassOnQueue* fragments_of(const Alignment& alignment, std::size_t pass) {
  for (const PassOnQueue& on_queue : alignment.fragment.passes) {
    if (alignment.works[on_queue.work].pass == pass) return &on_queue;
  }
  return nullptr;
}

/// The pass that a finding is about: its `where` begins with the pass's name.
std::optional<std::size_t> pass_of(const lint::Context& context, const model::Finding& finding) {
  std::optional<std::size_t> out;
  std::size_t longest = 0;
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    const std::string name = context.pass_name(p);
    if (name.size() <= longest || !finding.where.starts_with(name)) continue;
    // "pass 1" is no "pass 12".
    const bool ends =
        finding.where.size() == name.size() ||
        std::string_view("0123456789").find(finding.where[name.size()]) == std::string_view::npos;
    if (!ends) continue;
    out = p;
    longest = name.size();
  }
  return out;
}

void add_measurement(const PassOnQueue& pass, const analyze::Analysis& analysis,
                     model::Finding& finding) {
  std::string measured = fmt::format("measured: {:.2f} ms a frame", pass.ms.estimate);
  if (!pass.merged_with.empty()) {
    finding.evidence.push_back(
        fmt::format("measured: at most {:.2f} ms a frame, as one of a group of passes that the "
                    "samples do not tell apart",
                    pass.ms.most));
    finding.saving.ms_per_frame.reset();
    return;
  }
  const bool memory =
      std::find(pass.limiters.begin(), pass.limiters.end(), kMemoryUnit) != pass.limiters.end();
  if (!memory) {
    if (!pass.limiters.empty()) {
      measured += fmt::format(", limited by {}: fewer bytes alone make it no faster",
                              analyze::unit_label(analysis, pass.limiters.front()));
    }
    finding.evidence.push_back(measured);
    finding.saving.ms_per_frame.reset();
    return;
  }
  finding.evidence.push_back(measured + ", limited by external memory");
  if (!finding.saving.bytes_per_frame || !pass.read_bytes || !pass.written_bytes) return;
  const double moved = *pass.read_bytes + *pass.written_bytes;
  if (moved <= 0) return;
  const double share = std::min(1.0, *finding.saving.bytes_per_frame / moved);
  finding.saving.ms_per_frame = share * pass.ms.estimate;
  finding.saving.bound = "the bytes' share of what the pass moved, times its measured time";
}

std::optional<model::Finding> unlike_estimate(const lint::Context& context, const PassWork& work,
                                              const PassOnQueue& pass) {
  if (!pass.merged_with.empty() || !pass.written_bytes || !work.stored_bytes.known()) {
    return std::nullopt;
  }
  const double estimated = work.stored_bytes.value;
  if (estimated < kLeastBytes) return std::nullopt;
  const double ratio = *pass.written_bytes / estimated;
  if (ratio >= kFewBytes && ratio <= kManyBytes) return std::nullopt;
  model::Finding out;
  out.where = context.pass_name(work.pass);
  out.evidence.push_back(fmt::format(
      "fragments wrote {} a frame to external memory; the attachments stored are {}",
      base::short_number(*pass.written_bytes, "B"), base::short_number(estimated, "B")));
  if (ratio < kFewBytes) {
    out.id = "stores_less_than_attachments";
    out.title = "Much less is written than the attachments hold";
    out.advice.push_back(
        "Framebuffer compression, tiles that did not change or a cache keep bytes off the bus: "
        "what "
        "a fix of these stores saves is as much less than the estimate.");
  } else {
    out.severity = model::Severity::warning;
    out.id = "stores_more_than_attachments";
    out.title = "More is written than the attachments hold";
    out.advice.push_back(
        "Look for storage images and buffers that its shaders write, and for attachments that are "
        "stored twice.");
  }
  return out;
}

}  // namespace

std::vector<model::Finding> measured_findings(const lint::Result& lint, const Alignment& alignment,
                                              const analyze::Analysis& analysis) {
  std::vector<model::Finding> out = lint.findings;
  if (!alignment.aligned) return out;
  for (model::Finding& finding : out) {
    const auto pass = pass_of(lint.context, finding);
    const PassOnQueue* measured = pass ? fragments_of(alignment, *pass) : nullptr;
    if (measured != nullptr) add_measurement(*measured, analysis, finding);
  }
  for (const PassWork& work : alignment.works) {
    const PassOnQueue* measured = fragments_of(alignment, work.pass);
    if (measured == nullptr) continue;
    if (auto finding = unlike_estimate(lint.context, work, *measured)) {
      out.push_back(std::move(*finding));
    }
  }
  return out;
}

}  // namespace tilebound::align
