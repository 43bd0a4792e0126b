#include "ingest/perfetto/frame_marks.h"

#include <algorithm>
#include <span>

#include "base/proto_reader.h"
#include "ingest/perfetto/wire.h"

namespace tilebound::ingest::perfetto {

namespace {

using base::bytes_tag;
using base::varint_tag;
using model::FrameMarkKind;

}  // namespace

std::uint32_t FrameMarks::surface(std::int32_t pid, std::string_view layer) {
  const auto [at, added] =
      by_name_.try_emplace({pid, std::string(layer)}, static_cast<std::uint32_t>(surfaces_.size()));
  if (added) surfaces_.push_back({pid, std::string(layer)});
  return at->second;
}

bool FrameMarks::start(std::string_view bytes, FrameMarkKind kind, ClockIndex clock,
                       std::optional<std::int64_t> time) {
  const bool of_display = kind == FrameMarkKind::display;
  const std::uint32_t pid_field = of_display ? wire::kDisplayFramePid : wire::kSurfaceFramePid;
  const std::uint32_t type_field =
      of_display ? wire::kDisplayFramePresentType : wire::kSurfaceFramePresentType;
  Draft draft;
  draft.mark.kind = kind;
  std::int64_t cookie = 0;
  std::int32_t pid = 0;
  std::string_view layer;
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    if (reader.tag() == varint_tag(wire::kTimelineCookie)) {
      cookie = static_cast<std::int64_t>(reader.number());
    } else if (reader.tag() == varint_tag(wire::kTimelineToken)) {
      draft.mark.number = static_cast<std::int64_t>(reader.number());
    } else if (reader.tag() == varint_tag(pid_field)) {
      pid = static_cast<std::int32_t>(reader.number());
    } else if (reader.tag() == varint_tag(type_field)) {
      draft.mark.dropped = reader.number() == wire::kPresentDropped;
    } else if (!of_display && reader.tag() == bytes_tag(wire::kSurfaceFrameLayer)) {
      layer = reader.bytes();
    }
  }
  if (!reader.intact()) return false;
  if (!time) {
    ++without_time_;
    return true;
  }
  draft.mark.surface = surface(pid, layer);
  draft.mark.begin_ns = *time;
  draft.begin_clock = clock;
  // A cookie that comes again starts another frame; the one before it never ended.
  open_[cookie] = drafts_.size();
  drafts_.push_back(draft);
  return true;
}

bool FrameMarks::end(std::string_view bytes, ClockIndex clock, std::optional<std::int64_t> time) {
  std::int64_t cookie = 0;
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    if (reader.tag() == varint_tag(wire::kTimelineCookie)) {
      cookie = static_cast<std::int64_t>(reader.number());
    }
  }
  if (!reader.intact()) return false;
  if (!time) {
    ++without_time_;
    return true;
  }
  // Ends of expected frames, which are not kept, find nothing.
  const auto found = open_.find(cookie);
  if (found == open_.end()) return true;
  Draft& draft = drafts_[found->second];
  draft.mark.end_ns = *time;
  draft.end_clock = clock;
  draft.ended = true;
  open_.erase(found);
  return true;
}

bool FrameMarks::timeline(std::string_view bytes, ClockIndex clock,
                          std::optional<std::int64_t> time) {
  bool intact = true;
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case bytes_tag(wire::kTimelineActualSurface):
        intact &= start(reader.bytes(), FrameMarkKind::surface, clock, time);
        break;
      case bytes_tag(wire::kTimelineActualDisplay):
        intact &= start(reader.bytes(), FrameMarkKind::display, clock, time);
        break;
      case bytes_tag(wire::kTimelineFrameEnd):
        intact &= end(reader.bytes(), clock, time);
        break;
      default:
        break;
    }
  }
  return reader.intact() && intact;
}

bool FrameMarks::buffer(std::string_view bytes, ClockIndex clock,
                        std::optional<std::int64_t> time) {
  base::ProtoReader outer(bytes);
  std::string_view event;
  while (outer.next()) {
    if (outer.tag() == bytes_tag(wire::kFrameBufferEvent)) event = outer.bytes();
  }
  if (!outer.intact()) return false;
  Draft draft;
  std::uint64_t type = 0;
  std::uint64_t duration = 0;
  std::string_view layer;
  base::ProtoReader reader(event);
  while (reader.next()) {
    switch (reader.tag()) {
      case varint_tag(wire::kBufferFrameNumber):
        draft.mark.number = static_cast<std::uint32_t>(reader.number());
        break;
      case varint_tag(wire::kBufferType):
        type = reader.number();
        break;
      case varint_tag(wire::kBufferDuration):
        duration = std::min(reader.number(), static_cast<std::uint64_t>(kLatestTime));
        break;
      case bytes_tag(wire::kBufferLayer):
        layer = reader.bytes();
        break;
      default:
        break;
    }
  }
  if (!reader.intact()) return false;
  if (type != wire::kBufferAcquireFence && type != wire::kBufferPresentFence) return true;
  if (!time) {
    ++without_time_;
    return true;
  }
  draft.mark.kind =
      type == wire::kBufferAcquireFence ? FrameMarkKind::gpu_done : FrameMarkKind::presented;
  draft.mark.surface = surface(0, layer);
  draft.mark.begin_ns = *time;
  draft.begin_clock = clock;
  draft.duration_ns = static_cast<std::int64_t>(duration);
  drafts_.push_back(draft);
  return true;
}

void FrameMarks::finish(const Clocks& clocks, model::Capture& capture) {
  std::uint64_t unconverted = 0;
  std::uint64_t without_end = 0;
  for (Draft& draft : drafts_) {
    model::FrameMark& mark = draft.mark;
    if (!draft.ended && !draft.duration_ns) {
      ++without_end;
      continue;
    }
    bool tied = clocks.convert(draft.begin_clock, std::span(&mark.begin_ns, 1));
    if (draft.duration_ns) {
      mark.end_ns = mark.begin_ns + std::min(*draft.duration_ns, kLatestTime - mark.begin_ns);
    } else {
      tied &= clocks.convert(draft.end_clock, std::span(&mark.end_ns, 1));
    }
    unconverted += tied ? 0 : 1;
    mark.begin_ns = std::min(mark.begin_ns, mark.end_ns);
    capture.frame_marks.push_back(mark);
  }
  drafts_ = {};
  open_ = {};
  by_name_ = {};
  capture.surfaces = std::move(surfaces_);
  std::stable_sort(capture.frame_marks.begin(), capture.frame_marks.end(),
                   [](const auto& a, const auto& b) { return a.end_ns < b.end_ns; });
  const auto note = [&capture](std::string_view id, model::Severity severity, std::string message,
                               std::uint64_t count) {
    if (count > 0) capture.note(id, severity, std::move(message), count);
  };
  note("frame_without_time", model::Severity::warning,
       "frame marks without a timestamp were dropped", without_time_);
  note("frame_without_end", model::Severity::info,
       "frames of the frame timeline that begin in the trace and do not end in it", without_end);
  note("unconverted_clock", model::Severity::warning,
       "frame marks on a clock that no snapshot ties to BOOTTIME", unconverted);
}

}  // namespace tilebound::ingest::perfetto
