#pragma once

#include <vector>

#include "align/alignment.h"
#include "lint/lint.h"

/// Findings on passes, with what the counters measured of those passes.
namespace tilebound::align {

/// The findings of `lint`, in its order. One on a pass that external memory limits gets the time
/// that its bytes take of the pass; any other keeps its bytes and says what limits the pass.
/// Followed by passes whose measured bytes are far from what their attachments need.
std::vector<model::Finding> measured_findings(const lint::Result& lint, const Alignment& alignment,
                                              const analyze::Analysis& analysis);

}  // namespace tilebound::align
