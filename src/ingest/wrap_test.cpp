#include "ingest/wrap.h"

#include <cmath>
#include <gtest/gtest.h>

#include "ingest/test_input.h"

namespace tilebound::ingest {
namespace {

using model::CounterKind;

/// A hundred ordinary values with `odd` among them; how many are dropped.
std::size_t dropped(const std::vector<double>& odd, CounterKind kind, double ordinary) {
  model::Capture capture;
  capture.axes.emplace_back();
  model::Counter& counter = capture.counters.emplace_back();
  counter.kind = kind;
  counter.axis = 0;
  for (int i = 0; i < 100; ++i) counter.values.push_back(ordinary * (1 + 0.01 * (i % 7)));
  for (const double v : odd) counter.values.push_back(v);
  drop_wrapped_values(capture);
  std::size_t count = 0;
  capture.counters[0].values.for_each([&](std::size_t, double v) { count += std::isnan(v); });
  EXPECT_EQ(test::count_notes(capture, "wrapped_value"), count);
  return count;
}

TEST(Wrap, PublicCases) {
  EXPECT_EQ(dropped({13905622581249048576.0}, CounterKind::count, 4e5), 1u);
  EXPECT_EQ(dropped({1.8446744073709e13}, CounterKind::level, 3.2), 1u);
  EXPECT_EQ(dropped({18446744073709551615.0}, CounterKind::count, 4e5), 1u);
}

TEST(Wrap, OrdinaryValueAwayFromAMultiple) {
  EXPECT_EQ(dropped({4294967296.0 + 401234}, CounterKind::count, 4e5), 1u);
  EXPECT_EQ(dropped({401234 - 4294967296.0}, CounterKind::count, 4e5), 1u);
  EXPECT_EQ(dropped({4294967295.0}, CounterKind::count, 4e5), 1u);
  EXPECT_EQ(dropped({-1}, CounterKind::count, 4e5), 1u);
  EXPECT_EQ(dropped({4294967296.0 / 2 + 12345678}, CounterKind::count, 4e5), 0u);
}

TEST(Wrap, RealValuesSurvive) {
  EXPECT_EQ(dropped({}, CounterKind::rate, 4294967296.0), 0u);
  EXPECT_EQ(dropped({4294967296.0}, CounterKind::rate, 2e9), 0u);
  EXPECT_EQ(dropped({3.2e10, 4.29e9}, CounterKind::rate, 1.86e10), 0u);
  EXPECT_EQ(dropped({-3}, CounterKind::level, 20), 0u);
  // A counter of which a third is that large is simply large.
  EXPECT_EQ(dropped(std::vector<double>(50, 4294967296.0), CounterKind::count, 4e5), 0u);
}

}  // namespace
}  // namespace tilebound::ingest
