#include "report/compare_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"

namespace tilebound::report {

namespace {

std::string run_sentence(const analyze::Run& run) {
  std::string out = fmt::format("{}: {}, ", base::printable(run.source), run.format);
  if (run.by_frames) {
    out += fmt::format("{} frames ({}, confidence {:.2f})", run.windows.size(),
                       run.analysis.frames.method, run.analysis.frames.confidence);
  } else {
    out += fmt::format("{} windows of {:.0f} frames by the given rate", run.windows.size(),
                       run.frames_a_window);
  }
  out += fmt::format(", {:.2f} FPS", run.fps());
  constexpr double kSureClock = 0.5;
  if (run.analysis.clock_summary && run.analysis.clock.confidence >= kSureClock) {
    out += fmt::format(", {:.0f} MHz", run.analysis.clock_summary->mean_hz * 1e-6);
  }
  const std::string build = build_of(run);
  return out + (build.empty() ? "; build not in the trace" : "; build " + build);
}

void add_side(std::span<const analyze::Run> runs, const char* name, std::vector<Fact>& out) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    out.push_back({runs.size() == 1 ? std::string(name) : fmt::format("{}{}", name, i + 1),
                   run_sentence(runs[i])});
  }
}

}  // namespace

std::string build_of(const analyze::Run& run) {
  std::vector<std::string> parts;
  for (const char* key : {"package", "version_name", "version_code", "build_fingerprint",
                          "driver_version", "driver"}) {
    const auto found = run.system.find(key);
    if (found != run.system.end()) parts.push_back(base::printable(found->second));
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

std::vector<Fact> side_facts(const ComparisonInput& in) {
  std::vector<Fact> out;
  add_side(in.a, "A", out);
  add_side(in.b, "B", out);
  return out;
}

std::string rate_sentence(const analyze::Comparison& c) {
  return fmt::format("{:.2f} FPS to {:.2f} FPS: frame time {:.3f}x", c.gap.fps_a, c.gap.fps_b,
                     c.gap.fps_ratio);
}

std::string ratio_text(const analyze::CounterRow& row) {
  if (row.ratio) return fmt::format("{:.3f}", row.ratio->value);
  if (row.a && row.b && *row.a == 0 && *row.b != 0) return "new";
  return row.a && row.b ? "-" : "n/a";
}

bool other_devices(const ComparisonInput& in) {
  return in.a.front().analysis.device.id != in.b.front().analysis.device.id ||
         in.a.front().analysis.cores.count != in.b.front().analysis.cores.count;
}

}  // namespace tilebound::report
