#include "report/compare.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "analyze/compare/api_difference.h"
#include "analyze/compare/comparison.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/api_capture.h"
#include "cli/capture_options.h"
#include "cli/files.h"
#include "cli/verb.h"

namespace tilebound::cli {

namespace {

constexpr std::size_t kNamesShown = 16;
constexpr int kFailed = 1;

struct Options {
  std::vector<std::string> captures;
  AnalyzeOptions analyze;
  OutputOptions output;
  std::string fps_a;
  std::string fps_b;
  std::string resolution;
  std::string fail_above;
  std::string baseline;
  std::vector<std::string> allow;
  std::string ablation;
  ApiCaptureOptions api_a;
  ApiCaptureOptions api_b;
  bool same_scene = false;
  std::uint64_t seed = 1;
};

/// A rate as written: 60 means 59.5 to 60.5.
void set_rate(const std::string& text, analyze::RunOptions& run) {
  if (text.empty()) return;
  run.analysis.fps = base::parse_number(text);
  const std::size_t point = text.find('.');
  const double digits =
      point == std::string::npos ? 0 : static_cast<double>(text.size() - point - 1);
  run.fps_uncertainty = 0.5 * std::pow(10, -digits) / *run.analysis.fps;
}

std::optional<analyze::Screen> parse_resolution(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto parts = base::split(text, 'x');
  if (parts.size() == 2) {
    const auto width = base::parse_number(parts[0]);
    const auto height = base::parse_number(parts[1]);
    const auto fits = [](std::optional<double> v) {
      return v && *v >= 1 && *v <= 65536 && *v == std::floor(*v);
    };
    if (fits(width) && fits(height)) {
      return analyze::Screen{static_cast<std::uint32_t>(*width),
                             static_cast<std::uint32_t>(*height)};
    }
  }
  throw base::UsageError(
      fmt::format("--resolution {}: write WIDTHxHEIGHT, such as 2400x1080", text));
}

double parse_percent(const std::string& text) {
  std::string_view number = base::trim(text);
  if (number.ends_with('%')) number = base::trim(number.substr(0, number.size() - 1));
  const auto value = base::parse_number(number);
  if (!value || *value < 0) {
    throw base::UsageError(fmt::format("--fail-above {}: a percentage such as 5%", text));
  }
  return *value / 100;
}

/// A and B: two captures, or two lists apart by "--".
struct Sides {
  std::vector<std::string> a;
  std::vector<std::string> b;
};

Sides sides_of(const std::vector<std::string>& captures) {
  const auto mark = std::find(captures.begin(), captures.end(), kListMark);
  Sides sides;
  if (mark == captures.end()) {
    if (captures.size() != 2) {
      throw base::UsageError("compare: give A and B, or A1 A2 -- B1 B2 for repeated runs");
    }
    return {{captures[0]}, {captures[1]}};
  }
  sides.a.assign(captures.begin(), mark);
  sides.b.assign(mark + 1, captures.end());
  if (sides.a.empty() || sides.b.empty()) {
    throw base::UsageError("compare: captures are needed on both sides of --");
  }
  return sides;
}

std::vector<analyze::Run> load(const std::vector<std::string>& files, const Options& options,
                               const std::string& fps, const std::string& option) {
  std::vector<analyze::Run> runs;
  for (const std::string& file : files) {
    refuse_to_replace(file, options.output.output);
    analyze::RunOptions wanted;
    wanted.analysis = to_options(options.analyze);
    set_rate(fps, wanted);
    CaptureOptions capture;
    capture.capture = file;
    runs.push_back(analyze::make_run(load_capture(capture), wanted, option));
  }
  return runs;
}

/// What moved by more than the threshold: GPU cycles and frame time decide, counters explain.
void check_threshold(const analyze::Comparison& c, double most,
                     std::vector<std::string>& failures) {
  std::vector<std::string> moved;
  for (const analyze::CounterRow& row : c.counters) {
    if (!row.significant || !row.ratio || std::abs(row.ratio->value - 1) <= most) continue;
    moved.push_back(fmt::format("{} {:.3f}x", row.name, row.ratio->value));
  }
  const auto& active = c.gap.gpu_active_ratio;
  const bool above =
      active ? c.gap.gpu_active_significant && active->value > 1 + most : !moved.empty();
  if (!above) return;
  failures.push_back(
      active ? fmt::format(
                   "GPU active cycles per frame {:.3f}x, above the {:.3g} % allowed; moved: {}",
                   active->value, 100 * most, base::join_some(moved, kNamesShown))
             : fmt::format("moved by more than {:.3g} %: {}", 100 * most,
                           base::join_some(moved, kNamesShown)));
}

/// Ratios against those of a comparison that was saved as JSON.
void check_baseline(const analyze::Comparison& c, const std::string& path, double most,
                    std::vector<std::string>& failures) {
  const auto fail = [&path](const std::string& why) {
    throw base::InputError(fmt::format("{}: no saved comparison: {}", path, why));
  };
  nlohmann::json saved;
  try {
    saved = nlohmann::json::parse(read_text_file(path));
  } catch (const nlohmann::json::exception& e) {
    fail(e.what());
  }
  if (!saved.is_object() || saved.value("schema", nlohmann::json()) != "tilebound.compare/1") {
    fail("its schema is not tilebound.compare/1");
  }
  if (!saved["counters"].is_array()) fail("it has no counters");
  std::vector<std::string> moved;
  std::size_t met = 0;
  for (const analyze::CounterRow& row : c.counters) {
    if (row.derived || !row.ratio) continue;
    for (const nlohmann::json& before : saved["counters"]) {
      if (!before.is_object() || before.value("key", nlohmann::json()) != row.key) continue;
      const nlohmann::json ratio = before.value("ratio", nlohmann::json());
      const nlohmann::json low = before.value("ratio_low", nlohmann::json());
      const nlohmann::json high = before.value("ratio_high", nlohmann::json());
      if (!ratio.is_number() || !low.is_number() || !high.is_number()) continue;
      ++met;
      const double was = ratio.get<double>();
      // Half of a 95 % interval is about two standard errors.
      const double error =
          std::hypot((high.get<double>() - low.get<double>()) / 4, row.ratio->error);
      const double by = row.ratio->value - was;
      if (std::abs(by) > most * std::abs(was) && std::abs(by) > c.critical * error) {
        moved.push_back(fmt::format("{} {:.3f}x, was {:.3f}x", row.name, row.ratio->value, was));
      }
    }
  }
  if (met == 0) fail("none of its counters is in this comparison");
  if (!moved.empty()) {
    failures.push_back(fmt::format("moved from the baseline by more than {:.3g} %: {}", 100 * most,
                                   base::join_some(moved, kNamesShown)));
  }
}

void check_guards(const analyze::Comparison& c, const std::vector<std::string>& allowed,
                  std::vector<std::string>& failures) {
  const auto allow = [&](const std::string& id) {
    return std::find(allowed.begin(), allowed.end(), id) != allowed.end() ||
           std::find(allowed.begin(), allowed.end(), "all") != allowed.end();
  };
  for (const std::string& id : allowed) {
    const bool known = id == "all" || std::any_of(c.guards.begin(), c.guards.end(),
                                                  [&](const auto& g) { return g.id == id; });
    if (!known) throw base::UsageError(fmt::format("--allow {}: no guard of that name", id));
  }
  for (const analyze::Guard& guard : c.guards) {
    if (guard.holds == false && !allow(guard.id)) {
      failures.push_back(
          fmt::format("guard {}: {} (--allow {} accepts it)", guard.id, guard.message, guard.id));
    }
  }
}

/// Behind the step on tiles, which it names the passes of; a note where there is no reading.
void add_api_step(analyze::Comparison& c, analyze::ReadingStep step) {
  if (c.reading.empty()) {
    model::add_note(c.notes, step.id, model::Severity::info, step.title + ": " + step.conclusion);
    return;
  }
  const auto tiles = std::find_if(c.reading.begin(), c.reading.end(),
                                  [](const auto& s) { return s.id == "tiles"; });
  c.reading.insert(tiles == c.reading.end() ? tiles : tiles + 1, std::move(step));
}

int run(const Options& options) {
  const Sides sides = sides_of(options.captures);
  const auto resolution = parse_resolution(options.resolution);
  const double most = options.fail_above.empty() ? 0 : parse_percent(options.fail_above);
  const auto a = load(sides.a, options, options.fps_a, "--fps-a");
  const auto b = load(sides.b, options, options.fps_b, "--fps-b");
  analyze::CompareOptions wanted;
  wanted.resolution = resolution;
  wanted.same_scene = options.same_scene;
  wanted.seed = options.seed;
  wanted.ablation = options.ablation;
  analyze::Comparison comparison = analyze::compare(a, b, wanted);
  if (options.api_a.file.empty() != options.api_b.file.empty()) {
    throw base::UsageError("compare: --api-a and --api-b go together");
  }
  if (!options.api_a.file.empty()) {
    const model::ApiFrame frame_a = load_api_capture(options.api_a.file, options.api_a);
    const model::ApiFrame frame_b = load_api_capture(options.api_b.file, options.api_b);
    add_api_step(comparison, analyze::api_step(frame_a, frame_b));
  }
  report::ComparisonInput input{a, b, comparison, {}};
  std::vector<std::string> allowed = options.allow;
  if (options.same_scene) allowed.emplace_back("same_scene");
  check_guards(comparison, allowed, input.failures);
  if (!options.fail_above.empty() && options.baseline.empty()) {
    check_threshold(comparison, most, input.failures);
  }
  if (!options.baseline.empty()) check_baseline(comparison, options.baseline, most, input.failures);
  const std::string& format = options.output.format;
  const std::string text = format == "json"   ? report::comparison_json(input)
                           : format == "csv"  ? report::comparison_csv(input)
                           : format == "html" ? report::comparison_html(input)
                           : format == "markdown"
                               ? report::comparison_markdown(input)
                               : report::comparison_text(input, {text_width(options.output), true});
  write_output(options.output.output, text);
  if (format != "text" || !options.output.output.empty()) {
    for (const std::string& line : input.failures) {
      fmt::print(stderr, "tilebound: {}\n", base::printable(line));
    }
  }
  return input.failures.empty() ? 0 : kFailed;
}

CLI::Validator rate() {
  return {[](const std::string& text) {
            const auto value = base::parse_number(text);
            return value && *value >= 0.1 && *value <= 1000
                       ? std::string()
                       : fmt::format("{} is no frame rate from 0.1 to 1000", text);
          },
          "in [0.1 - 1000]"};
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand(
      "compare", "why B is slower than A: per-frame counters, the reading, what explains the gap");
  verb->add_option("CAPTURES", options->captures, "A and B; or A1 A2 ... -- B1 B2 ...")->required();
  verb->add_option("--fps-a", options->fps_a, "frame rate of A, where its frames are not found")
      ->check(rate());
  verb->add_option("--fps-b", options->fps_b, "frame rate of B")->check(rate());
  verb->add_option("--resolution", options->resolution,
                   "WIDTHxHEIGHT of the screen, to count full-screen passes and draws");
  verb->add_flag("--same-scene", options->same_scene,
                 "vouch for the same scene: read on although geometry differs");
  verb->add_option("--fail-above", options->fail_above,
                   "exit 1 when B takes more GPU cycles per frame than this above A, such as 5%");
  verb->add_option("--baseline", options->baseline,
                   "saved JSON of an earlier comparison: exit 1 when ratios moved from it");
  verb->add_option("--ablation", options->ablation,
                   "name of a pass or effect that only one side draws: its cost per frame");
  verb->add_option("--allow", options->allow,
                   "guards whose failure does not end in exit 1, by id; all for every one")
      ->delimiter(',');
  verb->add_option("--api-a", options->api_a.file,
                   "API capture of A's scene, to name the passes that differ");
  verb->add_option("--api-b", options->api_b.file, "API capture of B's scene");
  verb->add_option("--seed", options->seed, "of the resamples")->capture_default_str();
  CLI::Option* device =
      verb->add_option("--device", options->analyze.device, "device profile: an id or a TOML file");
  verb->add_flag("--force-device", options->analyze.force_device,
                 "use the profile even if it is of another device")
      ->needs(device);
  verb->add_option("--cores", options->analyze.cores, "number of shader cores")
      ->check(CLI::Range(1, 64));
  verb->add_option("--core-counters", options->analyze.core_counters,
                   "what shader-core counters hold: their average or sum over cores")
      ->check(CLI::IsMember({"average", "sum"}));
  verb->add_option("--gpu", options->analyze.gpu, "GPU to compare, where captures have several");
  add_output_options(*verb, options->output, {"text", "json", "csv", "html", "markdown"});
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace tilebound::cli
