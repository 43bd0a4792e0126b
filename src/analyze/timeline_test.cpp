#include "analyze/timeline.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

#include "devices/profile.h"

namespace tilebound::analyze {
namespace {

model::Counter counter(std::string name, std::size_t axis, std::vector<double> values) {
  model::Counter out;
  out.name = std::move(name);
  out.axis = axis;
  for (const double v : values) out.values.push_back(v);
  return out;
}

/// Ten samples of 1 ms on a clock of 100 MHz; the GPU is busy in the first half of each.
model::Capture capture_of_ten() {
  model::Capture capture;
  capture.source = "made";
  capture.gpu_names = {"Mali-G77"};
  capture.axes.emplace_back();
  std::vector<double> active;
  std::vector<double> tiles;
  for (int i = 0; i < 11; ++i) {
    capture.axes[0].stamps_ns.push_back(1'000'000LL * (i + 5));
    active.push_back(50'000);
    tiles.push_back(i);
  }
  tiles[4] = std::numeric_limits<double>::quiet_NaN();
  capture.counters.push_back(counter("GPU active cycles", 0, active));
  capture.counters.push_back(counter("Tiles", 0, tiles));
  capture.clock.push_back({0, 0, {100e6}});
  return capture;
}

Analysis analysed(const model::Capture& capture) {
  Options options;
  options.cores = 9;
  return analyze(capture, options);
}

TEST(Timeline, HasABinForEachSampleOfKnownLength) {
  const model::Capture capture = capture_of_ten();
  const Timeline t = timeline(capture, analysed(capture));
  ASSERT_EQ(t.size(), 10U);
  EXPECT_EQ(t.samples_per_bin, 1U);
  EXPECT_EQ(t.edges.front().value, 5'000'000);
  EXPECT_EQ(t.edges.back().value, 15'000'000);
  ASSERT_TRUE(t.active);
  EXPECT_DOUBLE_EQ(t.counters[*t.active].bins[3], 50'000);
  EXPECT_DOUBLE_EQ(t.elapsed[3], 100'000);
  EXPECT_DOUBLE_EQ(t.clock_hz[3], 100e6);
}

TEST(Timeline, KeepsWhatIsUnavailableApart) {
  const model::Capture capture = capture_of_ten();
  const Timeline t = timeline(capture, analysed(capture));
  const auto tiles = t.find("MaliFragTile");
  if (!tiles) GTEST_SKIP() << "no unit of this device counts tiles";
  EXPECT_TRUE(std::isnan(t.counters[*tiles].bins[3]));
  EXPECT_DOUBLE_EQ(t.counters[*tiles].bins[4], 5);
}

TEST(Timeline, SumsAreTheSameInCoarserBins) {
  const model::Capture capture = capture_of_ten();
  const Analysis a = analysed(capture);
  const Timeline coarse = timeline(capture, a, 3);
  EXPECT_EQ(coarse.samples_per_bin, 4U);
  ASSERT_EQ(coarse.size(), 3U);
  EXPECT_EQ(coarse.edges.back().value, 15'000'000);
  const auto& bins = coarse.counters[*coarse.active].bins;
  EXPECT_DOUBLE_EQ(std::accumulate(bins.begin(), bins.end(), 0.0), 500'000);
  EXPECT_DOUBLE_EQ(std::accumulate(coarse.elapsed.begin(), coarse.elapsed.end(), 0.0), 1e6);
}

TEST(Lanes, AreTheQueuesOfRenderStages) {
  model::Capture capture = capture_of_ten();
  for (int i = 0; i < 4; ++i) {
    model::RenderStage stage;
    stage.begin_ns = 5'000'000 + 1000 * i;
    stage.duration_ns = 500;
    stage.queue = i % 2 == 0 ? "fragment" : "vertex";
    stage.stage = "pass";
    stage.label = i == 0 ? "Shadow map" : "";
    capture.render_stages.push_back(stage);
  }
  const auto all = lanes(capture, analysed(capture), 1);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].label, "fragment");
  ASSERT_EQ(all[0].spans.size(), 1U);
  EXPECT_EQ(all[0].spans[0].label, "Shadow map");
  EXPECT_EQ(all[1].spans[0].label, "pass");
}

}  // namespace
}  // namespace tilebound::analyze
