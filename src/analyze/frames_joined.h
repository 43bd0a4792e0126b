#pragma once

#include "analyze/frame_signals.h"
#include "analyze/frames.h"

/// Frames between which the GPU did not pause.
namespace tilebound::analyze {

/// Cuts stretches of work that hold several frames: a frame that takes too long leaves the next one
/// no pause before it. Counters whose amount is the same in nearly all frames (tiles, whatever the
/// load) say how many frames a stretch holds and where each one's last work ends, within a sample.
/// Frames stay as they are where no counter is so steady.
void split_joined_frames(const FrameSignals& signals, Frames& frames);

}  // namespace tilebound::analyze
