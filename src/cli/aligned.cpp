#include "cli/aligned.h"

#include "align/findings.h"
#include "base/error.h"

namespace tilebound::cli {

Aligned align_api_capture(const ApiCaptureOptions& options, const Analysed& analysed) {
  Aligned out;
  out.frame = std::make_unique<model::ApiFrame>(load_api_capture(options.file, options));
  lint::Options judged;
  judged.device = analysed.analysis.device;
  out.lint = std::make_unique<lint::Result>(lint::lint(*out.frame, judged));
  out.alignment = align::align(analysed.capture, analysed.analysis, out.lint->context);
  if (!out.alignment.aligned) {
    throw base::InputError(out.frame->source + ": cannot be laid on " + analysed.capture.source +
                           ": " + out.alignment.reason);
  }
  out.findings = align::measured_findings(*out.lint, out.alignment, analysed.analysis);
  return out;
}

}  // namespace tilebound::cli
