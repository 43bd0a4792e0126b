#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/critical.h"
#include "analyze/frame_statistics.h"
#include "analyze/limiter.h"
#include "analyze/unit_series.h"

/// Stretches of a frame with one mix of work each, what a person marks by eye in a timeline as
/// shadow map, main pass and post-processing.
///
/// A frame's busy samples are cut where their mix changes: loads of units and the share of time in
/// which each queue is busy, as change_points.h does it. Counters are of the whole GPU, so a
/// segment is a stretch of time, not a pass: the next frame's geometry may run inside it.
namespace tilebound::analyze {

/// What a segment's work looks like.
enum class Work : std::uint8_t {
  geometry,     // no fragment work: vertices, tiling, compute
  depth,        // fragments without shading, as of a shadow map or a depth prepass
  shading,      // shaded fragments of a scene
  full_screen,  // shaded fragments of few large primitives, as of post-processing
  mixed,        // cannot be told from the counters recorded
};

const char* work_name(Work work);
/// The same in words: "full screen".
const char* work_title(Work work);

struct Segment {
  base::Interval interval;
  Work work = Work::mixed;
  double active_ms = 0;
  std::optional<double> fragment_percent;      // of its busy time with that queue busy
  std::optional<double> non_fragment_percent;  // likewise
  std::vector<UnitPercent> units;              // while busy, highest first
  std::vector<std::string> limiters;
  std::optional<Case> kind;          // by the top unit's percentage
  std::optional<double> max_gain;    // of the segment, as Verdict's
  std::optional<double> frame_gain;  // of the frame, if the segment gains that
  /// Share of the frames around, this one included, that show cuts at both of its ends.
  double confidence = 0;
  std::vector<std::string> advice;  // ids (advice.h)
};

/// A list a frame, parallel to `frames`; empty for a frame without usable samples.
std::vector<std::vector<Segment>> frame_segments(const UnitSeries& series,
                                                 const std::vector<FrameResult>& frames);

}  // namespace tilebound::analyze
