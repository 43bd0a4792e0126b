#include <memory>

#include "analyze/analysis.h"
#include "analyze/trust.h"
#include "cli/aligned.h"
#include "cli/capture_options.h"
#include "cli/files.h"
#include "cli/verb.h"
#include "report/report.h"

namespace tilebound::cli {

namespace {

struct Options {
  CaptureOptions capture;
  ApiCaptureOptions api;
  AnalyzeOptions analyze;
  OutputOptions output;
  bool all = false;
};

int run(const Options& options) {
  if (!options.api.file.empty()) refuse_to_replace(options.api.file, options.output.output);
  Analysed analysed = analyse_capture(options.capture, options.analyze, options.output);
  if (!options.api.file.empty()) {
    analyse_guided_frames(align_api_capture(options.api, analysed), options.analyze, analysed);
  }
  const auto& [capture, analysis] = analysed;
  const analyze::TrustReport trust = analysed.trust();
  std::string text;
  if (options.output.format == "json") {
    text = report::frames_json(capture, trust, analysis);
  } else if (options.output.format == "csv") {
    text = report::frames_csv(analysis);
  } else {
    text = report::frames_text(capture, trust, analysis, {text_width(options.output), false},
                               options.all);
  }
  write_output(options.output.output, text);
  return 0;
}

}  // namespace

void add_frames(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand(
      "frames", "where frames begin and end, their times, the typical one and the long ones");
  add_capture_options(*verb, options->capture);
  add_api_capture_options(*verb, options->api, "--api");
  add_analyze_options(*verb, options->analyze);
  add_output_options(*verb, options->output, {"text", "json", "csv"});
  verb->add_flag("--all", options->all, "list every frame (text)");
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace tilebound::cli
