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

}  // namespace
}  // namespace tilebound::base
