#include <memory>
#include <optional>

#include "cli/api_capture.h"
#include "cli/capture_options.h"
#include "cli/files.h"
#include "cli/verb.h"
#include "report/lint_report.h"

namespace tilebound::cli {

namespace {

struct Options {
  ApiCaptureOptions capture;
  std::string other;
  OutputOptions output;
};

int run(const Options& options) {
  refuse_to_replace(options.capture.file, options.output.output);
  refuse_to_replace(options.other, options.output.output);
  const model::ApiFrame frame = load_api_capture(options.capture.file, options.capture);
  std::optional<model::ApiFrame> other;
  if (!options.other.empty()) other = load_api_capture(options.other, options.capture);
  const model::ApiFrame* against = other ? &*other : nullptr;
  write_output(options.output.output,
               options.output.format == "json"
                   ? report::census_json(frame, against)
                   : report::census_text(frame, against, {text_width(options.output)}));
  return 0;
}

}  // namespace

void add_census(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand(
      "census", "what a frame of an API capture is made of: commands, labels, areas, ops");
  add_api_capture_options(*verb, options->capture);
  verb->add_option("--diff", options->other, "count this capture too, and the difference");
  add_output_options(*verb, options->output, {"text", "json"});
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace tilebound::cli
