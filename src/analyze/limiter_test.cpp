#include "analyze/limiter.h"

#include <gtest/gtest.h>

namespace tilebound::analyze {
namespace {

using Names = std::vector<std::string>;

/// The workloads of the article, units as it lists them, with "sm" for SM and so on.
TEST(Limiter, HbaoPlusBlurIsLimitedByTheTextureInterface) {
  const UnitPercent units[] = {
      {"sm", 94.5}, {"texture", 94.5}, {"l2", 37.3}, {"crop", 35.9}, {"external_memory", 27.7}};
  const Verdict v = judge(units, {});
  EXPECT_EQ(v.kind, Case::high);
  EXPECT_EQ(v.limiters, (Names{"sm", "texture"}));
  ASSERT_EQ(v.interface_limited.size(), 1);
  EXPECT_EQ(v.interface_limited[0], (std::pair<std::string, std::string>{"sm", "texture"}));
  EXPECT_NEAR(*v.max_gain, 94.5 / 37.3, 1e-12);
}

TEST(Limiter, ScreenSpaceReflections) {
  const UnitPercent units[] = {
      {"sm", 49.1}, {"l2", 36.8}, {"texture", 35.8}, {"external_memory", 33.5}, {"crop", 0.0}};
  const Verdict v = judge(units, {});
  EXPECT_EQ(v.kind, Case::low);
  EXPECT_EQ(v.limiters, Names{"sm"});
  EXPECT_EQ(v.secondary, (Names{"l2", "texture", "external_memory"}));
  EXPECT_TRUE(v.interface_limited.empty());
  EXPECT_NEAR(*v.max_gain, 90 / 49.1, 1e-12);
  EXPECT_EQ(judge_hit_rate(54.6), HitRate::may_limit);
  EXPECT_EQ(judge_hit_rate(76.4), HitRate::may_limit);
}

TEST(Limiter, GBufferFill) {
  const UnitPercent units[] = {
      {"texture", 54.7}, {"sm", 46.0}, {"external_memory", 37.2}, {"l2", 30.7}, {"crop", 22.0}};
  const Verdict v = judge(units, {});
  EXPECT_EQ(v.kind, Case::low);
  EXPECT_EQ(v.limiters, (Names{"texture", "sm"}));
  EXPECT_EQ(v.secondary, (Names{"external_memory", "l2"}));
  EXPECT_EQ(judge_hit_rate(92.5), HitRate::good);
  EXPECT_EQ(judge_hit_rate(72.7), HitRate::may_limit);
}

TEST(Limiter, TiledLighting) {
  const UnitPercent units[] = {
      {"sm", 70.4}, {"l2", 67.5}, {"texture", 49.3}, {"external_memory", 42.6}, {"crop", 0.0}};
  const Verdict v = judge(units, {});
  EXPECT_EQ(v.kind, Case::middle);
  EXPECT_EQ(v.limiters, (Names{"sm", "l2"}));
  EXPECT_EQ(v.secondary, (Names{"texture", "external_memory"}));
  EXPECT_NEAR(*v.gain_raise, 90 / 70.4, 1e-12);
  EXPECT_NEAR(*v.gain_remove, 70.4 / 49.3, 1e-12);
  EXPECT_EQ(judge_hit_rate(85.2), HitRate::fair);
}

TEST(Limiter, ShadowMap) {
  const UnitPercent units[] = {
      {"ia", 31.6}, {"external_memory", 19.8}, {"l2", 16.3}, {"vaf", 12.4}, {"crop", 0.0}};
  const Verdict v = judge(units, {});
  EXPECT_EQ(v.kind, Case::low);
  EXPECT_EQ(v.limiters, Names{"ia"});
  EXPECT_EQ(v.secondary, (Names{"external_memory", "l2", "vaf"}));
  EXPECT_EQ(v.not_worth, (Names{"vaf", "crop"}));
}

TEST(Limiter, HalfOfPeakCanGainEightyPercent) {
  const UnitPercent units[] = {{"alu", 50}};
  EXPECT_DOUBLE_EQ(*judge(units, {}).max_gain, 1.8);
}

TEST(Limiter, ResidentWarpsAreNamedAfterWhatTheyWaitFor) {
  const UnitPercent units[] = {{"shader_core", 89.5}, {"texture", 88.6}, {"alu", 33.0}};
  EXPECT_EQ(judge(units, {}).limiters, (Names{"texture", "shader_core"}));
  EXPECT_EQ(judge(units, {}).top.front().id, "shader_core");
  const UnitPercent alone[] = {{"shader_core", 89.5}, {"alu", 33.0}};
  EXPECT_EQ(judge(alone, {}).limiters, Names{"shader_core"});
}

TEST(Limiter, CasesMeetAtSixtyAndEighty) {
  const auto kind = [](double top) {
    const UnitPercent units[] = {{"alu", top}};
    return judge(units, {}).kind;
  };
  EXPECT_EQ(kind(59.99), Case::low);
  EXPECT_EQ(kind(60), Case::middle);
  EXPECT_EQ(kind(80), Case::middle);
  EXPECT_EQ(kind(80.01), Case::high);
}

TEST(Limiter, IdleComesFirstWhenItIsTheLargerPrize) {
  const UnitPercent units[] = {{"texture", 25}, {"alu", 10}};
  const Verdict capped = judge(units, {72.0, 89.3, 50.0});
  EXPECT_EQ(capped.kind, Case::idle);
  EXPECT_EQ(capped.limiters, Names{"texture"});
  EXPECT_NEAR(*capped.max_gain, 1 / 0.28, 1e-12);
  EXPECT_EQ(capped.gpu_bound, false);

  const Verdict slow = judge(units, {5.0, 26.3, 100.0});
  EXPECT_EQ(slow.kind, Case::low);
  EXPECT_EQ(slow.gpu_bound, true);
  EXPECT_NEAR(*slow.gain_idle, 1 / 0.95, 1e-12);
}

TEST(Limiter, BusyAtALowClockIsHeadroom) {
  const UnitPercent units[] = {{"alu", 95}};
  EXPECT_EQ(judge(units, {2.0, 97.0, 60.0}).gpu_bound, false);
  EXPECT_EQ(judge(units, {2.0, 97.0, std::nullopt}).gpu_bound, std::nullopt);
}

TEST(Limiter, NothingKnownIsNoVerdict) {
  const Verdict v = judge({}, {});
  EXPECT_EQ(v.kind, std::nullopt);
  EXPECT_EQ(v.max_gain, std::nullopt);
  EXPECT_TRUE(v.top.empty());
}

TEST(Limiter, IdleThroughoutIsIdleWithoutAGain) {
  const UnitPercent units[] = {{"alu", 0}};
  const Verdict v = judge(units, {100.0, 0.0, 100.0});
  EXPECT_EQ(v.kind, Case::idle);
  EXPECT_EQ(v.max_gain, std::nullopt);
  EXPECT_EQ(v.gpu_bound, false);
}

TEST(Limiter, AllZeroLimitsNothing) {
  const UnitPercent units[] = {{"alu", 0}, {"texture", 0}};
  const Verdict v = judge(units, {});
  EXPECT_EQ(v.kind, std::nullopt);
  EXPECT_TRUE(v.limiters.empty());
}

}  // namespace
}  // namespace tilebound::analyze
