#pragma once

#include <string>

#include "align/alignment.h"
#include "report/json.h"
#include "report/report.h"

/// What `align` prints. Pure functions: the same input gives the same bytes.
namespace tilebound::report {

/// All that an alignment report speaks of.
struct AlignReport {
  const model::Capture& capture;
  const analyze::TrustReport& trust;
  const analyze::Analysis& analysis;
  const Passes& passes;
};

std::string align_text(const AlignReport& report, const TextOptions& options);
/// tilebound.align/1 (docs/json.md).
std::string align_json(const AlignReport& report);

/// The queues' passes and what a frame's time is made of, as part of a text.
void add_passes(std::string& out, const analyze::Analysis& analysis, const Passes& passes,
                std::size_t width);

/// Members of an alignment that other reports have too: "passes" and "alignment".
void add_alignment(Json& document, const align::Alignment& alignment, const lint::Context& context);

/// "exact", "mix", "none".
const char* method_name(align::Method method);
/// "fragment", "non_fragment".
const char* queue_name(analyze::Queue queue);

}  // namespace tilebound::report
