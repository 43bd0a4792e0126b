#pragma once

#include <string>

#include "analyze/analysis.h"
#include "analyze/trust.h"
#include "model/capture.h"

/// Results as text for a terminal, as JSON (a contract: docs/json.md) and as CSV. All of it is a
/// pure function of its input: the same input gives the same bytes.
namespace tilebound::report {

struct TextOptions {
  std::size_t width = 80;     // columns
  bool all_counters = false;  // also a table of every counter
};

std::string info_text(const model::Capture& capture, const analyze::TrustReport& trust,
                      const TextOptions& options);
std::string info_json(const model::Capture& capture, const analyze::TrustReport& trust);

std::string analysis_text(const model::Capture& capture, const analyze::TrustReport& trust,
                          const analyze::Analysis& analysis, const TextOptions& options);
std::string analysis_json(const model::Capture& capture, const analyze::TrustReport& trust,
                          const analyze::Analysis& analysis);

/// One table: a row a unit, then a row a counter, told apart by the first column.
std::string analysis_csv(const model::Capture& capture, const analyze::Analysis& analysis);

}  // namespace tilebound::report
