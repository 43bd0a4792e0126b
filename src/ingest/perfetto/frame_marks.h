#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/perfetto/clocks.h"
#include "model/capture.h"

namespace tilebound::ingest::perfetto {

/// Collects what Android says about frames: FrameTimelineEvents (actual frames, not the expected
/// ones) and the fences of GraphicsFrameEvents.
///
/// A timeline frame is two packets that share a cookie, its start with all that is known and its
/// end.
class FrameMarks {
 public:
  /// Takes in one FrameTimelineEvent. False when it is damaged.
  bool timeline(std::string_view bytes, ClockIndex clock, std::optional<std::int64_t> time);

  /// Takes in one GraphicsFrameEvent. False when it is damaged.
  bool buffer(std::string_view bytes, ClockIndex clock, std::optional<std::int64_t> time);

  /// Moves marks and surfaces to `capture`, by end; notes frames without an end.
  void finish(const Clocks& clocks, model::Capture& capture);

 private:
  struct Draft {
    model::FrameMark mark;
    ClockIndex begin_clock = kBoottimeIndex;
    ClockIndex end_clock = kBoottimeIndex;
    bool ended = false;
    std::optional<std::int64_t> duration_ns;  // of a fence, which is one packet
  };

  std::uint32_t surface(std::int32_t pid, std::string_view layer);
  bool start(std::string_view bytes, model::FrameMarkKind kind, ClockIndex clock,
             std::optional<std::int64_t> time);
  bool end(std::string_view bytes, ClockIndex clock, std::optional<std::int64_t> time);

  std::vector<Draft> drafts_;
  std::unordered_map<std::int64_t, std::size_t> open_;  // drafts by cookie
  std::vector<model::Surface> surfaces_;
  std::map<std::pair<std::int32_t, std::string>, std::uint32_t, std::less<>> by_name_;
  std::uint64_t without_time_ = 0;
};

}  // namespace tilebound::ingest::perfetto
