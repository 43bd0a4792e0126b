#include "align/frame_shape.h"

#include <gtest/gtest.h>

namespace tilebound::align {
namespace {

using analyze::Queue;

PassTime time(double begin_ms, double end_ms) {
  const auto moment = [](double ms) { return Moment{ms * 1e6, ms * 1e6, ms * 1e6}; };
  return {moment(begin_ms), moment(end_ms)};
}

/// Two passes: vertices of both, then fragments of both.
Alignment two_passes(double frames_apart_ms, std::size_t frames) {
  Alignment out;
  out.works.resize(2);
  out.works[1].pass = 1;
  out.non_fragment.queue = Queue::non_fragment;
  for (std::size_t w = 0; w < 2; ++w) {
    PassOnQueue pass;
    pass.work = w;
    out.fragment.passes.push_back(pass);
    out.non_fragment.passes.push_back(pass);
  }
  for (std::size_t f = 0; f < frames; ++f) {
    const double t = frames_apart_ms * static_cast<double>(f);
    FrameTimes frame;
    frame.non_fragment = {time(t, t + 1), time(t + 1, t + 2)};
    frame.fragment = {time(t + 1, t + 4), time(t + 4, t + 9)};
    frame.begin_ns = t * 1e6;
    frame.end_ns = (t + 9) * 1e6;
    out.frames.push_back(frame);
  }
  return out;
}

/// The i-th millisecond.
base::Interval sample(std::int64_t i) {
  constexpr std::int64_t kMillisecond = 1'000'000;
  return {base::Nanoseconds{i * kMillisecond}, base::Nanoseconds{(i + 1) * kMillisecond}};
}

TEST(FrameShape, ActiveTimeIsPassesAndTheRest) {
  const Alignment alignment = two_passes(20, 4);
  analyze::UnitSeries series;
  for (int i = 0; i < 80; ++i) {
    series.interval.push_back(sample(i));
    const int at = i % 20;
    // One further millisecond of somebody else's work after each frame.
    series.active_ns.push_back(at < 9 || at == 12 ? 1e6 : 0);
    series.fragment.push_back(at >= 1 && at < 9 ? 1 : at == 12 ? 1 : 0);
    series.non_fragment.push_back(at < 2 ? 1 : 0);
  }
  const FrameShape shape = frame_shape(alignment, series);
  EXPECT_NEAR(shape.active_ms, 10, 1e-9);
  EXPECT_NEAR(shape.fragment_ms, 9, 1e-9);
  EXPECT_NEAR(shape.non_fragment_ms, 2, 1e-9);
  EXPECT_NEAR(shape.overlap_ms, 1, 1e-9);
  EXPECT_NEAR(shape.unattributed_ms, 1, 1e-9);
}

TEST(CriticalPath, BeginsWithTheVerticesThatFragmentsWaitedFor) {
  const Alignment alignment = two_passes(20, 1);
  const auto path = critical_path(alignment, alignment.frames[0], 0.1e6);
  ASSERT_EQ(path.size(), 3U);
  EXPECT_EQ(path[0].queue, Queue::non_fragment);
  EXPECT_EQ(path[0].work, 0U);
  EXPECT_EQ(path[1].queue, Queue::fragment);
  EXPECT_EQ(path[2].work, 1U);
}

TEST(FrameShape, NothingWithoutTwoFramesThatMatch) {
  EXPECT_EQ(frame_shape(two_passes(20, 1), {}).active_ms, 0);
}

}  // namespace
}  // namespace tilebound::align
