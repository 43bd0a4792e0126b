#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analyze/compare/spread.h"
#include "analyze/compare/steps.h"
#include "base/statistics.h"
#include "base/text.h"

namespace tilebound::analyze {

namespace {

constexpr double kSameClock = 0.01;
constexpr double kStableClock = 0.02;
constexpr double kSamePeriod = 0.20;
constexpr double kTemperatureC = 5;
constexpr double kDrift = 0.03;
constexpr double kSureClock = 0.5;
/// Two rates this close are the same rate.
constexpr double kSameRate = 0.05;
/// All fragment counters this close to one ratio look like another resolution.
constexpr double kOneRatio = 0.03;
constexpr std::size_t kNamesShown = 6;

/// A number of every run of a side, as a mean; nothing where a run lacks it.
template <typename F>
std::optional<double> mean_over(std::span<const Run> runs, const F& f) {
  std::vector<double> values;
  for (const Run& run : runs) {
    const std::optional<double> value = f(run);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return base::mean(values);
}

template <typename F>
void for_each_run(const Pair& pair, const F& f) {
  for (std::size_t i = 0; i < pair.a().size(); ++i) {
    f(pair.a()[i], pair.a().size() > 1 ? fmt::format("A{}", i + 1) : std::string("A"));
  }
  for (std::size_t i = 0; i < pair.b().size(); ++i) {
    f(pair.b()[i], pair.b().size() > 1 ? fmt::format("B{}", i + 1) : std::string("B"));
  }
}

Guard same_scene(const Pair& pair) {
  Guard guard{"same_scene", std::nullopt, ""};
  std::vector<std::string> differ;
  std::vector<std::string> agree;
  const std::pair<const char*, const char*> geometry[] = {
      {kTriangles, "input triangles"},
      {kVisible, "visible primitives"},
      {kPositions, "position shading requests"}};
  for (const auto& [key, name] : geometry) {
    const Change change = pair.change(key);
    if (!change.known) continue;
    if (change.equal(kLeastChange)) {
      agree.emplace_back(name);
    } else {
      differ.push_back(change.ratio ? fmt::format("{} {:.3f}x", name, change.ratio->value)
                                    : fmt::format("{} only in B", name));
    }
  }
  if (!differ.empty()) {
    guard.holds = false;
    guard.message = fmt::format("different scenes: {}", fmt::join(differ, ", "));
    return guard;
  }
  if (agree.empty()) {
    guard.message = "no geometry counter in both captures: cannot tell";
    return guard;
  }
  if (!pair.judged()) {
    guard.message = "too few frames to tell";
    return guard;
  }
  guard.holds = true;
  guard.message = fmt::format("{} agree within their noise", fmt::join(agree, ", "));
  return guard;
}

Guard clocks(const Pair& pair) {
  const auto clock = [](const Run& run) -> std::optional<double> {
    if (!run.analysis.clock_summary || run.analysis.clock.confidence < kSureClock) return {};
    return run.analysis.clock_summary->mean_hz;
  };
  const auto a = mean_over(pair.a(), clock);
  const auto b = mean_over(pair.b(), clock);
  if (!a || !b) {
    return {"same_clock", std::nullopt,
            "GPU clock unknown: cycles can only be compared at equal clocks"};
  }
  const std::string text = fmt::format("A {:.0f} MHz, B {:.0f} MHz", *a * 1e-6, *b * 1e-6);
  if (std::abs(*b / *a - 1) > kSameClock) {
    return {"same_clock", false,
            text +
                ": external memory takes more cycles at a higher clock, and "
                "times differ for the clock alone; lock it"};
  }
  return {"same_clock", true, text};
}

Guard stable_clock(const Pair& pair) {
  bool known = true;
  std::vector<std::string> moving;
  for_each_run(pair, [&](const Run& run, const std::string& label) {
    const auto& clock = run.analysis.clock_summary;
    if (!clock || run.analysis.clock.confidence < kSureClock) {
      known = false;
    } else if (clock->max_hz > clock->min_hz * (1 + kStableClock)) {
      moving.push_back(fmt::format("{} {:.0f} to {:.0f} MHz in {} steps", label,
                                   clock->min_hz * 1e-6, clock->max_hz * 1e-6, clock->changes));
    }
  });
  if (!moving.empty()) {
    return {"stable_clock", false, fmt::format("the clock changed: {}", fmt::join(moving, "; "))};
  }
  if (!known) return {"stable_clock", std::nullopt, "GPU clock unknown"};
  return {"stable_clock", true, "one clock in each capture"};
}

Guard temperature(const Pair& pair) {
  const auto of = [](const Run& run) { return run.temperature_c; };
  const auto a = mean_over(pair.a(), of);
  const auto b = mean_over(pair.b(), of);
  if (!a || !b) return {"temperature", std::nullopt, "no temperature in both captures"};
  const bool near = std::abs(*a - *b) <= kTemperatureC;
  return {"temperature", near,
          fmt::format("A {:.1f} C, B {:.1f} C{}", *a, *b,
                      near ? "" : ": more than 5 C apart, cool the device between runs")};
}

Guard resolution(const Pair& pair) {
  Guard guard{"same_resolution", std::nullopt,
              "the tiles of the present pass are not told apart in these counters"};
  const Change tiles = pair.change(kTiles);
  const Change quads = pair.change(kQuads);
  const Change warps = pair.change("MaliFragWarp");
  const Change writes = pair.change("MaliSCBusTileWrBt");
  if (!tiles.known || !quads.known || !warps.known || !writes.known || !tiles.ratio) return guard;
  if (tiles.equal() && quads.equal()) {
    guard.holds = true;
    guard.message = "tiles and rasterised quads agree";
    return guard;
  }
  const double ratio = tiles.ratio->value;
  const Change* others[] = {&quads, &warps, &writes};
  const bool one =
      tiles.significant && std::all_of(std::begin(others), std::end(others), [&](const Change* c) {
        return c->ratio && std::abs(c->ratio->value / ratio - 1) < kOneRatio;
      });
  if (!one) return guard;
  guard.holds = false;
  guard.message = fmt::format(
      "tiles, quads, warps and tile writes all are {:.2f}x with equal "
      "geometry: that is another resolution",
      ratio);
  return guard;
}

/// First against last third of one run, beyond noise.
std::optional<double> drift_of(const Run& run, std::string_view key, double critical) {
  const RunCounter* counter = run.find(std::string(key));
  if (counter == nullptr || counter->per_frame.size() < 12) return std::nullopt;
  const std::vector<double>& all = counter->per_frame;
  const auto third = all.size() / 3;
  const std::span<const double> first(all.data(), third);
  const std::span<const double> last(all.data() + all.size() - third, third);
  const double before = *base::mean(first);
  const double after = *base::mean(last);
  const double time = std::max(autocorrelation_time(first), autocorrelation_time(last));
  const double error = std::hypot(base::standard_deviation(first).value_or(0),
                                  base::standard_deviation(last).value_or(0)) *
                       std::sqrt(time / static_cast<double>(third));
  if (before == 0 || std::abs(after - before) < critical * error) return 0.0;
  return after / before - 1;
}

Guard no_drift(const Pair& pair) {
  bool known = true;
  std::vector<std::string> drifting;
  for_each_run(pair, [&](const Run& run, const std::string& label) {
    for (const std::string_view key :
         {active_key(pair), std::string_view(kTriangles), std::string_view(kQuads)}) {
      const auto drift = drift_of(run, key, pair.critical());
      if (key == active_key(pair)) known = known && drift.has_value();
      if (drift && std::abs(*drift) > kDrift) {
        drifting.push_back(
            fmt::format("{} {} {:+.1f} %", label, run.find(std::string(key))->name, 100 * *drift));
      }
    }
  });
  if (!drifting.empty()) {
    return {"no_drift", false,
            fmt::format("the last third differs from the first: {}", fmt::join(drifting, ", "))};
  }
  if (!known) return {"no_drift", std::nullopt, "too few frames to tell"};
  return {"no_drift", true, "first and last third of each capture agree"};
}

Guard gpu_bound(const Pair& pair) {
  bool known = true;
  bool bound = true;
  std::vector<std::string> words;
  for_each_run(pair, [&](const Run& run, const std::string& label) {
    const Verdict& verdict = run.analysis.verdict;
    known = known && verdict.gpu_bound.has_value();
    bound = bound && verdict.gpu_bound.value_or(true);
    if (verdict.idle_percent) {
      words.push_back(fmt::format("{} idle {:.1f} %", label, *verdict.idle_percent));
    }
  });
  if (bound && !known) return {"gpu_bound", std::nullopt, "idle time unknown"};
  const std::string text = fmt::format("{}", fmt::join(words, ", "));
  if (bound) return {"gpu_bound", true, text};
  return {"gpu_bound", false,
          text + ": the GPU does not set the frame rate, so cycles say nothing about FPS"};
}

Guard same_counters(std::span<const std::string> only_a, std::span<const std::string> only_b) {
  if (only_a.empty() && only_b.empty()) {
    return {"same_counters", true, "both captures hold the same counters"};
  }
  std::vector<std::string> words;
  const auto list = [&](const char* where, std::span<const std::string> names) {
    if (names.empty()) return;
    words.push_back(fmt::format("only in {}: {}", where,
                                base::join_some({names.begin(), names.end()}, kNamesShown)));
  };
  list("A", only_a);
  list("B", only_b);
  return {"same_counters", false, fmt::format("{}", fmt::join(words, "; "))};
}

Guard same_device(const Pair& pair) {
  const Run& first = pair.a().front();
  std::vector<std::string> differ;
  bool named = !first.analysis.gpu_name.empty() || first.system.contains("soc_model");
  for_each_run(pair, [&](const Run& run, const std::string& label) {
    const Analysis& x = first.analysis;
    const Analysis& y = run.analysis;
    named = named && (!y.gpu_name.empty() || run.system.contains("soc_model"));
    if (x.gpu_name != y.gpu_name && !x.gpu_name.empty() && !y.gpu_name.empty()) {
      differ.push_back(fmt::format("{} is {}, A is {}", label, y.gpu_name, x.gpu_name));
    }
    if (x.cores.count && y.cores.count && *x.cores.count != *y.cores.count) {
      differ.push_back(
          fmt::format("{} has {} shader cores, A {}", label, *y.cores.count, *x.cores.count));
    }
    if (x.device.id != y.device.id) {
      differ.push_back(fmt::format("{} is {}, A is {}", label, y.device.id, x.device.id));
    }
    const auto soc_a = first.system.find("soc_model");
    const auto soc_b = run.system.find("soc_model");
    if (soc_a != first.system.end() && soc_b != run.system.end() &&
        soc_a->second != soc_b->second) {
      differ.push_back(fmt::format("{} runs on {}, A on {}", label, soc_b->second, soc_a->second));
    }
  });
  if (!differ.empty()) {
    return {"same_device", false, fmt::format("{}", fmt::join(differ, "; "))};
  }
  const auto& cores = first.analysis.cores.count;
  if (!named && !cores) return {"same_device", std::nullopt, "the captures do not name a device"};
  const std::string& name = first.analysis.gpu_name;
  return {"same_device", true,
          fmt::format("{}{}", name.empty() ? "one device" : name,
                      cores ? fmt::format(", {} shader cores in each", *cores) : "")};
}

Guard same_sampling(const Pair& pair) {
  double least = pair.a().front().sample_period_ms;
  double most = least;
  bool by_frames = pair.a().front().by_frames;
  bool mixed = false;
  for_each_run(pair, [&](const Run& run, const std::string&) {
    least = std::min(least, run.sample_period_ms);
    most = std::max(most, run.sample_period_ms);
    mixed = mixed || run.by_frames != by_frames;
  });
  const std::string text =
      fmt::format("samples every {:.3g} ms{}{}", least,
                  most > least * 1.01 ? fmt::format(" to {:.3g} ms", most) : "",
                  mixed ? "; one is cut at frames found, another by its rate" : "");
  return {"same_sampling", most <= least * (1 + kSamePeriod) && !mixed, text};
}

/// Do the files lie the right way round, as far as numbers can tell?
Guard order(const Pair& pair, const Guard& bound) {
  const auto found = [](const Run& run) { return run.found_fps; };
  const auto given = [](const Run& run) { return run.given_fps; };
  const auto found_a = mean_over(pair.a(), found);
  const auto found_b = mean_over(pair.b(), found);
  const auto given_a = mean_over(pair.a(), given);
  const auto given_b = mean_over(pair.b(), given);
  const auto same = [](double x, double y) { return std::abs(x / y - 1) < kSameRate; };
  if (found_a && found_b && given_a && given_b && !same(*given_a, *given_b) &&
      same(*found_a, *given_b) && same(*found_b, *given_a)) {
    return {"file_order", false,
            fmt::format("A's frames come at {:.1f} FPS and B's at {:.1f}, the rates given for the "
                        "other one: the files look swapped",
                        *found_a, *found_b)};
  }
  const Change active = pair.change(active_key(pair));
  const Change frame = pair.change(kFrameKey);
  if (!active.known || !frame.known) {
    return {"file_order", std::nullopt, "no GPU-active cycles to check frame rates against"};
  }
  const bool against = (active.rose() && frame.fell()) || (active.fell() && frame.rose());
  if (against && bound.holds != false) {
    return {
        "file_order", false,
        fmt::format("cycles per frame {:.3f}x but frame time {:.3f}x: frame rates or files look "
                    "swapped",
                    active.ratio->value, frame.ratio->value)};
  }
  return {"file_order", true,
          active.rose()   ? "B is the slower one"
          : active.fell() ? "A is the slower one: for its cost above B, give the files the other "
                            "way round"
                          : "neither is slower beyond noise"};
}

}  // namespace

std::vector<Guard> guards(const Pair& pair, const CompareOptions& options,
                          std::span<const std::string> only_a,
                          std::span<const std::string> only_b) {
  std::vector<Guard> out = {
      same_scene(pair),  clocks(pair),       stable_clock(pair), temperature(pair),
      resolution(pair),  no_drift(pair),     gpu_bound(pair),    same_counters(only_a, only_b),
      same_device(pair), same_sampling(pair)};
  if (options.same_scene && out.front().holds == false) {
    out.front().message += "; read on as one scene, as asked";
  }
  if (!options.ablation.empty() && out.front().holds == false) {
    out.front().holds = std::nullopt;
    out.front().message = options.ablation + " may draw geometry: " + out.front().message;
  }
  const auto bound =
      std::find_if(out.begin(), out.end(), [](const Guard& g) { return g.id == "gpu_bound"; });
  out.push_back(order(pair, *bound));
  return out;
}

}  // namespace tilebound::analyze
