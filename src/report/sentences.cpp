#include "report/sentences.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"

namespace tilebound::report {

namespace {

using analyze::Analysis;

std::string capture_sentence(const model::Capture& capture, const analyze::TrustReport& trust,
                             const Analysis& a) {
  const analyze::Sampling axis = longest_axis(trust);
  return fmt::format("{}: {}, {:.3f} s, {} counters, {} samples every {:.3f} ms",
                     base::printable(capture.source), capture.format,
                     base::seconds(a.span.length()), trust.sampled, axis.samples,
                     axis.median_ns * 1e-6);
}

std::string device_sentence(const Analysis& a) {
  std::string device = a.device.name.empty() ? "unknown" : a.device.name;
  switch (a.device_choice) {
    case analyze::DeviceChoice::asked:
      device += ", as asked";
      break;
    case analyze::DeviceChoice::forced:
      device += ", FORCED: " + a.device_warning;
      break;
    case analyze::DeviceChoice::matched:
      device += ", matched by the capture";
      break;
    case analyze::DeviceChoice::generic:
      device += ", no profile: units without a peak show raw throughput (--device, devices)";
      break;
  }
  if (a.cores.count) {
    device += fmt::format("; {} shader cores ({})", *a.cores.count, a.cores.count_source);
  } else if (a.device.vendor == "arm") {
    device += "; number of shader cores unknown (--cores)";
  }
  return device;
}

std::string clock_sentence(const Analysis& a) {
  if (!a.clock_summary) return "unknown";
  std::string clock = fmt::format("{:.0f} MHz on average", a.clock_summary->mean_hz * 1e-6);
  if (a.clock_summary->percent_of_max) {
    clock += fmt::format(", {:.1f} % of {:.0f} MHz", *a.clock_summary->percent_of_max,
                         a.clock.max->value * 1e-6);
  }
  return clock + fmt::format("; {} (confidence {:.2f}){}", a.clock.source, a.clock.confidence,
                             a.throttled ? "; THROTTLED" : "");
}

std::string range_sentence(const Analysis& a) {
  const auto at = [&a](base::Nanoseconds t) { return base::seconds(t - a.span.begin); };
  return fmt::format("{}: {:.6f} s to {:.6f} s", a.window_text, at(a.window.begin),
                     at(a.window.end));
}

std::string frames_sentence(const Analysis& a) {
  if (!a.frames.fps()) {
    return fmt::format("not found: {}; --fps N gives values per frame", a.frames.reason);
  }
  const bool cut = !a.frames.list.empty();
  return fmt::format("{}{:.2f} FPS, {:.2f} ms each; {}{}",
                     cut ? fmt::format("{} frames, ", a.frames.list.size()) : "", *a.frames.fps(),
                     *a.frames.period_ms, a.frames.reason,
                     cut ? fmt::format(" (confidence {:.2f})", a.frames.confidence) : "");
}

}  // namespace

analyze::Sampling longest_axis(const analyze::TrustReport& trust) {
  const auto longest =
      std::max_element(trust.axes.begin(), trust.axes.end(),
                       [](const auto& a, const auto& b) { return a.samples < b.samples; });
  return longest == trust.axes.end() ? analyze::Sampling{} : *longest;
}

std::string labels_of(const Analysis& a, const std::vector<std::string>& ids) {
  std::vector<std::string> labels;
  for (const std::string& id : ids) labels.push_back(analyze::unit_label(a, id));
  return fmt::format("{}", fmt::join(labels, ", "));
}

std::vector<Fact> facts(const model::Capture& capture, const analyze::TrustReport& trust,
                        const Analysis& a) {
  return {{"Capture", capture_sentence(capture, trust, a)},
          {"Device", device_sentence(a)},
          {"Clock", clock_sentence(a)},
          {"Range", range_sentence(a)},
          {"Frames", frames_sentence(a)}};
}

std::vector<model::Note> all_notes(const analyze::TrustReport& trust, const Analysis& a) {
  std::vector<model::Note> out = trust.notes;
  out.insert(out.end(), a.notes.begin(), a.notes.end());
  return out;
}

std::vector<model::Note> notes_with(const Passes* passes, const analyze::TrustReport& trust,
                                    const Analysis& a) {
  std::vector<model::Note> out = all_notes(trust, a);
  if (passes == nullptr) return out;
  out.insert(out.end(), passes->lint.notes.begin(), passes->lint.notes.end());
  out.insert(out.end(), passes->alignment.notes.begin(), passes->alignment.notes.end());
  return out;
}

std::vector<analyze::Lane> all_lanes(const model::Capture& capture, const Analysis& a,
                                     const Passes* passes) {
  std::vector<analyze::Lane> out;
  if (passes != nullptr) out = align::lanes(passes->alignment, passes->lint.context);
  for (analyze::Lane& lane : analyze::lanes(capture, a)) out.push_back(std::move(lane));
  return out;
}

std::size_t frame_number(std::size_t result) {
  return result + 2;
}

std::string verdict_sentence(const Analysis& a) {
  const analyze::Verdict& v = a.verdict;
  if (!v.kind) return "cannot tell: no unit can be judged from these counters";
  const std::string limiters = labels_of(a, v.limiters);
  switch (*v.kind) {
    case analyze::Case::idle: {
      std::string out = fmt::format("the GPU waits: idle {:.1f} %", *v.idle_percent);
      if (!v.limiters.empty()) out += "; its busy part is limited by " + limiters;
      return out;
    }
    case analyze::Case::high:
      return fmt::format("limited by {}, near its peak: take work off it", limiters);
    case analyze::Case::middle:
      return fmt::format("limited by {}: take work off it, and use it better", limiters);
    case analyze::Case::low:
      return fmt::format("nothing runs near its peak; the highest is {}: find what keeps it low",
                         limiters);
  }
  return {};
}

std::vector<std::string> gain_sentences(const Analysis& a) {
  const analyze::Verdict& v = a.verdict;
  std::vector<std::string> out;
  if (v.max_gain && *v.max_gain > 1.005) {
    out.push_back(fmt::format("at most {:.2f}x faster by what this case calls for", *v.max_gain));
  }
  if (v.gpu_bound) {
    out.emplace_back(*v.gpu_bound
                         ? "GPU-bound: idle below 10 % and the clock at its maximum (" +
                               a.clock.max_source + ")"
                         : "not GPU-bound: idle time or a clock below its maximum leave headroom");
  }
  return out;
}

}  // namespace tilebound::report
