#include "analyze/frames_marks.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace tilebound::analyze {
namespace {

using model::FrameMark;
using model::FrameMarkKind;

constexpr std::int64_t kMs = 1'000'000;
constexpr base::Interval kWindow{{0}, {1000 * kMs}};

std::vector<std::int64_t> ends_ms(const Frames& frames) {
  std::vector<std::int64_t> out;
  for (const Frame& frame : frames.list) out.push_back(frame.end.value / kMs);
  return out;
}
std::vector<std::int64_t> begins_ms(const Frames& frames) {
  std::vector<std::int64_t> out;
  for (const Frame& frame : frames.list) out.push_back(frame.begin.value / kMs);
  return out;
}

/// Frames of 10 ms: shadow and main, geometry of the next frame under the main pass.
struct Stages {
  bool submissions = false;  // one a frame
  std::uint64_t images = 1;  // of the swapchain
  std::int64_t rest_ms = 0;  // idle at the end of a frame

  model::Capture capture(std::size_t frames = 5) const {
    model::Capture out;
    for (std::size_t k = 0; k < frames; ++k) {
      const std::int64_t t = static_cast<std::int64_t>(k + 1) * 10;
      const auto add = [&](const char* stage, std::uint64_t pass, std::uint64_t target,
                           std::int64_t begin, std::int64_t end) {
        model::RenderStage s;
        s.stage = s.queue = stage;
        s.begin_ns = begin * kMs;
        s.duration_ns = (end - begin) * kMs;
        s.render_pass = pass;
        s.render_target = target;
        s.submission = submissions ? static_cast<std::uint32_t>(k + 1) : 0;
        out.render_stages.push_back(s);
      };
      add("vertex", 1, 1, t - 4, t - 3);
      add("vertex", 2, 100 + k % images, t - 3, t - 2);
      add("fragment", 1, 1, t, t + 2);
      add("fragment", 2, 100 + k % images, t + 2, t + 10 - rest_ms);
    }
    std::stable_sort(out.render_stages.begin(), out.render_stages.end(),
                     [](const auto& a, const auto& b) { return a.begin_ns < b.begin_ns; });
    return out;
  }
};

Frames by_stages(const model::Capture& capture) {
  std::vector<model::Note> notes;
  return frames_by_render_stages(capture, 0, kWindow, notes);
}

TEST(FramesByRenderStages, EndWithThePassThatDrawsToTheDisplay) {
  const Frames frames = by_stages(Stages{.images = 3}.capture());
  EXPECT_EQ(frames.method, "render_stages");
  EXPECT_EQ(ends_ms(frames), (std::vector<std::int64_t>{20, 30, 40, 50, 60}));
  EXPECT_EQ(begins_ms(frames), (std::vector<std::int64_t>{6, 16, 26, 36, 46}));
  EXPECT_GT(frames.confidence, 0.95);
  EXPECT_DOUBLE_EQ(*frames.period_ms, 10);
}

TEST(FramesByRenderStages, EndWithASubmissionWhereEachIsAFrame) {
  const Frames frames = by_stages(Stages{.submissions = true}.capture());
  EXPECT_EQ(ends_ms(frames), (std::vector<std::int64_t>{20, 30, 40, 50, 60}));
  EXPECT_EQ(begins_ms(frames), (std::vector<std::int64_t>{6, 16, 26, 36, 46}));
  EXPECT_GE(frames.confidence, 0.7);
}

TEST(FramesByRenderStages, EndBeforeTheLongestGap) {
  const Frames frames = by_stages(Stages{.rest_ms = 3}.capture());
  EXPECT_EQ(ends_ms(frames), (std::vector<std::int64_t>{17, 27, 37, 47, 57}));
  EXPECT_GE(frames.confidence, 0.7);
}

TEST(FramesByRenderStages, SayWhenTheEndIsAssumed) {
  EXPECT_LT(by_stages(Stages{}.capture()).confidence, 0.5);
}

TEST(FramesByRenderStages, FollowThePlatformsMarks) {
  model::Capture capture = Stages{}.capture();
  capture.surfaces.push_back({7, "game"});
  for (std::int64_t k = 0; k < 5; ++k) {
    const std::int64_t end = (20 + 10 * k) * kMs;
    capture.frame_marks.push_back({FrameMarkKind::surface, 0, end - 30 * kMs, end + 50'000, k});
  }
  const Frames frames = by_stages(capture);
  EXPECT_EQ(ends_ms(frames), (std::vector<std::int64_t>{20, 30, 40, 50, 60}));
  EXPECT_EQ(frames.list[0].end.value, 20 * kMs);  // the stage's end, not the mark's
  EXPECT_GT(frames.confidence, 0.95);
}

TEST(FramesByRenderStages, LeaveOutWhatIsCutShortAndOtherContexts) {
  model::Capture capture = Stages{.images = 3}.capture();
  // The sixth frame's first pass only.
  model::RenderStage stage = capture.render_stages.front();
  stage.stage = stage.queue = "fragment";
  stage.begin_ns = 60 * kMs;
  stage.duration_ns = 2 * kMs;
  capture.render_stages.push_back(stage);
  stage.context = 9;
  stage.begin_ns = 70 * kMs;
  capture.render_stages.push_back(stage);
  std::vector<model::Note> notes;
  const Frames frames = frames_by_render_stages(capture, 0, kWindow, notes);
  EXPECT_EQ(ends_ms(frames), (std::vector<std::int64_t>{20, 30, 40, 50, 60}));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].id, "other_contexts");
}

/// Marks of one surface every 10 ms.
model::Capture marked(FrameMarkKind kind, std::size_t count) {
  model::Capture out;
  out.surfaces = {{7, "game"}, {8, "status bar"}};
  for (std::size_t k = 0; k < count; ++k) {
    const std::int64_t end = static_cast<std::int64_t>(k + 1) * 10 * kMs;
    out.frame_marks.push_back({kind, 0, end - 5 * kMs, end, static_cast<std::int64_t>(k)});
  }
  return out;
}

TEST(FramesByFrameTimeline, TakesTheSurfaceWithMostFramesAndNamesTheOthers) {
  model::Capture capture = marked(FrameMarkKind::surface, 6);
  capture.frame_marks.push_back({FrameMarkKind::surface, 1, 60 * kMs, 61 * kMs, 1});
  capture.frame_marks.push_back({FrameMarkKind::surface, 0, 60 * kMs, 65 * kMs, 2, true});
  std::vector<model::Note> notes;
  const Frames frames = frames_by_frame_timeline(capture, {}, kWindow, notes);
  EXPECT_EQ(frames.method, "frame_timeline");
  EXPECT_EQ(ends_ms(frames), (std::vector<std::int64_t>{10, 20, 30, 40, 50, 60}));
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0].id, "other_surfaces");
  EXPECT_NE(notes[0].message.find("status bar (process 8): 1 frames"), std::string::npos);
  EXPECT_EQ(notes[1].id, "dropped_frames");
}

