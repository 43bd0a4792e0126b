#include "cli/capture_options.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/device_argument.h"
#include "cli/files.h"
#include "devices/catalogue.h"
#include "ingest/importer.h"

namespace tilebound::cli {

namespace {

constexpr std::size_t kNarrowest = 60;
constexpr std::size_t kWidest = 200;
constexpr double kLowestRate = 0.1;
constexpr double kHighestRate = 1000;
/// Longer than any capture, and far from where nanoseconds overflow.
constexpr double kLongestRangeNs = 1e15;

/// A number from `least` to `most`; CLI::Range lets NaN pass.
CLI::Validator number_between(const char* what, double least, double most) {
  return {[=](const std::string& text) {
            const auto value = base::parse_number(text);
            if (value && *value >= least && *value <= most) return std::string();
            return fmt::format("{} is no {} from {} to {}", text, what, least, most);
          },
          fmt::format("in [{} - {}]", least, most)};
}

CLI::Validator frame_rate() {
  return number_between("frame rate", kLowestRate, kHighestRate);
}

CLI::Validator frame_time() {
  return number_between("frame time", 1000 / kHighestRate, 1000 / kLowestRate);
}

base::Nanoseconds parse_time(const std::string& range, std::string_view text, double missing) {
  if (text.empty()) return {static_cast<std::int64_t>(missing)};
  const auto ns = base::parse_duration_ns(base::trim(text));
  if (!ns || *ns < 0 || *ns > kLongestRangeNs) {
    throw base::UsageError(fmt::format(
        "--range {}: \"{}\" is no time such as 1.5s or 20ms (write BEGIN:END)", range, text));
  }
  return {std::llround(*ns)};
}

base::Interval parse_range(const std::string& text) {
  const auto parts = base::split(text, ':');
  if (parts.size() != 2) {
    throw base::UsageError(fmt::format("--range {}: write BEGIN:END, such as 1.5s:3s", text));
  }
  const base::Interval range{parse_time(text, parts[0], 0),
                             parse_time(text, parts[1], kLongestRangeNs)};
  if (range.empty()) throw base::UsageError(fmt::format("--range {}: ends before it begins", text));
  return range;
}

}  // namespace

void add_capture_options(CLI::App& verb, CaptureOptions& options) {
  verb.add_option("CAPTURE", options.capture, "counter capture; - is standard input")->required();
  verb.add_option("--log", options.log,
                  "second recording of the same run, joined by wall clock (VrApi logcat)");
}

model::Capture load_capture(const CaptureOptions& options) {
  base::ByteSource source = open_input(options.capture);
  model::Capture capture = ingest::read_capture(source);
  if (!options.log.empty()) {
    base::ByteSource log = open_input(options.log);
    ingest::join(capture, ingest::read_capture(log));
  }
  return capture;
}

void add_output_options(CLI::App& verb, OutputOptions& options,
                        const std::vector<std::string>& formats) {
  verb.add_option("--format", options.format, "output format")
      ->check(CLI::IsMember(formats))
      ->capture_default_str();
  verb.add_option("-o,--output", options.output, "write to this file instead of standard output");
  verb.add_option("--width", options.width, "columns of text output")
      ->check(CLI::Range(kNarrowest, kWidest));
}

std::size_t text_width(const OutputOptions& options) {
  if (options.width != 0) return options.width;
  struct winsize size {};
  if (options.output.empty() && ::isatty(STDOUT_FILENO) == 1 &&
      ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return std::clamp<std::size_t>(size.ws_col, kNarrowest, kWidest);
  }
  return 80;
}

void add_analyze_options(CLI::App& verb, AnalyzeOptions& options) {
  CLI::Option* device =
      verb.add_option("--device", options.device, "device profile: an id or a TOML file");
  verb.add_flag("--force-device", options.force_device,
                "use the profile even if it is of another device; every percentage is marked")
      ->needs(device);
  verb.add_option("--cores", options.cores, "number of shader cores")->check(CLI::Range(1, 64));
  verb.add_option("--core-counters", options.core_counters,
                  "what shader-core counters hold: their average or sum over cores")
      ->check(CLI::IsMember({"average", "sum"}));
  verb.add_option("--gpu", options.gpu, "GPU to analyse, where the capture has several");
  verb.add_option("--range", options.range, "part of the capture, BEGIN:END such as 1.5s:3s");
  CLI::Option* fps = verb.add_option("--fps", options.fps, "frame rate, for values per frame")
                         ->check(frame_rate());
  verb.add_option("--frame-ms", options.frame_ms, "frame time in ms, instead of --fps")
      ->check(frame_time())
      ->excludes(fps);
  verb.add_option("--target-fps", options.target_fps, "frame rate to reach, for headroom")
      ->check(frame_rate());
}

analyze::Options to_options(const AnalyzeOptions& options) {
  analyze::Options out;
  if (!options.range.empty()) out.range = parse_range(options.range);
  out.fps = options.frame_ms ? 1000 / *options.frame_ms : options.fps;
  out.target_fps = options.target_fps;
  out.gpu = options.gpu;
  out.cores = options.cores;
  if (options.core_counters == "average") out.core_counters = analyze::CoreCounters::averaged;
  if (options.core_counters == "sum") out.core_counters = analyze::CoreCounters::summed;
  if (!options.device.empty()) out.device = device_by_argument(options.device);
  out.force_device = options.force_device;
  return out;
}

analyze::TrustReport Analysed::trust() const {
  return analyze::trust_report(capture, {devices::bind(capture, analysis.gpu)});
}

Analysed analyse_capture(const CaptureOptions& capture, const AnalyzeOptions& options,
                         const OutputOptions& output) {
  const analyze::Options wanted = to_options(options);
  refuse_to_replace(capture.capture, output.output);
  refuse_to_replace(capture.log, output.output);
  Analysed out;
  out.capture = load_capture(capture);
  out.analysis = analyze::analyze(out.capture, wanted);
  return out;
}

}  // namespace tilebound::cli
