#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <optional>
#include <system_error>
#include <unistd.h>

#include "analyze/analysis.h"
#include "analyze/timeline.h"
#include "analyze/trust.h"
#include "base/error.h"
#include "cli/aligned.h"
#include "cli/capture_options.h"
#include "cli/files.h"
#include "cli/verb.h"
#include "report/perfetto_trace.h"
#include "report/report.h"

namespace tilebound::cli {

namespace {

struct Options {
  CaptureOptions capture;
  ApiCaptureOptions api;
  AnalyzeOptions analyze;
  OutputOptions output;
  bool all_counters = false;
};

/// What --format perfetto cannot do, before the capture is read.
void check_perfetto(const Options& options) {
  std::error_code ignored;
  const auto status = std::filesystem::status(options.capture.capture, ignored);
  if (options.capture.capture == "-" ||
      (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))) {
    throw base::UsageError(fmt::format(
        "--format perfetto reads the capture twice, to copy it; {} is no file that allows it",
        options.capture.capture));
  }
  if (options.output.output.empty() && ::isatty(STDOUT_FILENO) == 1) {
    throw base::UsageError("--format perfetto writes binary data: name a file with -o");
  }
}

/// Copies up to `count` bytes; fewer where the input ends.
void copy(base::ByteSource& source, std::uint64_t count, OutputFile& out) {
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
  while (count > 0) {
    std::string_view piece = source.peek(static_cast<std::size_t>(std::min(count, kPiece)));
    piece = piece.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(count, piece.size())));
    if (piece.empty()) return;
    out.write(piece);
    count -= piece.size();
    source.consume(piece.size());
  }
}

/// Every byte of the input, and our packets between two of its packets. Of another format, a trace
/// of its own.
void write_perfetto(const Options& options, const model::Capture& capture,
                    const analyze::Analysis& analysis, const report::Passes* passes) {
  OutputFile out(options.output.output);
  std::optional<base::ByteSource> source;
  if (capture.format == "perfetto") {
    source = open_input(options.capture.capture);
    copy(*source, capture.insertion.at, out);
  }
  report::perfetto_tracks(
      capture, analysis, [&out](std::string_view packet) { out.write(packet); }, passes);
  if (source) copy(*source, std::numeric_limits<std::uint64_t>::max(), out);
  out.commit();
}

int run(const Options& options) {
  if (options.output.format == "html" && !report::html_absent().empty()) {
    throw base::UsageError("--format html: " + report::html_absent());
  }
  if (options.output.format == "perfetto") check_perfetto(options);
  if (!options.api.file.empty()) refuse_to_replace(options.api.file, options.output.output);
  Analysed analysed = analyse_capture(options.capture, options.analyze, options.output);
  const auto& [capture, analysis] = analysed;
  std::optional<Aligned> aligned;
  std::optional<report::Passes> laid;
  if (!options.api.file.empty()) {
    aligned = align_api_capture(options.api, analysed);
    analyse_guided_frames(*aligned, options.analyze, analysed);
    laid.emplace(aligned->passes());
  }
  const report::Passes* passes = laid ? &*laid : nullptr;
  if (options.output.format == "perfetto") {
    write_perfetto(options, capture, analysis, passes);
    return 0;
  }
  const analyze::TrustReport trust = analysed.trust();
  std::string text;
  if (options.output.format == "json") {
    text = report::analysis_json(capture, trust, analysis, passes);
  } else if (options.output.format == "csv") {
    text = report::analysis_csv(capture, analysis);
  } else if (options.output.format == "html") {
    text = report::analysis_html(capture, trust, analysis, analyze::timeline(capture, analysis),
                                 passes);
  } else {
    text = report::analysis_text(capture, trust, analysis,
                                 {text_width(options.output), options.all_counters}, passes);
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
  add_api_capture_options(*verb, options->api, "--api");
  add_analyze_options(*verb, options->analyze);
  add_output_options(*verb, options->output, {"text", "json", "csv", "html", "perfetto"});
  verb->add_flag("--counters", options->all_counters, "also list every counter (text)");
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace tilebound::cli
