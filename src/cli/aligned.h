#pragma once

#include <memory>
#include <vector>

#include "align/alignment.h"
#include "cli/api_capture.h"
#include "cli/capture_options.h"
#include "lint/lint.h"
#include "report/report.h"

/// An API capture laid on an analysed counter capture, for verbs.
namespace tilebound::cli {

struct Aligned {
  std::unique_ptr<model::ApiFrame> frame;  // that the others refer to
  std::unique_ptr<lint::Result> lint;
  align::Alignment alignment;
  std::vector<model::Finding> findings;

  report::Passes passes() const { return {alignment, *lint, findings}; }
};

/// Reads the API capture, judges its frame for the analysed device and aligns it. Throws
/// base::InputError, also where the frame is not the scene of the counters.
Aligned align_api_capture(const ApiCaptureOptions& options, const Analysed& analysed);

/// Analyses again with the frames that the alignment cuts, where they are surer than those of the
/// counters alone.
void analyse_guided_frames(const Aligned& aligned, const AnalyzeOptions& options,
                           Analysed& analysed);

}  // namespace tilebound::cli
