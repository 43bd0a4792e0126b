#include "model/capture.h"

#include <algorithm>
#include <limits>

namespace tilebound::model {

base::Interval Capture::span() const {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
  for (const TimeAxis& axis : axes) {
    if (axis.size() == 0) continue;
    begin = std::min(begin, axis.interval(0).begin.value);
    end = std::max(end, axis.interval(axis.size() - 1).end.value);
  }
  if (begin > end) return {};
  return {{begin}, {end}};
}

}  // namespace tilebound::model
