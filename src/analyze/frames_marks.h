#pragma once

#include <cstdint>
#include <vector>

#include "analyze/frame_signals.h"
#include "analyze/frames.h"
#include "model/capture.h"
#include "model/note.h"

/// Frames that the capture itself names: by the driver's render stages or the platform's marks.
namespace tilebound::analyze {

/// Frames of render stages, exact at both ends: a frame begins with its first stage and ends with
/// its last fragment stage. Which stages make a frame is told by the platform's marks, else by
/// submissions and by the pass that draws to alternating targets, as that to the display does.
/// Method "render_stages".
Frames frames_by_render_stages(const model::Capture& capture, std::uint32_t gpu,
                               base::Interval window, std::vector<model::Note>& notes);

/// Frames of the surface with most of them in the frame timeline. Number, order and ends are those
/// of the marks: where the GPU finished after the buffer was handed over, the end is the GPU's.
/// Otherwise the GPU was idle before the mark, and the end is that of the work before it.
/// `begin` is the first work after the previous end, to a sample. Method "frame_timeline".
Frames frames_by_frame_timeline(const model::Capture& capture, const FrameSignals& signals,
                                base::Interval window, std::vector<model::Note>& notes);

/// As by frame timeline, from fences: acquire fences give ends of GPU work; where there are only
/// present fences, number and period are exact and ends are moved to the work before them where
/// the GPU was idle then, else left as they are, with low confidence. Method "presented".
Frames frames_by_present(const model::Capture& capture, const FrameSignals& signals,
                         base::Interval window, std::vector<model::Note>& notes);

/// The most trusted of these with frames in at least half of `window`; method "none" without one.
/// `signals` may be empty: ends are then the marks' own.
Frames frames_by_marks(const model::Capture& capture, std::uint32_t gpu,
                       const FrameSignals& signals, base::Interval window,
                       std::vector<model::Note>& notes);

/// Ends of GPU work by the platform's marks, ascending: of the frame timeline, else of acquire
/// fences; of the surface with most frames in `window`. Empty without any.
std::vector<std::int64_t> marked_ends(const model::Capture& capture, base::Interval window);

}  // namespace tilebound::analyze
