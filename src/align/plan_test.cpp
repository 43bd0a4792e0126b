#include "align/plan.h"

#include <gtest/gtest.h>

#include "align/test_track.h"
#include "lint/test_frame.h"

namespace tilebound::align {
namespace {

using lint::test::Builder;
using model::LoadOp;
using model::StoreOp;

/// Shadow, prepass and forward on one depth image, and a pass to the window.
Builder scene() {
  Builder b(1600, 720);
  const std::size_t depth = b.image("D24_UNORM_S8_UINT");
  const std::size_t color = b.image("R8G8B8A8_UNORM");
  const std::size_t window = b.swapchain();
  b.pass("Prepass");
  b.attach(depth, LoadOp::clear, StoreOp::store);
  b.draw(3000);
  b.draw(300, 2);
  b.pass("Forward");
  b.attach(color, LoadOp::clear, StoreOp::store);
  b.attach(depth, LoadOp::load, StoreOp::dont_care);
  b.draw(6000);
  b.pass("Post");
  b.attach(window, LoadOp::dont_care, StoreOp::store);
  b.frame.passes.back().area = {0, 0, 800, 360};
  b.draw(3);
  model::Pipeline triangles;
  triangles.topology = "TRIANGLE_LIST";
  b.frame.pipelines.push_back(triangles);
  for (model::Draw& draw : b.frame.draws) draw.pipeline = 0;
  return b;
}

constexpr double kTiles = 100 * 45;
constexpr double kPostTiles = 50 * 23;

TEST(ExpectedWork, TilesJobsAndPrimitives) {
  const Builder b = scene();
  const lint::Context context(b.frame, {});
  const auto works = expected_work(context);
  ASSERT_EQ(works.size(), 3U);
  EXPECT_EQ(works[0].tiles.value, kTiles);
  EXPECT_EQ(works[2].tiles.value, kPostTiles);
  EXPECT_EQ(works[2].tasks.value, 25 * 12);
  EXPECT_EQ(works[0].jobs.value, 2);
  EXPECT_EQ(works[0].primitives.value, 1000 + 200);
  EXPECT_EQ(works[0].vertices.value, 3600);
  EXPECT_EQ(works[0].stored_bytes.value, 1600 * 720 * 4);
  EXPECT_EQ(works[2].depth_pixels.value, 0);
}

TEST(ExpectedWork, AnOffsetAreaTouchesTilesOnBothSides) {
  Builder b = scene();
  b.frame.passes[2].area = {8, 8, 16, 16};
  const lint::Context context(b.frame, {});
  EXPECT_EQ(expected_work(context)[2].tiles.value, 4);
}

TEST(ExpectedWork, IndirectDrawsThatTheGpuWritesAreUnknown) {
  Builder b = scene();
  b.frame.draws[2].indirect = model::IndirectSource::gpu_written;
  b.frame.draws[2].draw_count = 7;
  b.frame.draws[2].count_buffer = true;
  const lint::Context context(b.frame, {});
  const auto works = expected_work(context);
  EXPECT_FALSE(works[1].primitives.known());
  EXPECT_FALSE(works[1].jobs.known());
  EXPECT_TRUE(works[1].non_fragment);
  EXPECT_TRUE(works[0].primitives.known());
}

TEST(ExpectedWork, RecordsOfIndirectDrawsCountAlsoWhereTheyDrawNothing) {
  Builder b = scene();
  b.draw_indirect({1, 0, 0}).pipeline = 0;
  const lint::Context context(b.frame, {});
  const auto works = expected_work(context);
  EXPECT_EQ(works[2].jobs.value, 1 + 3);
  EXPECT_EQ(works[2].primitives.value, 1 + 12);
}

class Plan : public testing::Test {
 protected:
  void plan(const std::vector<double>& tiles) {
    for (const double t : tiles) queue_.passes.push_back({t, 3, 1});
    queue_.idle_ms = 10;
    track_ = fake_track(queue_);
    analyze::Frames frames;
    for (std::size_t i = 1; i < track_.size(); ++i) {
      if (track_.busy_ns[i] == 0 && track_.busy_ns[i - 1] > 0) {
        frames.list.push_back({track_.interval[i].begin, track_.interval[i].begin});
      }
    }
    const lint::Context context(builder_.frame, {});
    works_ = expected_work(context);
    result_ = plan_queue(track_, works_, builder_.frame, frames);
  }

  Builder builder_ = scene();
  FakeQueue queue_;
  QueueTrack track_;
  std::vector<PassWork> works_;
  QueuePlan result_;
};

TEST_F(Plan, SameWorkIsExact) {
  plan({kTiles, kTiles, kPostTiles});
  ASSERT_TRUE(result_.axis);
  EXPECT_EQ(result_.axis->period, 2 * kTiles + kPostTiles);
  EXPECT_EQ(result_.unaccounted_share, 0);
  ASSERT_EQ(result_.compared.size(), 1U);
  EXPECT_NEAR(*result_.compared[0].ratio(), 1, 0.01);
}

TEST_F(Plan, AnotherSizeOfTilesIsOneFactor) {
  plan({kTiles / 4, kTiles / 4, kPostTiles / 4});
  ASSERT_TRUE(result_.axis);
  EXPECT_EQ(result_.axis->lengths[0], kTiles / 4);
  EXPECT_EQ(result_.unaccounted_share, 0);
}

TEST_F(Plan, PassesOnOneDepthImageMayBeDoneAsOne) {
  plan({kTiles, kPostTiles});
  ASSERT_TRUE(result_.axis);
  ASSERT_EQ(result_.passes.size(), 2U);
  EXPECT_EQ(result_.passes[0], (std::vector<std::size_t>{0, 1}));
}

TEST_F(Plan, MoreWorkIsThatOfOthers) {
  plan({kTiles, 1500, kTiles, kPostTiles});
  ASSERT_TRUE(result_.axis);
  EXPECT_NEAR(result_.unaccounted_share, 1500 / (2 * kTiles + kPostTiles + 1500), 0.01);
  EXPECT_GT(result_.axis->period_error, 0);
}

TEST_F(Plan, FarMoreWorkFitsNothing) {
  plan({kTiles, 40000, kTiles, kPostTiles});
  EXPECT_FALSE(result_.axis);
  EXPECT_FALSE(result_.reason.empty());
}

}  // namespace
}  // namespace tilebound::align
