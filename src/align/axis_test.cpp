#include "align/axis.h"

#include <gtest/gtest.h>

#include "align/pooling.h"
#include "align/test_track.h"

namespace tilebound::align {
namespace {

AxisPlan plan_of(const QueueTrack& track, const FakeQueue& queue) {
  AxisPlan plan;
  plan.counter = &track.progress.front();
  for (const FakePass& pass : queue.passes) {
    plan.lengths.push_back(pass.work);
    plan.period += pass.work;
  }
  return plan;
}

const FakeQueue kCapped{{{4000, 6.3, 5}, {600, 0.4, 40}, {2400, 3.7, 1}}, 20};
const FakeQueue kFull{{{4000, 6.3, 5}, {600, 0.4, 40}, {2400, 3.71, 1}}, 0, 200};

std::vector<std::vector<PassTime>> times_of(const Axis& axis, const QueueTrack& track) {
  std::vector<std::vector<PassTime>> out;
  for (const AxisFrame& frame : axis.frames) {
    out.push_back(pass_times(axis.work(track), frame, axis.placement));
  }
  return out;
}

/// Begins of passes in frame `f`, in ms.
std::vector<double> begins(const FakeQueue& queue, double frame_begin) {
  std::vector<double> out;
  for (const FakePass& pass : queue.passes) {
    out.push_back(frame_begin);
    frame_begin += pass.ms;
  }
  return out;
}

TEST(Axis, FindsPassesOfFramesWithIdleTimeBetween) {
  const QueueTrack track = fake_track(kCapped);
  const auto axis = find_axis(track, plan_of(track, kCapped));
  ASSERT_TRUE(axis);
  EXPECT_EQ(axis->frames.size(), kCapped.frames);
  const auto times = times_of(*axis, track);
  const std::vector<double> expected = begins(kCapped, 5);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_NEAR(times.front()[k].begin.ns / 1e6, expected[k], 0.1) << k;
    EXPECT_NEAR(axis->pass_ns[k] / 1e6, kCapped.passes[k].ms, 0.03 * kCapped.passes[k].ms) << k;
  }
}

TEST(Axis, FindsPassesAtFullLoad) {
  const QueueTrack track = fake_track(kFull);
  const auto axis = find_axis(track, plan_of(track, kFull));
  ASSERT_TRUE(axis);
  const auto times = times_of(*axis, track);
  const double frame_ms = 6.3 + 0.4 + 3.71;
  for (std::size_t f = 0; f + 1 < times.size(); ++f) {
    const std::vector<double> expected = begins(kFull, 5 + static_cast<double>(f) * frame_ms);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      EXPECT_NEAR(times[f][k].begin.ns / 1e6, expected[k], 0.2) << f << ' ' << k;
      EXPECT_LE(times[f][k].begin.least_ns, times[f][k].begin.ns);
      EXPECT_GE(times[f][k].begin.most_ns, times[f][k].begin.ns);
    }
  }
}

TEST(Axis, AWaitBetweenPassesBelongsToNone) {
  const FakeQueue queue{{{4000, 6.3, 5}, {600, 0.9, 40, 3}, {2400, 3.7, 1}}, 20};
  const QueueTrack track = fake_track(queue);
  const auto axis = find_axis(track, plan_of(track, queue));
  ASSERT_TRUE(axis);
  const auto first = times_of(*axis, track).front();
  EXPECT_NEAR(first[0].end.ns / 1e6, 11.3, 0.1);
  EXPECT_NEAR(first[1].begin.ns / 1e6, 14.3, 0.1);
}

TEST(Axis, AFrameBehindAGapIsLeftOut) {
  QueueTrack track = fake_track(kCapped);
  track.after_gap[200] = true;
  const auto axis = find_axis(track, plan_of(track, kCapped));
  ASSERT_TRUE(axis);
  std::size_t left_out = 0;
  for (const AxisFrame& frame : axis->frames) left_out += frame.matches ? 0 : 1;
  EXPECT_LE(left_out, 1U);
}

TEST(Axis, NothingWithoutAWholeFrame) {
  FakeQueue one = kCapped;
  one.frames = 1;
  const QueueTrack track = fake_track(one);
  AxisPlan plan = plan_of(track, one);
  plan.period *= 2;
  EXPECT_FALSE(find_axis(track, plan));
}

TEST(Axis, WorkOfOthersLiesBetweenPasses) {
  const FakeQueue queue{{{4000, 6.3, 5}, {900, 2.1, 90}, {2400, 3.7, 1}}, 20};
  const QueueTrack track = fake_track(queue);
  AxisPlan plan = plan_of(track, queue);
  plan.lengths = {4000, 2400};
  const auto axis = find_axis(track, plan);
  ASSERT_TRUE(axis);
  EXPECT_NEAR(axis->placement.passes[0].length(), 4000, 1);
  EXPECT_NEAR(axis->placement.passes[1].from - axis->placement.passes[0].to, 900, 120);
}

TEST(Axis, MixPlacesPassesWithoutACounterOfWork) {
  const QueueTrack track = fake_track(kCapped);
  std::vector<base::Nanoseconds> ends;
  for (std::size_t i = 1; i < track.size(); ++i) {
    if (track.busy_ns[i] == 0 && track.busy_ns[i - 1] > 0) ends.push_back(track.interval[i].begin);
  }
  const std::vector<Known> shares{{&track.mix.front(), {31.5, 16, 3.7}, 0.3}};
  const auto axis = find_axis_by_mix(track, ends, shares, 3, false);
  ASSERT_TRUE(axis);
  const auto first = times_of(*axis, track).front();
  EXPECT_NEAR(first[0].length_ns() / 1e6, 6.3, 0.8);
  EXPECT_NEAR(first[2].length_ns() / 1e6, 3.7, 0.8);
  EXPECT_LE(axis->placement.begins[1].from, axis->placement.passes[1].from);
  EXPECT_GE(axis->placement.begins[1].to, axis->placement.passes[1].from);
}

TEST(Pooling, APassFarShorterThanASampleJoinsANeighbour) {
  const FakeQueue queue{{{4000, 6.3, 5}, {60, 0.1, 40}, {2400, 3.7, 1}}, 20};
  const QueueTrack track = fake_track(queue);
  const auto axis = find_axis(track, plan_of(track, queue));
  ASSERT_TRUE(axis);
  const auto passes = pooled(*axis, track, times_of(*axis, track), {{0}, {1}, {2}});
  ASSERT_EQ(passes.size(), 3U);
  EXPECT_TRUE(passes[0].merged_with.empty());
  EXPECT_EQ(passes[1].merged_with, std::vector<std::size_t>{2});
  EXPECT_EQ(passes[1].ms.least, 0);
  EXPECT_EQ(passes[2].merged_with, std::vector<std::size_t>{1});
  EXPECT_NEAR(passes[0].ms.estimate, 6.3, 0.1);
}

TEST(Pooling, WorksDoneAsOneShareTheirTime) {
  const QueueTrack track = fake_track(kCapped);
  const auto axis = find_axis(track, plan_of(track, kCapped));
  ASSERT_TRUE(axis);
  const auto passes = pooled(*axis, track, times_of(*axis, track), {{0, 1}, {2}, {3}});
  ASSERT_EQ(passes.size(), 4U);
  EXPECT_EQ(passes[0].merged_with, std::vector<std::size_t>{1});
  EXPECT_EQ(passes[0].ms.least, 0);
  EXPECT_NEAR(passes[0].ms.most, 6.3, 0.2);
}

}  // namespace
}  // namespace tilebound::align
