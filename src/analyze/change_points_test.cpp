#include "analyze/change_points.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace tilebound::analyze {
namespace {

using Cuts = std::vector<std::size_t>;

Series series_of(const std::vector<std::vector<double>>& rows) {
  Series out;
  out.width = rows.front().size();
  for (const auto& row : rows) {
    out.values.insert(out.values.end(), row.begin(), row.end());
    out.weights.push_back(1);
  }
  return out;
}

/// The cheapest cut of all, by trying every set of cuts.
Cuts exhaustive(const Series& series, double penalty, std::size_t shortest) {
  const std::size_t rows = series.size();
  Cuts best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t set = 0; set < (std::size_t{1} << (rows - 1)); ++set) {
    Cuts cuts;
    for (std::size_t i = 1; i < rows; ++i) {
      if ((set >> (i - 1) & 1) != 0) cuts.push_back(i);
    }
    double total = penalty * static_cast<double>(cuts.size());
    bool allowed = true;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
      const std::size_t end = i < cuts.size() ? cuts[i] : rows;
      allowed = allowed && end - begin >= shortest;
      // A stretch costs what it would gain by being cut away to nothing.
      for (std::size_t k = 0; k < series.width; ++k) {
        double weight = 0;
        double sum = 0;
        double square = 0;
        for (std::size_t r = begin; r < end; ++r) {
          weight += series.weights[r];
          sum += series.weights[r] * series.row(r)[k];
          square += series.weights[r] * series.row(r)[k] * series.row(r)[k];
        }
        total += weight > 0 ? square - sum * sum / weight : 0;
      }
      begin = end;
    }
    if (allowed && total < least - 1e-12) {
      least = total;
      best = cuts;
    }
  }
  return best;
}

TEST(ChangePoints, FindsStepsInAnyColumn) {
  const Series series = series_of({{1, 0}, {1, 0}, {1, 0}, {1, 1}, {1, 1}, {0, 1}, {0, 1}, {0, 1}});
  EXPECT_EQ(change_points(series, 0.2, 1), (Cuts{3, 5}));
  EXPECT_EQ(change_points(series, 10, 1), Cuts{});
}

TEST(ChangePoints, KeepsToTheShortestStretch) {
  const Series series = series_of({{0}, {0}, {0}, {5}, {0}, {0}, {0}});
  EXPECT_EQ(change_points(series, 0.1, 1), (Cuts{3, 4}));
  for (const std::size_t cut : change_points(series, 0.1, 2)) {
    EXPECT_GE(cut, 2);
    EXPECT_LE(cut, 5);
  }
  EXPECT_EQ(change_points(series_of({{0}, {9}, {0}}), 0.1, 2), Cuts{});
}

TEST(ChangePoints, WeighRows) {
  Series series = series_of({{0}, {0}, {3}, {0}, {0}});
  series.weights[2] = 0;  // no busy time, so whatever it reads is nothing
  EXPECT_EQ(change_points(series, 0.1, 1), Cuts{});
}

TEST(ChangePoints, AreTheCheapestOfAll) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int trial = 0; trial < 60; ++trial) {
    Series series;
    series.width = 2;
    double level = 0;
    for (int i = 0; i < 12; ++i) {
      if (uniform(random) < 0.3) level = uniform(random);
      series.values.push_back(level + 0.1 * uniform(random));
      series.values.push_back(level * 0.5 + 0.1 * uniform(random));
      series.weights.push_back(0.2 + uniform(random));
    }
    for (const std::size_t shortest : {1, 2, 3}) {
      const double penalty = 0.05 + 0.1 * uniform(random);
      EXPECT_EQ(change_points(series, penalty, shortest), exhaustive(series, penalty, shortest));
    }
  }
}

TEST(ChangePoints, LocalVarianceIgnoresTheChanges) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 200; ++i)
    rows.push_back({(i < 100 ? 0.0 : 50.0) + (i % 2 == 0 ? 0.1 : -0.1)});
  EXPECT_NEAR(local_variance(series_of(rows)), 0.02, 0.001);
}

}  // namespace
}  // namespace tilebound::analyze
