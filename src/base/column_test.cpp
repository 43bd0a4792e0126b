#include "base/column.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "base/statistics.h"

namespace tilebound::base {
namespace {

/// What goes in comes out, for values that exercise one form of block.
void expect_round_trip(const std::vector<double>& values, double bytes_per_value) {
  Column column;
  column.append(values);
  ASSERT_EQ(column.size(), values.size());
  EXPECT_EQ(column.to_vector(), values);
  for (std::size_t i = 0; i < values.size(); i += 97) EXPECT_EQ(column.at(i), values[i]);
  EXPECT_LE(static_cast<double>(column.memory()),
            bytes_per_value * static_cast<double>(values.size()) + 2 * 8 * Column::kBlock);
}

std::vector<double> numbers(std::uint32_t largest, double divisor) {
  std::mt19937 random(1);
  std::vector<double> values(10 * Column::kBlock + 17);
  for (double& v : values)
    v = static_cast<double>(random() % (std::uint64_t{largest} + 1)) / divisor;
  return values;
}

TEST(Column, KeepsEachFormExactly) {
  expect_round_trip(std::vector<double>(5000, 0.0), 0.1);
  expect_round_trip(numbers(255, 1), 1.1);
  expect_round_trip(numbers(65535, 1), 2.1);
  expect_round_trip(numbers(4294967295U, 1), 4.1);
  expect_round_trip(numbers(60000, 9), 2.1);
  expect_round_trip(numbers(1U << 30, 7), 4.1);
  std::vector<double> odd = numbers(4294967295U, 3.14159);
  odd[5] = -1;
  expect_round_trip(odd, 8.1);
}

TEST(Column, KeepsUnavailable) {
  Column column;
  for (int i = 0; i < 3000; ++i) {
    column.push_back(i % 3 == 0 ? std::numeric_limits<double>::quiet_NaN() : 2.0);
  }
  EXPECT_TRUE(std::isnan(column.at(0)));
  EXPECT_TRUE(std::isnan(column.at(2997)));
  EXPECT_EQ(column.sum(), 4000);
}

TEST(Column, SumLosesNothing) {
  Column column;
  column.push_back(1e18);
  for (int i = 0; i < 10000; ++i) column.push_back(1.0);
  column.push_back(-1e18);
  EXPECT_EQ(column.sum(), 10000);
}

TEST(Column, AppendsAcrossBlocks) {
  std::vector<double> values(5 * Column::kBlock + 3);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * i);
  for (const std::size_t piece : {1UL, 7UL, 1000UL, 1024UL, 3000UL}) {
    Column column;
    for (std::size_t i = 0; i < values.size(); i += piece) {
      column.append(std::span(values).subspan(i, std::min(piece, values.size() - i)));
    }
    EXPECT_EQ(column.to_vector(), values);
  }
}

TEST(Column, KeepsExtremeValues) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double odd : {-0.5, -1.0, 1e300, kInfinity, -kInfinity, 4294967296.0, 5e-324,
                           9007199254740993.0, 18446744073709551615.0}) {
    std::vector<double> values = numbers(1000, 1);
    values[100] = odd;
    expect_round_trip(values, 8.1);
  }
}

TEST(Column, KnowsItsRange) {
  Column column;
  EXPECT_GT(column.range().least, column.range().most);
  column.append(numbers(1000, 9));
  EXPECT_EQ(column.range().least, 0);
  EXPECT_EQ(column.range().most, 1000.0 / 9);
  column.push_back(std::numeric_limits<double>::quiet_NaN());
  column.push_back(-5);
  column.push_back(1e18);
  EXPECT_EQ(column.range().least, -5);
  EXPECT_EQ(column.range().most, 1e18);
}

TEST(Column, SumsEachForm) {
  for (const double divisor : {1.0, 9.0}) {
    for (const std::uint32_t largest : {200U, 60000U, 4000000U}) {
      const std::vector<double> values = numbers(largest, divisor);
      Column column;
      column.append(values);
      Sum expected;
      for (const double v : values) expected.add(v);
      EXPECT_NEAR(column.sum(), expected.value(), 1e-14 * expected.value());
    }
  }
}

}  // namespace
}  // namespace tilebound::base
