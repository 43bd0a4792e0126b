#include "analyze/segments.h"

#include <gtest/gtest.h>

namespace tilebound::analyze {
namespace {

/// A stretch of a frame: loads of alu, external_memory, tiler; then quads, warps and primitives.
struct Stretch {
  int samples;
  float alu;
  float memory;
  float tiler;
  double fragment;
  double non_fragment;
  double quads;
  double warps;
  double primitives;
};

/// Shadow map, main pass, post-processing.
const std::vector<Stretch> kForward = {{4, 2, 90, 40, 1, 0.5, 1000, 0, 300},
                                       {9, 95, 20, 0, 1, 0, 1000, 250, 200},
                                       {4, 70, 60, 0, 1, 0, 1000, 250, 0.5}};

struct Frames {
  UnitSeries series;
  std::vector<FrameResult> results;

  void add(const std::vector<Stretch>& stretches) {
    const auto ns = [this] {
      return base::Nanoseconds{static_cast<std::int64_t>(series.size()) * 1'000'000};
    };
    series.units = {"tiler", "alu", "external_memory"};
    series.percent.resize(3);
    series.period_ns = 1e6;
    FrameResult frame;
    frame.window.begin = ns();
    frame.frame.begin = ns();
    for (const Stretch& s : stretches) {
      for (int i = 0; i < s.samples; ++i) {
        series.interval.push_back({ns(), ns() + base::Nanoseconds{1'000'000}});
        series.active_ns.push_back(1e6);
        series.fragment.push_back(s.fragment);
        series.non_fragment.push_back(s.non_fragment);
        series.percent[0].push_back(s.tiler);
        series.percent[1].push_back(s.alu + (i % 2 == 0 ? 1.F : -1.F));
        series.percent[2].push_back(s.memory);
        series.quads.push_back(s.quads);
        series.warps.push_back(s.warps);
        series.primitives.push_back(s.primitives);
      }
    }
    frame.window.end = ns();
    frame.frame.end = ns();
    frame.gpu_active_ms = frame.time_ms();
    results.push_back(frame);
  }

  std::vector<std::vector<Segment>> segments() const { return frame_segments(series, results); }
};

TEST(Segments, AreShadowMainAndPost) {
  Frames frames;
  for (int i = 0; i < 10; ++i) frames.add(kForward);
  const auto all = frames.segments();
  ASSERT_EQ(all.size(), 10);
  for (const auto& frame : all) {
    ASSERT_EQ(frame.size(), 3);
    EXPECT_EQ(frame[0].work, Work::depth);
    EXPECT_EQ(frame[1].work, Work::shading);
    EXPECT_EQ(frame[2].work, Work::full_screen);
    EXPECT_EQ(frame[0].limiters.front(), "external_memory");
    EXPECT_EQ(frame[1].limiters.front(), "alu");
    EXPECT_EQ(frame[0].interval.end, frame[1].interval.begin);
    EXPECT_NEAR(frame[1].active_ms, 9, 1e-9);
    EXPECT_EQ(frame[1].confidence, 1);
  }
  // 95 % ALU over 20 % memory: at most 4.75 times as fast, over 9 of 17 ms.
  EXPECT_NEAR(*all[0][1].max_gain, 95.1 / 20, 0.1);
  EXPECT_NEAR(*all[0][1].frame_gain, 1 / (1 - 9.0 / 17 * (1 - 20 / 95.1)), 0.02);
}

TEST(Segments, NextFramesGeometryIsNoChange) {
  Frames frames;
  for (int i = 0; i < 6; ++i) {
    frames.add({{5, 95, 20, 0, 1, 0, 1000, 250, 200}, {5, 95, 20, 90, 1, 1, 1000, 250, 200}});
  }
  for (const auto& frame : frames.segments()) EXPECT_EQ(frame.size(), 1);
}

TEST(Segments, ACutThatNoOtherFrameShowsNeedsToBeStrong) {
  Frames frames;
  for (int i = 0; i < 12; ++i) frames.add({{12, 60, 20, 0, 1, 0, 1000, 250, 200}});
  // A ripple of a few points.
  frames.add({{6, 60, 20, 0, 1, 0, 1000, 250, 200}, {6, 60, 45, 0, 1, 0, 1000, 250, 200}});
  // An extra pass.
  frames.add({{6, 60, 20, 0, 1, 0, 1000, 250, 200}, {6, 5, 95, 0, 1, 0, 1000, 0, 200}});
  const auto all = frames.segments();
  EXPECT_EQ(all[12].size(), 1);
  ASSERT_EQ(all[13].size(), 2);
  EXPECT_LT(all[13][0].confidence, 0.2);
}

TEST(Segments, EmptyFramesHaveNone) {
  Frames frames;
  frames.add(kForward);
  frames.add({{3, 0, 0, 0, 0, 0, 0, 0, 0}});
  for (std::size_t i = 17; i < 20; ++i) frames.series.active_ns[i] = 0;
  const auto all = frames.segments();
  EXPECT_EQ(all[0].size(), 3);
  EXPECT_TRUE(all[1].empty());
  EXPECT_TRUE(frame_segments(UnitSeries(), frames.results)[0].empty());
}

}  // namespace
}  // namespace tilebound::analyze
