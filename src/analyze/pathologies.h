#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyze/activity.h"
#include "analyze/limiter.h"
#include "analyze/totals.h"
#include "analyze/units.h"
#include "model/finding.h"

/// Causes behind a limiter or behind a low top, each told by its counters.
namespace tilebound::analyze {

/// The tiler or vertex queue is busy for a good part of the time but takes few primitives, and
/// nothing explains it: the front end or tiler works on draws that bring no work (empty indirect
/// draws, a base instance with indirect draws, tiny draws). Nothing when that is not so.
std::optional<model::Finding> busy_without_work(const Totals& totals, const Activity& activity,
                                                const std::vector<UnitLoad>& units, std::size_t w,
                                                std::optional<double> frame_ms);

enum class Answer : std::uint8_t { no, yes, cannot_tell };

/// One reason why every unit may be far from its peak.
struct Cause {
  std::string id;
  std::string title;
  Answer answer = Answer::cannot_tell;
  std::string evidence;  // the number, or what would tell
};

/// The reasons for a low top that the method lists, for window `w`.
std::vector<Cause> low_top_causes(const Totals& totals, const Activity& activity, std::size_t w);

}  // namespace tilebound::analyze
