#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lint/context.h"
#include "model/api_frame.h"

/// What each pass of an API capture gives the GPU to do, in the units that hardware counters count.
namespace tilebound::align {

/// How an amount is known.
enum class Certainty : std::uint8_t {
  unknown,
  estimated,  // from facts that the GPU may treat otherwise
  exact,      // the counter has to show this number
};

struct Amount {
  double value = 0;
  Certainty certainty = Certainty::unknown;

  bool known() const { return certainty != Certainty::unknown; }
};

struct PassWork {
  std::size_t pass = 0;       // into ApiFrame::passes
  bool fragment = false;      // it has work on the fragment queue
  bool non_fragment = false;  // it has vertices or dispatches
  Amount tiles;               // of the GPU's tile counter
  Amount tasks;               // squares of kTaskSide pixels
  Amount jobs;                // draws and dispatches, those that draw nothing too
  Amount primitives;          // that enter the tiler
  Amount vertices;            // or indices, times instances
  Amount stored_bytes;        // from the tile to memory, without framebuffer compression
  Amount loaded_bytes;        // from memory to the tile
  /// Instructions of fragment shaders times pixels of the render area: a class of cost, for
  /// comparison among passes only.
  Amount shading;
  Amount pixels;        // of the render area, all layers or views
  Amount depth_pixels;  // likewise where a depth attachment is bound, else 0
};

/// A fragment task covers a square of this many pixels on job-manager GPUs (libGPUCounters).
inline constexpr std::uint32_t kTaskSide = 32;

/// One entry for each pass that has work on either queue, in the frame's order. `context` judges
/// the frame for the GPU of the counters, whose tiles count.
std::vector<PassWork> expected_work(const lint::Context& context);

}  // namespace tilebound::align
