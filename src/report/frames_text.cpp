#include "report/frames_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "report/layout.h"
#include "report/report.h"
#include "report/sentences.h"

namespace tilebound::report {

namespace {

using analyze::Analysis;

constexpr std::size_t kLabelWidth = 24;
constexpr std::size_t kCellWidth = 9;
constexpr std::size_t kRowsShown = 20;
/// Frames of at least this confidence need no mention of other periods.
constexpr double kCertainFrames = 0.8;

void spread_row(std::string& out, const char* label, const std::optional<analyze::Spread>& s) {
  out += "  " + left(label, kLabelWidth);
  if (!s) {
    out += right("n/a", kCellWidth) + '\n';
    return;
  }
  for (const double value : {s->mean, s->p50, s->p90, s->p95, s->p99, s->max}) {
    out += right(fmt::format("{:.2f}", value), kCellWidth);
  }
  out += '\n';
}

/// Frame times over the capture, a column the longest of its frames.
std::string strip(const std::vector<analyze::FrameResult>& frames, std::size_t width) {
  static constexpr const char* kLevels[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  double most = 0;
  for (const auto& frame : frames) most = std::max(most, frame.time_ms());
  const std::size_t columns = std::min(width, frames.size());
  std::string out;
  for (std::size_t c = 0; c < columns && most > 0; ++c) {
    double longest = 0;
    const std::size_t end = (c + 1) * frames.size() / columns;
    for (std::size_t i = c * frames.size() / columns; i < end; ++i) {
      longest = std::max(longest, frames[i].time_ms());
    }
    out += kLevels[std::min<std::size_t>(7, static_cast<std::size_t>(longest / most * 8))];
  }
  return out;
}

std::string typical_sentence(const Analysis& a) {
  const analyze::FrameResult& f = a.frame_results[*a.frame_statistics.typical];
  std::string out =
      fmt::format("frame {}: {:.2f} ms", frame_number(*a.frame_statistics.typical), f.time_ms());
  if (f.gpu_active_ms) out += fmt::format(", GPU active {:.2f} ms", *f.gpu_active_ms);
  if (f.clock_percent) out += fmt::format(", clock {:.1f} %", *f.clock_percent);
  if (!f.limiters.empty()) out += ", limited by " + labels_of(a, f.limiters);
  return out;
}

/// "+1.25"; what rounds to nothing has no sign of its own.
std::string difference(double ms) {
  return fmt::format("{:+.2f}", std::abs(ms) < 0.005 ? 0.0 : ms);
}

std::string long_frame_sentence(const Analysis& a, const analyze::LongFrame& f) {
  std::string out = fmt::format("frame {}: {:.2f} ms, {} ms", frame_number(f.index),
                                a.frame_results[f.index].time_ms(), difference(f.longer_ms));
  std::vector<std::string> parts;
  if (f.idle_ms) parts.push_back(fmt::format("waiting {}", difference(*f.idle_ms)));
  if (f.work_ms) parts.push_back(fmt::format("work {}", difference(*f.work_ms)));
  if (f.clock_ms) parts.push_back(fmt::format("clock {}", difference(*f.clock_ms)));
  if (!parts.empty()) out += fmt::format(" = {}", fmt::join(parts, ", "));
  std::vector<std::string> changes;
  for (const analyze::WorkChange& change : f.changes) {
    if (changes.size() == 3) break;
    changes.push_back(fmt::format("{} x{:.2f}", analyze::unit_label(a, change.unit), change.ratio));
  }
  if (!changes.empty()) out += fmt::format("; work of {}", fmt::join(changes, ", "));
  return out;
}

void frame_rows(std::string& out, const Analysis& a, std::size_t rows, std::size_t width) {
  out += '\n' + left("  FRAME", 10) + right("begin s", 12) + right("time", kCellWidth) +
         right("active", kCellWidth) + right("idle", kCellWidth) + right("clock", kCellWidth) +
         "  limiters\n";
  const std::size_t shown = std::min(rows, a.frame_results.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const analyze::FrameResult& f = a.frame_results[i];
    const std::string begin = fmt::format("{:.6f}", base::seconds(f.frame.begin - a.span.begin));
    const std::string active = f.gpu_active_ms ? fmt::format("{:.2f}", *f.gpu_active_ms) : "n/a";
    std::string row = left(fmt::format("  {}", frame_number(i)), 10) + right(begin, 12) +
                      right(fmt::format("{:.2f}", f.time_ms()), kCellWidth) +
                      right(active, kCellWidth) + right(percent(f.idle_percent), kCellWidth) +
                      right(percent(f.clock_percent), kCellWidth) + "  ";
    const std::size_t rest = width > columns_of(row) ? width - columns_of(row) : 0;
    std::string limiters = base::printable(labels_of(a, f.limiters));
    if (columns_of(limiters) > rest) limiters = left(limiters, rest);
    out += row + limiters + '\n';
  }
  if (shown < a.frame_results.size()) {
    paragraph(out, "  ",
              fmt::format("and {} more (--all, or --format csv)", a.frame_results.size() - shown),
              width);
  }
}

/// What a time at full clock assumes.
std::string full_clock_sentence(const Analysis& a) {
  const std::string clock = fmt::format(
      "At full clock ({:.0f} MHz, {}): ", a.clock.max->value * 1e-6, a.clock.max_source);
  return clock + (a.full_clock_counts_memory
                      ? "work follows the clock, but external memory stays at its peak rate."
                      : "a lower bound that lets all work follow the clock; external memory does "
                        "not, and its peak is unknown.");
}

}  // namespace

void frame_summary(std::string& out, const Analysis& a, std::size_t width) {
  const analyze::FrameStatistics& s = a.frame_statistics;
  if (!s.time_ms) return;
  out += "\n" + left("FRAMES, ms", kLabelWidth + 2);
  for (const char* const head : {"mean", "median", "90 %", "95 %", "99 %", "longest"}) {
    out += right(head, kCellWidth);
  }
  out += '\n';
  spread_row(out, "frame time", s.time_ms);
  spread_row(out, "GPU active", s.gpu_active_ms);
  spread_row(out, "GPU active at full clock", s.full_clock_ms);
  if (s.full_clock_ms) {
    paragraph(out, "  ", full_clock_sentence(a), width);
  }
  if (s.warm_up > 0) {
    paragraph(out, "  ",
              fmt::format("{} leading frames are left out as warm-up: the clock was still rising "
                          "or the work was another.",
                          s.warm_up),
              width);
  }
  paragraph(out, "  Typical  ", typical_sentence(a), width);
  for (const analyze::LongFrame& frame : s.longest) {
    paragraph(out, "  Long     ", long_frame_sentence(a, frame), width);
  }
}

std::string frames_text(const model::Capture& capture, const analyze::TrustReport& trust,
                        const Analysis& a, const TextOptions& options, bool all_frames) {
  std::string out;
  for (const Fact& fact : facts(capture, trust, a)) {
    paragraph(out, left(fact.label, 9), fact.sentence, options.width);
  }
  if (a.frames.confidence < kCertainFrames) {
    for (const double ms : a.frames.alternatives_ms) {
      paragraph(out, left("", 9), fmt::format("also possible: {:.2f} ms each", ms), options.width);
    }
  }
  if (!a.frame_results.empty()) {
    out += "\n  " + strip(a.frame_results, options.width - 4) + '\n';
    frame_summary(out, a, options.width);
    frame_rows(out, a, all_frames ? a.frame_results.size() : kRowsShown, options.width);
  }
  return out;
}

}  // namespace tilebound::report
