#include "align/stages.h"

#include <gtest/gtest.h>

namespace tilebound::align {
namespace {

PassTime time(double begin_ms, double end_ms) {
  const auto moment = [](double ms) {
    return Moment{ms * 1e6, (ms - 0.5) * 1e6, (ms + 0.5) * 1e6};
  };
  return {moment(begin_ms), moment(end_ms)};
}

class Stages : public testing::Test {
 protected:
  Stages() {
    alignment_.fragment.passes.resize(2);
    alignment_.fragment.passes[1].merged_with = {0};
    for (int f = 0; f < 10; ++f) {
      FrameTimes frame;
      frame.fragment = {time(20 * f, 20 * f + 5), time(20 * f + 5, 20 * f + 12)};
      alignment_.frames.push_back(frame);
      stage(20 * f + 0.2, 4.6);
      stage(20 * f + 4.8, 7.2);
    }
  }

  void stage(double begin_ms, double length_ms) {
    model::RenderStage out;
    out.begin_ns = static_cast<std::int64_t>(begin_ms * 1e6);
    out.duration_ns = static_cast<std::int64_t>(length_ms * 1e6);
    stages_.push_back(out);
  }

  Alignment alignment_;
  std::vector<model::RenderStage> stages_;
};

TEST_F(Stages, TimesBecomeThoseOfTheDriver) {
  use_stages(stages_, 0, alignment_);
  ASSERT_TRUE(alignment_.stages);
  EXPECT_TRUE(alignment_.stages->used);
  EXPECT_EQ(alignment_.stages->found, 10U);
  EXPECT_NEAR(alignment_.stages->median_off_ms, 0.2, 1e-6);
  EXPECT_NEAR(alignment_.frames[3].fragment[0].begin.ns, 60.2e6, 1);
  EXPECT_EQ(alignment_.frames[3].fragment[0].begin.least_ns,
            alignment_.frames[3].fragment[0].begin.ns);
  EXPECT_NEAR(alignment_.fragment.passes[1].ms.estimate, 7.2, 1e-6);
  EXPECT_TRUE(alignment_.fragment.passes[1].merged_with.empty());
}

TEST_F(Stages, StagesOfOtherWorkChangeNothing) {
  const std::size_t count = stages_.size();
  for (std::size_t i = 0; i < count; ++i) {
    stage(static_cast<double>(stages_[i].begin_ns) / 1e6 + 1, 1);
  }
  use_stages(stages_, 0, alignment_);
  ASSERT_TRUE(alignment_.stages);
  EXPECT_FALSE(alignment_.stages->used);
  EXPECT_NEAR(alignment_.frames[3].fragment[0].begin.ns, 60e6, 1);
}

TEST_F(Stages, StagesOfAnotherGpuAreNotLookedAt) {
  use_stages(stages_, 1, alignment_);
  EXPECT_FALSE(alignment_.stages);
}

}  // namespace
}  // namespace tilebound::align
