#include "analyze/frames_marks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>

#include "base/statistics.h"
#include "base/text.h"

namespace tilebound::analyze {

namespace {

using model::FrameMark;
using model::FrameMarkKind;

constexpr double kIdleShare = 0.01;
constexpr double kBusyShare = 0.95;
/// So many idle samples before a mark say that the GPU's work ended before it.
constexpr std::size_t kIdleBeforeMark = 2;
constexpr std::size_t kFewestFrames = 3;
constexpr double kTimelineConfidence = 0.97;
constexpr double kFenceConfidence = 0.95;
/// Display times: the number of frames is right, their boundaries may be a frame off.
constexpr double kPresentConfidence = 0.6;
/// Marks of less of the window leave the rest unexplained.
constexpr double kLeastCovered = 0.5;
constexpr std::size_t kMostNames = 4;

/// The marks of one kind and surface, by end.
struct Marks {
  std::uint32_t surface = 0;
  std::vector<const FrameMark*> list;
};

bool inside(std::int64_t time, base::Interval window) {
  return time > window.begin.value && time <= window.end.value;
}

std::string surface_name(const model::Surface& surface) {
  const std::string name =
      surface.layer.empty() ? std::string("an unnamed layer") : base::printable(surface.layer);
  return surface.pid == 0 ? name : fmt::format("{} (process {})", name, surface.pid);
}

/// Marks of the surface with most shown frames; names the others in a note.
Marks choose_surface(const model::Capture& capture, FrameMarkKind kind, base::Interval window,
                     std::vector<model::Note>* notes) {
  std::vector<std::vector<const FrameMark*>> by_surface(capture.surfaces.size());
  std::uint64_t dropped = 0;
  for (const FrameMark& mark : capture.frame_marks) {
    if (mark.kind != kind || !inside(mark.end_ns, window)) continue;
    if (mark.dropped) {
      ++dropped;
      continue;
    }
    std::vector<const FrameMark*>& list = by_surface[mark.surface];
    // A frame is reported for each layer that the surface has; it ends once.
    if (list.empty() || list.back()->end_ns < mark.end_ns) list.push_back(&mark);
  }
  const auto most =
      std::max_element(by_surface.begin(), by_surface.end(),
                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  if (most == by_surface.end() || most->empty()) return {};
  const auto chosen = static_cast<std::uint32_t>(most - by_surface.begin());
  if (notes == nullptr) return {chosen, std::move(*most)};
  std::size_t others = 0;
  std::string names;
  for (std::uint32_t s = 0; s < by_surface.size(); ++s) {
    if (s == chosen || by_surface[s].empty()) continue;
    if (++others > kMostNames) continue;
    names += fmt::format("{}{}: {} frames", others == 1 ? "" : ", ",
                         surface_name(capture.surfaces[s]), by_surface[s].size());
  }
  if (others > kMostNames) names += fmt::format(" and {} more", others - kMostNames);
  if (others > 0) {
    model::add_note(*notes, "other_surfaces", model::Severity::info,
                    fmt::format("frames are those of {}; others drew as well, their GPU work is in "
                                "the counters: {}",
                                surface_name(capture.surfaces[chosen]), names));
  }
  if (dropped > 0) {
    model::add_note(*notes, "dropped_frames", model::Severity::info,
                    "frames were rendered and never shown; their GPU work counts to the next one",
                    dropped);
  }
  return {chosen, std::move(*most)};
}

/// Where the work between `previous` and `mark` ended, when the GPU was idle for some samples up to
/// the mark.
std::optional<base::Nanoseconds> work_end_before(const FrameSignals& s, base::Nanoseconds previous,
                                                 base::Nanoseconds mark) {
  auto at = std::partition_point(s.interval.begin(), s.interval.end(),
                                 [mark](const base::Interval& i) { return i.end <= mark; });
  std::size_t idle = 0;
  while (at != s.interval.begin() && (at - 1)->end > previous) {
    --at;
    const auto i = static_cast<std::size_t>(at - s.interval.begin());
    if (s.busy[i] >= kIdleShare) {
      if (idle < kIdleBeforeMark) return std::nullopt;
      const double length = static_cast<double>(at->length().value);
      return at->begin + base::Nanoseconds{std::llround(length * std::min(1.0, s.busy[i]))};
    }
    ++idle;
  }
  return std::nullopt;
}

/// The first work after `end`, at most `until`; `end` itself where the GPU stays busy over it.
base::Nanoseconds work_begin_after(const FrameSignals& s, base::Nanoseconds end,
                                   base::Nanoseconds until) {
  const auto first = std::partition_point(s.interval.begin(), s.interval.end(),
                                          [end](const base::Interval& i) { return i.end <= end; });
  for (auto at = first; at != s.interval.end() && at->begin < until; ++at) {
    const double share = s.busy[static_cast<std::size_t>(at - s.interval.begin())];
    if (at == first && at->begin < end) {
      const bool goes_on =
          at + 1 != s.interval.end() &&
          s.busy[static_cast<std::size_t>(at + 1 - s.interval.begin())] >= kBusyShare;
      if (share >= kBusyShare && goes_on) return end;
      continue;  // what of it belongs to the previous frame cannot be told
    }
    if (share < kIdleShare) continue;
    const double length = static_cast<double>(at->length().value);
    return std::max(end, at->end - base::Nanoseconds{std::llround(length * share)});
  }
  return end;
}

/// Frames that end at marks; ends are moved back over idle time before them.
Frames frames_at(const std::vector<const FrameMark*>& marks, const FrameSignals& signals) {
  Frames out;
  std::size_t moved = 0;
  for (const FrameMark* mark : marks) {
    base::Nanoseconds end{mark->end_ns};
    const base::Nanoseconds previous =
        out.list.empty() ? base::Nanoseconds{mark->begin_ns} : out.list.back().end;
    const auto earlier = work_end_before(signals, previous, end);
    if (earlier && *earlier > previous) {
      end = *earlier;
      ++moved;
    }
    if (!out.list.empty() && end <= out.list.back().end) continue;
    const base::Nanoseconds begin = out.list.empty()
                                        ? std::min(end, base::Nanoseconds{mark->begin_ns})
                                        : work_begin_after(signals, out.list.back().end, end);
    out.list.push_back({begin, end});
  }
  if (out.list.size() < kFewestFrames) {
    out.list.clear();
    return out;
  }
  out.period_ms = out.mean_distance_ms();
  if (moved > 0) {
    out.reason =
        fmt::format("; {} ends were moved back to the end of GPU work before idle time", moved);
  }
  return out;
}

}  // namespace

std::vector<std::int64_t> marked_ends(const model::Capture& capture, base::Interval window) {
  for (const FrameMarkKind kind : {FrameMarkKind::surface, FrameMarkKind::gpu_done}) {
    const Marks marks = choose_surface(capture, kind, window, nullptr);
    if (marks.list.size() < kFewestFrames) continue;
    std::vector<std::int64_t> ends;
    for (const FrameMark* mark : marks.list) ends.push_back(mark->end_ns);
    return ends;
  }
  return {};
}

Frames frames_by_frame_timeline(const model::Capture& capture, const FrameSignals& signals,
                                base::Interval window, std::vector<model::Note>& notes) {
  const Marks marks = choose_surface(capture, FrameMarkKind::surface, window, &notes);
  Frames out = frames_at(marks.list, signals);
  out.method = out.list.empty() ? "none" : "frame_timeline";
  if (out.list.empty()) return out;
  out.confidence = kTimelineConfidence;
  out.reason = fmt::format("frame timeline of {}{}", surface_name(capture.surfaces[marks.surface]),
                           out.reason);
  return out;
}

Frames frames_by_present(const model::Capture& capture, const FrameSignals& signals,
                         base::Interval window, std::vector<model::Note>& notes) {
  const Marks done = choose_surface(capture, FrameMarkKind::gpu_done, window, nullptr);
  const Marks shown = choose_surface(capture, FrameMarkKind::presented, window, nullptr);
  const bool by_fence = !done.list.empty() && 10 * done.list.size() >= 9 * shown.list.size();
  const Marks marks = choose_surface(
      capture, by_fence ? FrameMarkKind::gpu_done : FrameMarkKind::presented, window, &notes);
  Frames out = frames_at(marks.list, signals);
  out.method = out.list.empty() ? "none" : "presented";
  if (out.list.empty()) return out;
  out.confidence = by_fence ? kFenceConfidence : kPresentConfidence;
  out.phase = by_fence ? Phase::seen : Phase::assumed;
  out.reason = fmt::format("{} of {}{}",
                           by_fence ? "acquire fences" : "present fences, which are display times,",
                           surface_name(capture.surfaces[marks.surface]), out.reason);
  return out;
}

Frames frames_by_marks(const model::Capture& capture, std::uint32_t gpu,
                       const FrameSignals& signals, base::Interval window,
                       std::vector<model::Note>& notes) {
  Frames none;
  none.method = "none";
  const auto covers = [window](const Frames& frames) {
    const auto complete = frames.complete();
    return complete && static_cast<double>(complete->length().value) >=
                           kLeastCovered * static_cast<double>(window.length().value);
  };
  for (int trust = 0; trust < 3; ++trust) {
    std::vector<model::Note> about;
    Frames frames = trust == 0   ? frames_by_render_stages(capture, gpu, window, about)
                    : trust == 1 ? frames_by_frame_timeline(capture, signals, window, about)
                                 : frames_by_present(capture, signals, window, about);
    if (frames.list.empty()) continue;
    if (!covers(frames)) {
      model::add_note(notes, "marks_cover_part", model::Severity::info,
                      fmt::format("{} frames by {} lie in less than half of the capture and were "
                                  "not used",
                                  frames.list.size(), frames.method));
      continue;
    }
    if (frames.confidence > none.confidence) {
      none = std::move(frames);
      notes.insert(notes.end(), about.begin(), about.end());
    }
    if (none.confidence >= kFenceConfidence) break;
  }
  return none;
}

}  // namespace tilebound::analyze
