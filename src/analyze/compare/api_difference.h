#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/compare/comparison.h"
#include "model/api_frame.h"

/// Which passes and commands one frame has and the other has not.
namespace tilebound::analyze {

struct PassDifference {
  bool in_b = true;            // B has it and A has not; else the other way round
  std::size_t pass = 0;        // index into that frame's passes
  std::string what;            // "render pass 2400x1080, D24_UNORM_S8_UINT load/store [Shadow]"
  bool clears_only = false;    // no draw in it
  bool depth_only = false;     // no colour attachment
  bool splits_a_pass = false;  // loads what the pass before it stored: one pass was cut in two
};

struct CallDifference {
  std::string call;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
};

struct ApiDifference {
  std::vector<PassDifference> passes;  // in the order of submission
  std::vector<CallDifference> calls;   // by how far they differ, largest first
};

/// Passes are matched in order by what they are (kind, area, attachments with their load and store
/// ops, label), so that the fewest are left over.
ApiDifference api_difference(const model::ApiFrame& a, const model::ApiFrame& b);

/// The difference as a step of the reading: which passes one side has and the other has not, and
/// which commands differ most.
ReadingStep api_step(const model::ApiFrame& a, const model::ApiFrame& b);

/// A pass in a few words.
std::string describe_pass(const model::ApiFrame& frame, std::size_t pass);

}  // namespace tilebound::analyze
