#include "analyze/frame_statistics.h"

#include <gtest/gtest.h>

namespace tilebound::analyze {
namespace {

/// A frame of `ms` that follows another, at `ghz`, busy for `active_ms`.
FrameResult frame(std::vector<FrameResult>& all, double ms, double active_ms, double ghz,
                  double fragments = 1000) {
  const base::Nanoseconds begin = all.empty() ? base::Nanoseconds{0} : all.back().window.end;
  FrameResult out;
  out.window = {begin, begin + base::Nanoseconds{static_cast<std::int64_t>(ms * 1e6)}};
  out.gpu_active_ms = active_ms;
  out.active_cycles = active_ms * ghz * 1e6;
  out.clock_percent = 100 * ghz;
  out.idle_percent = 100 * (1 - active_ms / ms);
  out.units = {{"alu", 100 * active_ms / ms}};
  out.work = {{"shader_core", "fragment", fragments}};
  return out;
}

void add(std::vector<FrameResult>& all, double ms, double active_ms, double ghz,
         double fragments = 1000) {
  all.push_back(frame(all, ms, active_ms, ghz, fragments));
}

TEST(FrameStatistics, NothingFromNoFrames) {
  const FrameStatistics s = frame_statistics({});
  EXPECT_FALSE(s.typical);
  EXPECT_FALSE(s.time_ms);
}

TEST(FrameStatistics, ALongFrameIsTheSumOfWaitingWorkAndClock) {
  std::vector<FrameResult> all;
  for (int i = 0; i < 10; ++i) add(all, 10, 8, 1.0);
  // 6 ms more idle; 12e6 cycles instead of 8e6 (4 ms at 1 GHz); at 0.5 GHz those take 24 ms.
  add(all, 32, 24, 0.5, 3000);
  const FrameStatistics s = frame_statistics(all);
  ASSERT_EQ(s.longest.size(), 1U);
  const LongFrame& odd = s.longest.front();
  EXPECT_EQ(odd.index, 10U);
  EXPECT_DOUBLE_EQ(odd.longer_ms, 22);
  EXPECT_DOUBLE_EQ(*odd.idle_ms, 6);
  EXPECT_NEAR(*odd.work_ms, 4, 1e-9);
  EXPECT_NEAR(*odd.clock_ms, 12, 1e-9);
  EXPECT_NEAR(*odd.idle_ms + *odd.work_ms + *odd.clock_ms, odd.longer_ms, 1e-9);
  ASSERT_EQ(odd.changes.size(), 1U);
  EXPECT_EQ(odd.changes.front().unit, "shader_core");
  EXPECT_DOUBLE_EQ(odd.changes.front().ratio, 3);
}

TEST(FrameStatistics, WarmUpIsLeftOutOfAverages) {
  std::vector<FrameResult> all;
  for (int i = 0; i < 3; ++i) add(all, 30, 30, 0.3);
  for (int i = 0; i < 60; ++i) add(all, 10, 10, 1.0);
  const FrameStatistics s = frame_statistics(all);
  EXPECT_EQ(s.warm_up, 3U);
  EXPECT_EQ(s.counted, 60U);
  EXPECT_DOUBLE_EQ(s.time_ms->mean, 10);
  EXPECT_DOUBLE_EQ(s.time_ms->max, 10);
}

TEST(FrameStatistics, AnotherSceneIsNoWarmUp) {
  std::vector<FrameResult> all;
  for (int i = 0; i < 20; ++i) add(all, 20, 20, 1.0);
  for (int i = 0; i < 60; ++i) add(all, 10, 10, 1.0);
  EXPECT_EQ(frame_statistics(all).warm_up, 0U);
}

TEST(FrameStatistics, ThrottlingIsNoWarmUp) {
  std::vector<FrameResult> all;
  for (int i = 0; i < 4; ++i) add(all, 10, 10, 1.0);
  for (int i = 0; i < 76; ++i) add(all, 12.5, 12.5, 0.8);
  EXPECT_EQ(frame_statistics(all).warm_up, 0U);
}

TEST(FrameStatistics, TheTypicalFrameIsLeastDifferentFromAll) {
  std::vector<FrameResult> all;
  for (const double ms : {9.0, 9.9, 10.0, 10.2, 14.0}) add(all, ms, ms, 1.0);
  EXPECT_EQ(frame_statistics(all).typical, 2U);
}

}  // namespace
}  // namespace tilebound::analyze
