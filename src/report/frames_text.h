#pragma once

#include <cstddef>
#include <string>

#include "analyze/analysis.h"

namespace tilebound::report {

/// Appends times over frames, the typical frame and the long ones; nothing without complete frames.
void frame_summary(std::string& out, const analyze::Analysis& analysis, std::size_t width);

}  // namespace tilebound::report
