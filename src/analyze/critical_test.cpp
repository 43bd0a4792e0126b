#include "analyze/critical.h"

#include <gtest/gtest.h>

namespace tilebound::analyze {
namespace {

using Names = std::vector<std::string>;

/// One sample a row: percentages of alu, external_memory, tiler, then both queues' shares.
struct Row {
  float alu;
  float memory;
  float tiler;
  double fragment;
  double non_fragment;
};

UnitSeries series_of(const std::vector<Row>& rows) {
  UnitSeries out;
  out.units = {"tiler", "alu", "external_memory"};
  out.percent.resize(3);
  out.period_ns = 1e6;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto begin = static_cast<std::int64_t>(i) * 1'000'000;
    out.interval.push_back({{begin}, {begin + 1'000'000}});
    out.active_ns.push_back(1e6);
    out.fragment.push_back(rows[i].fragment);
    out.non_fragment.push_back(rows[i].non_fragment);
    out.percent[0].push_back(rows[i].tiler);
    out.percent[1].push_back(rows[i].alu);
    out.percent[2].push_back(rows[i].memory);
  }
  return out;
}

base::Interval ms(double begin, double end) {
  return {{static_cast<std::int64_t>(begin * 1e6)}, {static_cast<std::int64_t>(end * 1e6)}};
}

TEST(CriticalPath, NamesWhatLimitsLongestNotWhatIsHighestOverall) {
  // Memory has the higher average (64 against 62), but ALU limits for three samples of five.
  const UnitSeries series = series_of({{90, 45, 0, 1, 0},
                                       {90, 45, 0, 1, 0},
                                       {90, 45, 0, 1, 0},
                                       {20, 93, 0, 1, 0},
                                       {20, 93, 0, 1, 0}});
  const CriticalPath path = critical_path(series, ms(0, 5));
  EXPECT_EQ(path.limiters, Names{"alu"});
  ASSERT_EQ(path.shares.size(), 2);
  EXPECT_NEAR(path.shares[0].percent, 60, 1e-9);
  EXPECT_EQ(path.shares[1], (UnitPercent{"external_memory", 40}));
}

TEST(CriticalPath, GeometryUnderFragmentsDoesNotLimit) {
  const UnitSeries series =
      series_of({{70, 20, 95, 1, 1}, {70, 20, 95, 1, 1}, {70, 20, 0, 1, 0}, {0, 30, 95, 0, 1}});
  const CriticalPath path = critical_path(series, ms(0, 4));
  EXPECT_EQ(path.queue, Queue::fragment);
  EXPECT_EQ(path.limiters, Names{"alu"});
  EXPECT_NEAR(path.shares[0].percent, 75, 1e-9);
  EXPECT_EQ(path.shares[1], (UnitPercent{"tiler", 25}));
}

TEST(CriticalPath, FragmentsUnderGeometryDoNotLimitEither) {
  const UnitSeries series = series_of({{99, 20, 80, 1, 1}, {5, 20, 80, 0, 1}, {5, 20, 80, 0, 1}});
  const CriticalPath path = critical_path(series, ms(0, 3));
  EXPECT_EQ(path.queue, Queue::non_fragment);
  EXPECT_EQ(path.limiters, Names{"tiler"});
}

TEST(CriticalPath, UnitsAsCloseToTheirPeakLimitTogether) {
  const UnitSeries series = series_of({{90, 81, 0, 1, 0}, {90, 81, 0, 1, 0}});
  EXPECT_EQ(critical_path(series, ms(0, 2)).limiters, (Names{"alu", "external_memory"}));
  // By share of time: 53 % and 47 %.
  const UnitSeries turns = series_of({{90, 10, 0, 1, 0}, {10, 90, 0, 1, 0}});
  EXPECT_EQ(critical_path(turns, ms(0, 1.9)).limiters, (Names{"alu", "external_memory"}));
}

TEST(CriticalPath, CutsSamplesAtTheWindowsEnds) {
  const UnitSeries series = series_of({{90, 10, 0, 1, 0}, {10, 90, 0, 1, 0}});
  const CriticalPath path = critical_path(series, ms(0.8, 2));
  EXPECT_EQ(path.limiters, Names{"external_memory"});
  EXPECT_NEAR(path.shares[0].percent, 100 * 1.0 / 1.2, 1e-6);
}

TEST(CriticalPath, IdleWindowsHaveNoLimiter) {
  UnitSeries series = series_of({{0, 0, 0, 0, 0}});
  series.active_ns[0] = 0;
  EXPECT_TRUE(critical_path(series, ms(0, 1)).limiters.empty());
  EXPECT_TRUE(critical_path(series, ms(5, 6)).shares.empty());
}

TEST(CriticalPath, WithoutQueuesAllUnitsCompete) {
  UnitSeries series = series_of({{50, 10, 60, 0, 0}});
  series.fragment.clear();
  series.non_fragment.clear();
  EXPECT_EQ(critical_path(series, ms(0, 1)).limiters, (Names{"tiler", "alu"}));
}

}  // namespace
}  // namespace tilebound::analyze
