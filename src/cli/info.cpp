#include <memory>

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
  OutputOptions output;
};

int run(const Options& options) {
  refuse_to_replace(options.capture.capture, options.output.output);
  refuse_to_replace(options.capture.log, options.output.output);
  const model::Capture capture = load_capture(options.capture);
  if (const std::string reason = analyze::no_counters_reason(capture); !reason.empty()) {
    throw base::InputError(capture.source + ": " + reason);
  }
  std::vector<devices::Binding> bindings;
  for (const std::uint32_t gpu : analyze::gpus_of(capture)) {
    bindings.push_back(devices::bind(capture, gpu));
  }
  const analyze::TrustReport trust = analyze::trust_report(capture, bindings);
  const bool json = options.output.format == "json";
  write_output(options.output.output,
               json ? report::info_json(capture, trust)
                    : report::info_text(capture, trust, {text_width(options.output), false}));
  return 0;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      app.add_subcommand("info", "what is in a capture, and how far it can be trusted");
  add_capture_options(*verb, options->capture);
  add_output_options(*verb, options->output, {"text", "json"});
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace tilebound::cli
