#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "align/crossing.h"
#include "align/expected_work.h"
#include "analyze/analysis.h"
#include "analyze/critical.h"
#include "lint/lint.h"
#include "model/api_frame.h"
#include "model/capture.h"
#include "model/note.h"

/// Lays the passes of an API capture on the timeline of a counter capture of another run of the
/// same scene: which pass ran when, on which queue, and what limited it.
namespace tilebound::align {

/// How a queue's passes were found.
enum class Method : std::uint8_t {
  exact,    // the counter's running sum crosses numbers that the API capture tells
  general,  // the mix of counters against what passes are expected to do
  none,
};

/// Shortest, likeliest and longest.
struct Range {
  double least = 0;
  double estimate = 0;
  double most = 0;
};

/// A pass on one queue, over all aligned frames.
struct PassOnQueue {
  std::size_t work = 0;  // into Alignment::works
  PassTime typical;      // in the typical frame; capture time, ns
  Range ms;              // duration: the middle of the frames, and what 8 of 10 frames lie between
  double error_ms = 0;   // standard error of the estimate
  std::vector<analyze::UnitPercent> units;  // of peak while the pass ran, highest first
  std::vector<std::string> limiters;
  /// Other passes of this queue, into Alignment::works, that the samples do not tell from it. Its
  /// own times are then a guess inside the group's.
  std::vector<std::size_t> merged_with;
};

struct QueueAlignment {
  analyze::Queue queue = analyze::Queue::fragment;
  Method method = Method::none;
  std::string counter;    // whose running sum is the axis; the catalogue's machine name
  double confidence = 0;  // 0..1
  std::string reason;     // why there is none, or how it was found
  std::vector<PassOnQueue> passes;
  /// Share of a frame's work on the counter that no pass of the capture accounts for.
  double unaccounted_share = 0;
  double unaccounted_ms = 0;
};

/// One frame of the counter capture: times of every pass on both queues.
struct FrameTimes {
  double begin_ns = 0;                 // of its first work
  double end_ns = 0;                   // of its last
  bool matches = true;                 // does what the capture's frame does
  std::vector<PassTime> fragment;      // parallel to QueueAlignment::passes; empty: not known
  std::vector<PassTime> non_fragment;  // likewise
};

struct Alignment {
  bool aligned = false;
  std::string reason;  // why not
  std::vector<PassWork> works;
  QueueAlignment fragment;
  QueueAlignment non_fragment;
  std::vector<FrameTimes> frames;
  std::size_t matching = 0;            // of frames
  std::optional<std::size_t> typical;  // into frames
  std::vector<model::Note> notes;
};

/// `lint` judges the frame for the device of `analysis`.
Alignment align(const model::Capture& capture, const analyze::Analysis& analysis,
                const lint::Context& context);

}  // namespace tilebound::align
