#include "align/least_squares.h"

#include <gtest/gtest.h>

namespace tilebound::align {
namespace {

TEST(LeastSquares, SolvesEverySide) {
  NormalEquations equations(2, 2);
  const Entry both[] = {{0, 1}, {1, 1}};
  const Entry first[] = {{0, 2}};
  const double a[] = {5, 50};
  const double b[] = {4, 40};
  equations.add(both, a);
  equations.add(first, b);
  const std::vector<double> x = equations.solve();
  EXPECT_NEAR(x[0], 2, 1e-4);
  EXPECT_NEAR(x[1], 3, 1e-4);
  EXPECT_NEAR(x[2], 20, 1e-3);
  EXPECT_NEAR(x[3], 30, 1e-3);
}

TEST(LeastSquares, GroupsAddUpAndCanBeLeftOut) {
  const Entry row[] = {{0, 1}};
  const double one[] = {1};
  const double three[] = {3};
  NormalEquations a(1, 1);
  a.add(row, one);
  NormalEquations b(1, 1);
  b.add(row, three);
  NormalEquations all = a;
  all.add(b);
  EXPECT_NEAR(all.solve()[0], 2, 1e-5);
  all.subtract(a);
  EXPECT_NEAR(all.solve()[0], 3, 1e-5);
}

TEST(LeastSquares, AnUnknownWithoutRowsIsZero) {
  NormalEquations equations(2, 1);
  const Entry row[] = {{0, 1}};
  const double value[] = {7};
  equations.add(row, value);
  const std::vector<double> x = equations.solve();
  EXPECT_NEAR(x[0], 7, 1e-4);
  EXPECT_EQ(x[1], 0);
}

}  // namespace
}  // namespace tilebound::align
