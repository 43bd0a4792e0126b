#include "cli/aligned.h"

#include <optional>

#include "align/findings.h"
#include "base/error.h"

namespace tilebound::cli {

namespace {

/// Frames that counters show with this confidence need no other's help.
constexpr double kSureFrames = 0.9;

}  // namespace

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

void analyse_guided_frames(const Aligned& aligned, const AnalyzeOptions& options,
                           Analysed& analysed) {
  const std::optional<analyze::Frames> guided = align::guided_frames(aligned.alignment);
  const analyze::Frames& own = analysed.analysis.frames;
  // Marks and gaps show frames themselves; what recurs shows their pattern alone.
  const bool seen = own.method != "periodicity" && own.confidence >= kSureFrames;
  if (!guided || seen || guided->confidence <= own.confidence) return;
  analyze::Options again = to_options(options);
  again.frames = guided;
  analysed.analysis = analyze::analyze(analysed.capture, again);
}

}  // namespace tilebound::cli
