#include <fmt/format.h>
#include <memory>

#include "align/alignment.h"
#include "cli/api_capture.h"
#include "cli/capture_options.h"
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
  const Analysed analysed = analyse_capture(options.capture, options.analyze, options.output);
  const model::ApiFrame frame = load_api_capture(options.api.file, options.api);
  lint::Options judged;
  judged.device = analysed.analysis.device;
  const lint::Context context(frame, judged);
  const align::Alignment result = align::align(analysed.capture, analysed.analysis, context);
  std::string text = "{\"frames\":[";
  for (std::size_t f = 0; f < result.frames.size(); ++f) {
    text += f ? ",{" : "{";
    for (int q = 0; q < 2; ++q) {
      const auto& passes = q ? result.non_fragment.passes : result.fragment.passes;
      const auto& times = q ? result.frames[f].non_fragment : result.frames[f].fragment;
      text += q ? ",\"nonfragment\":[" : fmt::format("\"matches\":{},\"fragment\":[", result.frames[f].matches);
      for (std::size_t k = 0; k < times.size(); ++k) {
        text += fmt::format("{}[{},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f}]", k ? "," : "", passes[k].work,
                            times[k].begin.ns, times[k].end.ns, times[k].begin.least_ns, times[k].begin.most_ns, times[k].end.least_ns, times[k].end.most_ns);
      }
      text += "]";
    }
    text += "}";
  }
  text += "],\"works\":[";
  for (std::size_t w = 0; w < result.works.size(); ++w)
    text += fmt::format("{}\"{}\"", w ? "," : "", frame.passes[result.works[w].pass].label.empty() ? frame.passes[result.works[w].pass].name : frame.passes[result.works[w].pass].label);
  for (int q = 0; q < 2; ++q) {
    text += fmt::format("],\"{}\":[", q ? "nf" : "fr");
    const auto& passes = q ? result.non_fragment.passes : result.fragment.passes;
    for (std::size_t k = 0; k < passes.size(); ++k)
      text += fmt::format("{}[{},{:.5f},{:.5f}]", k ? "," : "", passes[k].work, passes[k].ms.estimate, passes[k].error_ms);
  }
  text += "]}\n";
  write_output(options.output.output, text);
  return 0;
}

}  // namespace

void add_align(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("align", "which pass of an API capture ran when");
  add_capture_options(*verb, options->capture);
  add_api_capture_options(*verb, options->api, "API");
  add_analyze_options(*verb, options->analyze);
  add_output_options(*verb, options->output, {"json"});
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace tilebound::cli
