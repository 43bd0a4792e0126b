#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "align/crossing.h"
#include "align/expected_work.h"
#include "align/plan.h"
#include "analyze/analysis.h"
#include "analyze/critical.h"
#include "analyze/timeline.h"
#include "lint/context.h"
#include "model/capture.h"
#include "model/finding.h"
#include "model/note.h"

/// Lays the passes of an API capture on the timeline of a counter capture of another run of the
/// same scene: which pass ran when, on which queue, and what limited it.
namespace tilebound::align {

/// How the passes of a queue were found.
enum class Method : std::uint8_t {
  exact,  // a counter's running sum crosses numbers that the API capture tells
  mix,    // where the mix of counters fits what passes are expected to do
  none,
};

/// Shortest, likeliest and longest.
struct Range {
  double least = 0;
  double estimate = 0;
  double most = 0;
};

/// A pass on one queue, over all frames that match.
struct PassOnQueue {
  std::size_t work = 0;  // into Alignment::works
  /// Duration; least and most are what 8 of 10 frames lie between, or the estimate's uncertainty
  /// where that is larger. Of a pass that is merged with others: 0 and the whole group.
  Range ms;
  std::vector<analyze::UnitPercent> units;  // of peak while the pass ran, highest first
  std::vector<std::string> limiters;
  std::optional<double> read_bytes;     // of external memory, a frame; by counters
  std::optional<double> written_bytes;  // likewise
  /// Passes of this queue, into Alignment::works, that the samples do not tell from this one. Its
  /// own times then are bounds of the group's.
  std::vector<std::size_t> merged_with;
};

struct QueueAlignment {
  analyze::Queue queue = analyze::Queue::fragment;
  Method method = Method::none;
  std::string counter;    // whose running sum is the axis; the catalogue's machine name
  double confidence = 0;  // 0..1
  std::string reason;     // how passes were found, or why not
  std::vector<PassOnQueue> passes;
  double unaccounted_share = 0;  // of a frame's work, that no pass accounts for
};

/// A pass, and when it ran.
struct Step {
  analyze::Queue queue = analyze::Queue::fragment;
  std::size_t work = 0;
  double begin_ns = 0;
  double end_ns = 0;
};

/// One frame of the counter capture.
struct FrameTimes {
  double begin_ns = 0;                 // of its first work
  double end_ns = 0;                   // of its last
  bool matches = true;                 // it does what the API capture's frame does
  std::vector<PassTime> fragment;      // parallel to QueueAlignment::passes; empty: not known
  std::vector<PassTime> non_fragment;  // likewise
};

/// Times of a typical frame, averages over the frames that match.
struct FrameShape {
  double active_ms = 0;        // the GPU worked
  double fragment_ms = 0;      // the fragment queue did
  double non_fragment_ms = 0;  // the other did
  double overlap_ms = 0;       // both did
  double unattributed_ms = 0;  // active, in no pass
};

/// Render stages of the driver against the alignment's own answer (stages.h).
struct StageCheck {
  std::size_t frames = 0;    // that match
  std::size_t found = 0;     // of them, with a stage for each fragment pass
  double median_off_ms = 0;  // between the stages' begins and ends and what the samples said
  bool used = false;         // times are the stages'
};

struct Alignment {
  bool aligned = false;
  std::string reason;  // why not
  std::vector<PassWork> works;
  std::vector<Comparison> compared;  // of frames, in several counters
  QueueAlignment fragment;
  QueueAlignment non_fragment;
  std::vector<FrameTimes> frames;
  std::size_t matching = 0;            // of frames
  std::optional<std::size_t> typical;  // into frames: the one closest to all medians
  FrameShape shape;
  std::optional<StageCheck> stages;  // where the capture has any
  std::vector<Step> critical_path;   // of the typical frame: what its end waited for, in time order
  std::vector<model::Note> notes;

  const QueueAlignment& on(analyze::Queue queue) const {
    return queue == analyze::Queue::fragment ? fragment : non_fragment;
  }
};

/// `context` judges the API capture's frame for the device of `analysis`. Frames are those of the
/// analysed window; what passes cost comes from the whole capture.
Alignment align(const model::Capture& capture, const analyze::Analysis& analysis,
                const lint::Context& context);

/// Frames as an aligned API capture cuts them: from the first work to the end of the last. Nothing
/// where passes were not found by work that adds up.
std::optional<analyze::Frames> guided_frames(const Alignment& alignment);

/// What people call a work's pass: its label, else its name, else "pass 3 1600x720".
std::string work_name(const lint::Context& context, const PassWork& work);

/// Passes by queue, to draw beside the units; spans of frames that match.
std::vector<analyze::Lane> lanes(const Alignment& alignment, const lint::Context& context);

}  // namespace tilebound::align
