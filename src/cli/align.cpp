#include "report/align.h"

#include <memory>

#include "cli/aligned.h"
#include "cli/files.h"
#include "cli/verb.h"

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
  const Aligned aligned = align_api_capture(options.api, analysed);
  const analyze::TrustReport trust = analysed.trust();
  const report::Passes passes = aligned.passes();
  const report::AlignReport report{analysed.capture, trust, analysed.analysis, passes};
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
