#pragma once

#include <string>
#include <vector>

#include "align/alignment.h"
#include "analyze/analysis.h"
#include "analyze/timeline.h"
#include "analyze/trust.h"
#include "lint/lint.h"
#include "model/capture.h"
#include "model/finding.h"

/// Results as text for a terminal, as JSON (a contract: docs/json.md) and as CSV. All of it is a
/// pure function of its input: the same input gives the same bytes.
namespace tilebound::report {

/// The passes of an API capture laid on the counter capture, for reports that have them too.
struct Passes {
  const align::Alignment& alignment;
  const lint::Result& lint;
  const std::vector<model::Finding>& findings;  // on passes, with what was measured of them
};

struct TextOptions {
  std::size_t width = 80;     // columns
  bool all_counters = false;  // also a table of every counter
};

std::string info_text(const model::Capture& capture, const analyze::TrustReport& trust,
                      const TextOptions& options);
std::string info_json(const model::Capture& capture, const analyze::TrustReport& trust);

std::string analysis_text(const model::Capture& capture, const analyze::TrustReport& trust,
                          const analyze::Analysis& analysis, const TextOptions& options,
                          const Passes* passes = nullptr);
std::string analysis_json(const model::Capture& capture, const analyze::TrustReport& trust,
                          const analyze::Analysis& analysis, const Passes* passes = nullptr);

/// The analysis as one HTML page that needs nothing else: data, script and style are inside.
/// Throws base::UsageError when the program was built without the page (html_absent()).
std::string analysis_html(const model::Capture& capture, const analyze::TrustReport& trust,
                          const analyze::Analysis& analysis, const analyze::Timeline& timeline,
                          const Passes* passes = nullptr);

/// Why this program has no page; empty when it has one.
std::string html_absent();

/// Frames alone, each with what it was limited by.
std::string frames_text(const model::Capture& capture, const analyze::TrustReport& trust,
                        const analyze::Analysis& analysis, const TextOptions& options,
                        bool all_frames);
std::string frames_json(const model::Capture& capture, const analyze::TrustReport& trust,
                        const analyze::Analysis& analysis);
/// A row a frame; a column a unit of the device.
std::string frames_csv(const analyze::Analysis& analysis);

/// One table: a row a unit, then a row a counter, told apart by the first column.
std::string analysis_csv(const model::Capture& capture, const analyze::Analysis& analysis);

}  // namespace tilebound::report
