#include "lint/lint.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "cli/api_capture.h"
#include "cli/capture_options.h"
#include "cli/device_argument.h"
#include "cli/files.h"
#include "cli/verb.h"
#include "report/lint_report.h"

namespace tilebound::cli {

namespace {

constexpr double kHighestRate = 1000;

struct Options {
  ApiCaptureOptions capture;
  std::string device;
  std::string fps;
  std::string fail_on;
  OutputOptions output;
};

lint::Options judged_for(const Options& options) {
  lint::Options out;
  if (!options.device.empty()) out.device = device_by_argument(options.device);
  if (!options.fps.empty()) {
    out.fps = base::parse_number(options.fps);
    if (!out.fps || !(*out.fps > 0) || *out.fps > kHighestRate) {
      throw base::UsageError("--fps " + options.fps + ": write a frame rate up to 1000");
    }
  }
  return out;
}

/// Whether the worst finding is one that was asked to fail the run.
bool fails(const std::vector<model::Finding>& findings, const std::string& fail_on) {
  if (fail_on.empty()) return false;
  const model::Severity least = fail_on == "error"     ? model::Severity::error
                                : fail_on == "warning" ? model::Severity::warning
                                                       : model::Severity::info;
  return std::any_of(findings.begin(), findings.end(),
                     [&](const model::Finding& finding) { return finding.severity >= least; });
}

int run(const Options& options) {
  const lint::Options wanted = judged_for(options);
  refuse_to_replace(options.capture.file, options.output.output);
  const model::ApiFrame frame = load_api_capture(options.capture.file, options.capture);
  const lint::Result result = lint::lint(frame, wanted);
  std::string text;
  if (options.output.format == "json") {
    text = report::lint_json(result);
  } else if (options.output.format == "sarif") {
    text = report::lint_sarif(result, TILEBOUND_VERSION);
  } else if (options.output.format == "html") {
    text = report::lint_html(result);
  } else {
    text = report::lint_text(result, {text_width(options.output)});
  }
  write_output(options.output.output, text);
  return fails(result.findings, options.fail_on) ? 1 : 0;
}

}  // namespace

void add_lint(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      app.add_subcommand("lint", "what an API capture wastes: render passes, tile memory, draws");
  add_api_capture_options(*verb, options->capture);
  verb->add_option("--device", options->device,
                   "judge for this GPU: an id of `tilebound devices`, or a profile");
  verb->add_option("--fps", options->fps, "also give bytes a second at this frame rate");
  verb->add_option("--fail-on", options->fail_on,
                   "exit with 1 when a finding is at least this severe")
      ->check(CLI::IsMember({"info", "warning", "error"}));
  add_output_options(*verb, options->output, {"text", "json", "sarif", "html"});
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace tilebound::cli
