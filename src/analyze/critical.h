#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "analyze/limiter.h"
#include "analyze/unit_series.h"

/// What limits a frame: the unit that limits the largest share of the busy time on its critical
/// path, the chain of work that the frame's end waited for.
///
/// A tiler runs fragment work beside the next geometry, and only one of them is what the frame
/// waits for. The queue that is busy for more of a window is the one that never had to wait, so it
/// is the critical one there; the other one counts only while the critical one has nothing to do.
/// In each sample the critical time goes to the unit closest to its peak among those that serve the
/// queue.
namespace tilebound::analyze {

enum class Queue : std::uint8_t { fragment, non_fragment };

/// Whether a unit works for draws' fragments, for everything before them, or for both.
bool serves(const std::string& unit_id, Queue queue);

/// What limits work of one queue whose units ran at these percentages: the unit closest to its
/// peak, and others within kClusterPoints of it. Nothing where no unit did anything to speak of:
/// what limits is not among them.
std::vector<std::string> closest_to_peak(std::span<const UnitPercent> units);

struct CriticalPath {
  Queue queue = Queue::fragment;  // the one that the window waited for most
  /// Percent of the busy time on the critical path that each unit limited, largest first.
  std::vector<UnitPercent> shares;
  /// The unit with the largest share, others within kClusterPoints of it, and units that limit
  /// together with it: as close to its percentage over the stretches that it limits.
  std::vector<std::string> limiters;
};

/// `window` is cut into shares of samples where it does not end with one. Nothing in it where no
/// unit worked.
CriticalPath critical_path(const UnitSeries& series, base::Interval window);

/// What one sample has on the critical path.
struct CriticalSample {
  double ns = 0;                 // busy time given to the critical queue's unit
  std::size_t unit = SIZE_MAX;   // into UnitSeries::units; SIZE_MAX: none worked
  double other_ns = 0;           // busy time without the critical queue
  std::size_t other = SIZE_MAX;  // the other queue's unit then
};

CriticalSample critical_sample(const UnitSeries& series, std::size_t sample, Queue queue);

/// The queue that was busy for more of samples [first, last).
Queue critical_queue(const UnitSeries& series, std::size_t first, std::size_t last);

}  // namespace tilebound::analyze
