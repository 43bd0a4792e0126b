#include "analyze/compare/comparison.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "analyze/compare/spread.h"

namespace tilebound::analyze {
namespace {

constexpr std::size_t kFrames = 100;
constexpr double kClock = 500e6;

struct Work {
  const char* key;
  double per_frame;
};

/// A run of `kFrames` frames, each counter with 1 % of noise; frames of 20 ms at 500 MHz.
Run run_of(std::initializer_list<Work> work, std::uint64_t seed, double noise = 0.01) {
  Run run;
  run.source = "test";
  run.by_frames = true;
  run.analysis.clock.confidence = 1;
  run.analysis.clock_summary = ClockSummary{kClock, kClock, kClock, 0, 100.0};
  run.sample_period_ms = 1;
  run.mean_frame_ms = 20;
  Random random(seed);
  for (std::size_t i = 0; i < kFrames; ++i) {
    const base::Nanoseconds begin{static_cast<std::int64_t>(i) * 20'000'000};
    run.windows.push_back({begin, begin + base::Nanoseconds{20'000'000}});
    run.frame_ms.push_back(20);
  }
  for (const Work& w : work) {
    RunCounter counter;
    counter.key = counter.machine_name = counter.name = w.key;
    for (std::size_t i = 0; i < kFrames; ++i) {
      counter.per_frame.push_back(w.per_frame * (1 + noise * random.normal()));
    }
    run.counters.push_back(std::move(counter));
  }
  return run;
}

Comparison compare_runs(const Run& a, const Run& b, const CompareOptions& options = {}) {
  return compare({&a, 1}, {&b, 1}, options);
}

const ReadingStep& step(const Comparison& c, const std::string& id) {
  return *std::find_if(c.reading.begin(), c.reading.end(),
                       [&](const ReadingStep& s) { return s.id == id; });
}

std::optional<double> number(const ReadingStep& s, const std::string& name) {
  for (const auto& [key, value] : s.numbers) {
    if (key == name) return value;
  }
  return std::nullopt;
}

TEST(Comparison, RatioOfMeansWithItsInterval) {
  const Comparison c =
      compare_runs(run_of({{"MaliGPUActiveCy", 1e6}}, 1), run_of({{"MaliGPUActiveCy", 1.1e6}}, 2));
  ASSERT_TRUE(c.gap.gpu_active_ratio);
  EXPECT_NEAR(c.gap.gpu_active_ratio->value, 1.1, 0.005);
  EXPECT_LT(c.gap.gpu_active_ratio->low, 1.1);
  EXPECT_GT(c.gap.gpu_active_ratio->high, 1.1);
  EXPECT_TRUE(c.gap.gpu_active_significant);
  EXPECT_NEAR(*c.split.gap_ms, 0.2, 0.01);  // 1e5 cycles at 500 MHz
  EXPECT_EQ(c.causes.size(), 0);
  EXPECT_EQ(*c.split.remainder_ms, *c.split.gap_ms);
}

TEST(Comparison, NoiseIsNoChange) {
  const Comparison c =
      compare_runs(run_of({{"MaliGPUActiveCy", 1e6}}, 1), run_of({{"MaliGPUActiveCy", 1e6}}, 2));
  EXPECT_FALSE(c.gap.gpu_active_significant);
  EXPECT_FALSE(c.counters.front().significant);
}

/// Without any noise at all, a change below kLeastChange is none; one above is.
TEST(Comparison, TheSmallestChange) {
  const analyze::Run a = run_of({{"MaliFragTile", 1e4}}, 1, 0);
  EXPECT_FALSE(compare_runs(a, run_of({{"MaliFragTile", 1.004e4}}, 2, 0)).counters[0].significant);
  EXPECT_TRUE(compare_runs(a, run_of({{"MaliFragTile", 1.006e4}}, 2, 0)).counters[0].significant);
}

TEST(Comparison, AppearsFromNothing) {
  const Comparison c =
      compare_runs(run_of({{"MaliFragLZSTestQd", 0}}, 1), run_of({{"MaliFragLZSTestQd", 500}}, 2));
  EXPECT_FALSE(c.counters[0].ratio);
  EXPECT_TRUE(c.counters[0].significant);
}

TEST(Comparison, FullScreenPassesAndDraws) {
  CompareOptions options;
  options.resolution = Screen{1600, 720};
  const analyze::Run a = run_of({{"MaliFragTile", 9000}, {"MaliFragRastQd", 1e6}}, 1, 0);
  const analyze::Run passes =
      run_of({{"MaliFragTile", 9000 + 2 * 4500}, {"MaliFragRastQd", 1e6}}, 2, 0);
  Comparison c = compare_runs(a, passes, options);
  EXPECT_NEAR(*number(step(c, "tiles"), "extra_passes"), 2, 1e-9);
  EXPECT_EQ(step(c, "rasterized_quads").applies, std::nullopt);
  const analyze::Run draws =
      run_of({{"MaliFragTile", 9000}, {"MaliFragRastQd", 1e6 + 3 * 288000}}, 2, 0);
  c = compare_runs(a, draws, options);
  EXPECT_EQ(step(c, "tiles").applies, false);
  EXPECT_NEAR(*number(step(c, "rasterized_quads"), "extra_full_screen_draws"), 3, 1e-9);
}

TEST(Comparison, TilesThatShrinkAreNoPasses) {
  const analyze::Run a = run_of({{"MaliFragTile", 9000}, {"MaliFragQueueTask", 2000}}, 1, 0);
  const analyze::Run b = run_of({{"MaliFragTile", 18000}, {"MaliFragQueueTask", 2000}}, 2, 0);
  const Comparison c = compare_runs(a, b);
  ASSERT_EQ(c.causes.size(), 1);
  EXPECT_EQ(c.causes[0].id, "tile_size");
}

TEST(Comparison, OneCoresAverageGivesNoCountOfPasses) {
  CompareOptions options;
  options.resolution = Screen{1600, 720};
  analyze::Run a = run_of({{"MaliFragTile", 1000}}, 1, 0);
  analyze::Run b = run_of({{"MaliFragTile", 1500}}, 2, 0);
  a.counters[0].per_core = b.counters[0].per_core = true;
  const Comparison c = compare_runs(a, b, options);
  EXPECT_EQ(number(step(c, "tiles"), "extra_passes"), std::nullopt);
  EXPECT_NE(step(c, "tiles").conclusion.find("--cores"), std::string::npos);
}

TEST(Comparison, DifferentScenesHaveNoReading) {
  const analyze::Run a = run_of({{"MaliGeomTrianglePrim", 1e5}, {"MaliFragTile", 100}}, 1);
  const analyze::Run b = run_of({{"MaliGeomTrianglePrim", 1.1e5}, {"MaliFragTile", 200}}, 2);
  const Comparison c = compare_runs(a, b);
  EXPECT_TRUE(c.reading.empty());
  EXPECT_TRUE(c.causes.empty());
  CompareOptions vouched;
  vouched.same_scene = true;
  EXPECT_FALSE(compare_runs(a, b, vouched).reading.empty());
}

TEST(Comparison, FewFramesJudgeNothing) {
  analyze::Run a = run_of({{"MaliGPUActiveCy", 1e6}}, 1);
  analyze::Run b = run_of({{"MaliGPUActiveCy", 2e6}}, 2);
  for (analyze::Run* run : {&a, &b}) {
    run->windows.resize(3);
    run->frame_ms.resize(3);
    run->counters[0].per_frame.resize(3);
  }
  const Comparison c = compare_runs(a, b);
  EXPECT_FALSE(c.judged);
  EXPECT_FALSE(c.gap.gpu_active_significant);
}

TEST(Comparison, RunsThatDifferAmongThemselvesWidenTheNoise) {
  const analyze::Run a[] = {run_of({{"MaliGPUActiveCy", 1.00e6}}, 1),
                            run_of({{"MaliGPUActiveCy", 1.06e6}}, 2)};
  const analyze::Run b[] = {run_of({{"MaliGPUActiveCy", 1.04e6}}, 3),
                            run_of({{"MaliGPUActiveCy", 1.10e6}}, 4)};
  EXPECT_TRUE(compare_runs(a[0], b[0]).gap.gpu_active_significant);
  EXPECT_FALSE(compare(a, b, {}).gap.gpu_active_significant);
}

TEST(Comparison, ARoundedRateWidensRatiosButNotShares) {
  analyze::Run a = run_of({{"MaliFragWarp", 1e5}, {"MaliTexOutMsg", 4e5}}, 1);
  analyze::Run b = run_of({{"MaliFragWarp", 1.012e5}, {"MaliTexOutMsg", 4.048e5}}, 2);
  EXPECT_TRUE(compare_runs(a, b).counters[0].significant);
  a.fps_uncertainty = b.fps_uncertainty = 0.5 / 60;
  EXPECT_FALSE(compare_runs(a, b).counters[0].significant);
}

}  // namespace
}  // namespace tilebound::analyze
