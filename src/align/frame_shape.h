#pragma once

#include <vector>

#include "align/alignment.h"
#include "analyze/unit_series.h"

/// What a frame's time is made of.
namespace tilebound::align {

/// Averages over the frames of `alignment` that match, each from the previous frame's end to its
/// own.
FrameShape frame_shape(const Alignment& alignment, const analyze::UnitSeries& series);

/// From the frame's end backwards: each step is what the later one waited for. Two moments closer
/// than `sample_ns` are the same.
std::vector<Step> critical_path(const Alignment& alignment, const FrameTimes& frame,
                                double sample_ns);

}  // namespace tilebound::align
