#include "base/statistics.h"

#include <gtest/gtest.h>
#include <vector>

namespace tilebound::base {
namespace {

TEST(Statistics, QuantilesInterpolate) {
  const std::vector<double> values = {4, 1, 3, 2};
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 1), 4);
  EXPECT_EQ(median(values), 2.5);
  EXPECT_EQ(median(std::vector<double>{}), std::nullopt);
}

TEST(Statistics, DivisionByZeroIsUnavailable) {
  EXPECT_EQ(ratio(1, 0), std::nullopt);
  EXPECT_EQ(ratio(0, 0), std::nullopt);
  EXPECT_EQ(ratio(3, 2), 1.5);
}

TEST(Statistics, SpreadNeedsTwoValues) {
  EXPECT_EQ(standard_deviation(std::vector<double>{1}), std::nullopt);
  EXPECT_DOUBLE_EQ(*standard_deviation(std::vector<double>{1, 3}), std::sqrt(2.0));
  EXPECT_EQ(mean(std::vector<double>{1, 3}), 2);
}

TEST(Statistics, AShareOfFewIsLess) {
  EXPECT_DOUBLE_EQ(share_at_least(0, 0), 0);
  EXPECT_NEAR(share_at_least(9, 9), 0.9, 1e-12);
  EXPECT_NEAR(share_at_least(99, 99), 0.99, 1e-12);
  EXPECT_NEAR(share_at_least(4, 6), 0.463, 1e-3);
  EXPECT_NEAR(share_at_least(400, 600), 0.647, 1e-3);
}

}  // namespace
}  // namespace tilebound::base
