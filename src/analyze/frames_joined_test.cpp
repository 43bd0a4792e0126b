#include "analyze/frames_joined.h"

#include <gtest/gtest.h>

namespace tilebound::analyze {
namespace {

/// Samples of a millisecond; a frame of 100 tiles in four samples, then idle to a length of 10 ms.
class Joined : public testing::Test {
 protected:
  void SetUp() override {
    s.period_ns = 1e6;
    s.work.resize(1);
    frame(6);  // before the first frame's end nothing is known of its work
    for (int i = 0; i < 8; ++i) frame(6);
  }

  void sample(double tiles) {
    const base::Nanoseconds end{(static_cast<std::int64_t>(s.size()) + 1) * 1'000'000};
    s.interval.push_back({end - base::Nanoseconds{1'000'000}, end});
    s.work[0].push_back(tiles);
  }

  void work(double tiles, int samples) {
    for (int i = 0; i < samples; ++i) sample(tiles / samples);
  }

  void idle(int samples) { work(0, samples); }

  void end_frame(base::Nanoseconds begin) { frames.list.push_back({begin, s.interval.back().end}); }

  base::Nanoseconds now() const {
    return s.interval.empty() ? base::Nanoseconds{0} : s.interval.back().end;
  }

  void frame(int idle_samples) {
    const base::Nanoseconds begin = now();
    work(100, 4);
    end_frame(begin);
    idle(idle_samples);
  }

  FrameSignals s;
  Frames frames;
};

TEST_F(Joined, AreCutWhereTheTilesOfEachAreDone) {
  const base::Nanoseconds begin = now();
  work(100, 12);
  const base::Nanoseconds middle = now();
  work(100, 4);
  end_frame(begin);
  idle(4);
  frame(6);
  const std::size_t before = frames.list.size();
  split_joined_frames(s, frames);
  ASSERT_EQ(frames.list.size(), before + 1);
  const Frame& hitch = frames.list[before - 2];
  const Frame& after = frames.list[before - 1];
  EXPECT_EQ(hitch.begin, begin);
  EXPECT_NEAR(base::milliseconds(hitch.end), base::milliseconds(middle), 0.1);
  EXPECT_EQ(after.begin, hitch.end);
  EXPECT_EQ(base::milliseconds(after.end), base::milliseconds(middle) + 4);
  EXPECT_NE(frames.reason.find("a stretch"), std::string::npos);
}

TEST_F(Joined, AreLeftWhereTheAmountIsNotWhole) {
  const base::Nanoseconds begin = now();
  work(150, 12);
  end_frame(begin);
  idle(4);
  frame(6);
  const std::size_t before = frames.list.size();
  split_joined_frames(s, frames);
  EXPECT_EQ(frames.list.size(), before);
  EXPECT_TRUE(frames.reason.empty());
}

TEST_F(Joined, AreLeftWhereNoCounterIsSteady) {
  for (std::size_t i = 0; i < s.size(); ++i) {
    s.work[0][i] *= 1 + 0.1 * static_cast<double>(i / 10 % 3);
  }
  const base::Nanoseconds begin = now();
  work(220, 12);
  end_frame(begin);
  idle(4);
  const std::size_t before = frames.list.size();
  split_joined_frames(s, frames);
  EXPECT_EQ(frames.list.size(), before);
}

}  // namespace
}  // namespace tilebound::analyze
