#include "report/align.h"

#include <memory>

#include "align/alignment.h"
#include "base/error.h"
#include "cli/api_capture.h"
#include "cli/capture_options.h"
#include "cli/files.h"
#include "cli/verb.h"
#include "lint/lint.h"

namespace tilebound::cli {

namespace {

struct Options {
  CaptureOptions capture;
  ApiCaptureOptions api;
  AnalyzeOptions analyze;
  OutputOptions output;
};

int run(const Options& options) {
  refuse_to_replace(options.api.file, options.output.output);
  const Analysed analysed = analyse_capture(options.capture, options.analyze, options.output);
  const model::ApiFrame frame = load_api_capture(options.api.file, options.api);
  lint::Options judged;
  judged.device = analysed.analysis.device;
  const lint::Result lint = lint::lint(frame, judged);
  const align::Alignment alignment =
      align::align(analysed.capture, analysed.analysis, lint.context);
  if (!alignment.aligned) {
    throw base::InputError(frame.source + ": is not the scene of " + analysed.capture.source +
                           ": " + alignment.reason);
  }
  const analyze::TrustReport trust = analysed.trust();
  const report::AlignReport report{analysed.capture, trust, analysed.analysis, lint, alignment};
  const std::string text = options.output.format == "json"
                               ? report::align_json(report)
                               : report::align_text(report, {text_width(options.output)});
  write_output(options.output.output, text);
  return 0;
}

}  // namespace

void add_align(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand(
      "align", "which pass of an API capture ran when, on the timeline of a counter capture");
  add_capture_options(*verb, options->capture);
  add_api_capture_options(*verb, options->api, "API");
  add_analyze_options(*verb, options->analyze);
  add_output_options(*verb, options->output, {"text", "json"});
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace tilebound::cli