TEST(FramesByFrameTimeline, MovesBackOverIdleTimeAndFindsTheFirstWork) {
  const model::Capture capture = marked(FrameMarkKind::surface, 6);
  FrameSignals signals;
  // Work from 4 to 7.5 ms of every 10.
  for (std::int64_t ms = 0; ms < 60; ++ms) {
    signals.interval.push_back({{ms * kMs}, {(ms + 1) * kMs}});
    const std::int64_t at = ms % 10;
    signals.busy.push_back(at >= 4 && at < 7 ? 1 : at == 7 ? 0.5 : 0);
  }
  std::vector<model::Note> notes;
  const Frames frames = frames_by_frame_timeline(capture, signals, kWindow, notes);
  ASSERT_EQ(frames.list.size(), 6U);
  EXPECT_EQ(frames.list[0].end.value, 7'500'000);
  EXPECT_EQ(frames.list[1].begin.value, 14 * kMs);
  EXPECT_EQ(frames.list[1].end.value, 17'500'000);
}

TEST(FramesByPresent, TrustsAcquireFencesAndNotDisplayTimes) {
  std::vector<model::Note> notes;
  model::Capture capture = marked(FrameMarkKind::presented, 6);
  const Frames shown = frames_by_present(capture, {}, kWindow, notes);
  EXPECT_EQ(shown.method, "presented");
  EXPECT_LT(shown.confidence, 0.7);
  EXPECT_DOUBLE_EQ(*shown.period_ms, 10);
  for (std::int64_t k = 0; k < 6; ++k) {
    capture.frame_marks.push_back({FrameMarkKind::gpu_done, 0, 0, (10 * k + 5) * kMs, k});
  }
  const Frames done = frames_by_present(capture, {}, kWindow, notes);
  EXPECT_EQ(ends_ms(done), (std::vector<std::int64_t>{5, 15, 25, 35, 45, 55}));
  EXPECT_GT(done.confidence, 0.9);
}

TEST(FramesByMarks, DoNotStandForACaptureThatTheyCoverLittleOf) {
  const model::Capture capture = marked(FrameMarkKind::surface, 6);
  std::vector<model::Note> notes;
  EXPECT_EQ(frames_by_marks(capture, 0, {}, {{0}, {70 * kMs}}, notes).method, "frame_timeline");
  EXPECT_EQ(frames_by_marks(capture, 0, {}, kWindow, notes).method, "none");
  EXPECT_EQ(notes.back().id, "marks_cover_part");
}

}  // namespace
}  // namespace tilebound::analyze
