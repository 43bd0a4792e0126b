#include "analyze/frames_joined.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/statistics.h"

namespace tilebound::analyze {

namespace {

/// Median absolute deviation over the median, up to which an amount is the same in all frames.
constexpr double kSteady = 0.005;
/// Averaged counters are rounded: a frame's amount is reached when less than this share is missing.
constexpr double kRounding = 0.001;
/// How far from a whole number of frames the amount in a stretch may be.
constexpr double kOffWhole = 0.05;
constexpr double kMostFrames = 8;
constexpr std::size_t kFewestFrames = 5;

/// Samples [first, last) of `s` behind the one that `window` begins in, to the one that it ends in.
/// Frames end in idle time, so a sample that a frame ends in holds nothing of the next.
struct Samples {
  std::size_t first = 0;
  std::size_t last = 0;
};

Samples samples_in(const FrameSignals& s, base::Interval window) {
  const auto until = [&](base::Nanoseconds time) {
    const auto at = std::partition_point(s.interval.begin(), s.interval.end(),
                                         [&](const auto& sample) { return sample.end <= time; });
    return static_cast<std::size_t>(at - s.interval.begin());
  };
  return {until(window.begin) + 1, std::min(s.size(), until(window.end) + 1)};
}

/// Amount of a counter in a frame's window.
double amount_in(const FrameSignals& s, const std::vector<double>& row, base::Interval window) {
  const Samples in = samples_in(s, window);
  double sum = 0;
  for (std::size_t i = in.first; i < in.last; ++i) sum += row[i];
  return sum;
}

/// A counter whose amount hardly differs between frames, and that amount; the first in order.
struct Steady {
  const std::vector<double>* row = nullptr;
  double a_frame = 0;
};

Steady find_steady(const FrameSignals& s, const Frames& frames) {
  for (std::size_t r = s.geometry_work; r < s.work.size(); ++r) {
    std::vector<double> amounts;
    for (std::size_t f = 1; f < frames.list.size(); ++f) {
      amounts.push_back(amount_in(s, s.work[r], frames.window(f)));
    }
    const double middle = base::median(amounts).value_or(0);
    if (middle <= 0) continue;
    for (double& amount : amounts) amount = std::abs(amount / middle - 1);
    if (*base::median(amounts) <= kSteady) return {&s.work[r], middle};
  }
  return {};
}

/// Where the amount reaches each whole number of frames below `count`.
std::vector<base::Nanoseconds> ends_within(const FrameSignals& s, const Steady& steady,
                                           base::Interval window, double count) {
  std::vector<base::Nanoseconds> out;
  const Samples in = samples_in(s, window);
  double sum = 0;
  double reached = 1;
  for (std::size_t i = in.first; i < in.last; ++i) {
    const double amount = (*steady.row)[i];
    for (; reached < count; ++reached) {
      const double due = (reached - kRounding) * steady.a_frame;
      if (amount <= 0 || sum + amount < due) break;
      const double share = std::clamp((due - sum) / amount, 0.0, 1.0);
      const base::Interval sample = s.interval[i];
      const double length = static_cast<double>(sample.length().value);
      out.push_back(sample.begin + base::Nanoseconds{std::llround(length * share)});
    }
    sum += amount;
  }
  return out;
}

}  // namespace

void split_joined_frames(const FrameSignals& s, Frames& frames) {
  if (frames.list.size() < kFewestFrames) return;
  const Steady steady = find_steady(s, frames);
  if (steady.row == nullptr) return;
  std::vector<Frame> list = {frames.list.front()};
  std::size_t stretches = 0;
  for (std::size_t f = 1; f < frames.list.size(); ++f) {
    Frame rest = frames.list[f];
    const base::Interval window = frames.window(f);
    const double held = amount_in(s, *steady.row, window) / steady.a_frame;
    const double count = std::round(held);
    if (count >= 2 && count <= kMostFrames && std::abs(held - count) <= kOffWhole) {
      ++stretches;
      for (const base::Nanoseconds end : ends_within(s, steady, window, count)) {
        list.push_back({rest.begin, end});
        rest.begin = end;
      }
    }
    list.push_back(rest);
  }
  if (stretches == 0) return;
  frames.list = std::move(list);
  frames.period_ms = frames.mean_distance_ms();
  frames.reason += fmt::format(
      "; {} with the work of several frames and no pause between them {} cut where each one's is "
      "done",
      stretches == 1 ? "a stretch" : fmt::format("{} stretches", stretches),
      stretches == 1 ? "is" : "are");
}

}  // namespace tilebound::analyze
