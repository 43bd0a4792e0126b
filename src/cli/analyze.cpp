#include <memory>

#include "analyze/analysis.h"
#include "analyze/timeline.h"
#include "analyze/trust.h"
#include "base/error.h"
#include "cli/capture_options.h"
#include "cli/files.h"
#include "cli/verb.h"
#include "devices/catalogue.h"
#include "report/report.h"

namespace tilebound::cli {

namespace {

struct Options {
  CaptureOptions capture;
  AnalyzeOptions analyze;
  OutputOptions output;
  bool all_counters = false;
};

int run(const Options& options) {
  if (options.output.format == "html" && !report::html_absent().empty()) {
    throw base::UsageError("--format html: " + report::html_absent());
  }
  const analyze::Options wanted = to_options(options.analyze);
  refuse_to_replace(options.capture.capture, options.output.output);
  refuse_to_replace(options.capture.log, options.output.output);
  const model::Capture capture = load_capture(options.capture);
  const analyze::Analysis analysis = analyze::analyze(capture, wanted);
  const analyze::TrustReport trust =
      analyze::trust_report(capture, {devices::bind(capture, analysis.gpu)});
  std::string text;
  if (options.output.format == "json") {
    text = report::analysis_json(capture, trust, analysis);
  } else if (options.output.format == "csv") {
    text = report::analysis_csv(capture, analysis);
  } else if (options.output.format == "html") {
    text = report::analysis_html(capture, trust, analysis, analyze::timeline(capture, analysis));
  } else {
    text = report::analysis_text(capture, trust, analysis,
                                 {text_width(options.output), options.all_counters});
  }
  write_output(options.output.output, text);
  return 0;
}

}  // namespace

void add_analyze(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand(
      "analyze", "the main job: clock, percent of peak of each unit, what limits, findings");
  add_capture_options(*verb, options->capture);
  add_analyze_options(*verb, options->analyze);
  add_output_options(*verb, options->output, {"text", "json", "csv", "html"});
  verb->add_flag("--counters", options->all_counters, "also list every counter (text)");
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace tilebound::cli
