#include "align/pieces.h"

#include <gtest/gtest.h>
#include <map>

namespace tilebound::align {
namespace {

Placement placed(std::vector<Stretch> passes) {
  Placement out;
  out.passes = std::move(passes);
  return out;
}

std::map<std::size_t, double> shares(const Pieces& pieces, double from, double to) {
  std::map<std::size_t, double> out;
  pieces.for_shares(from, to, [&](std::size_t piece, double share) { out[piece] += share; });
  return out;
}

TEST(Pieces, GapsBetweenPassesArePiecesOfNoPass) {
  const Pieces pieces(placed({{0, 10}, {15, 20}}), 25);
  ASSERT_EQ(pieces.size(), 4U);
  EXPECT_EQ(pieces[0].pass, 0U);
  EXPECT_EQ(pieces[1].pass, kNoPass);
  EXPECT_EQ(pieces[2].pass, 1U);
  EXPECT_EQ(pieces[3].pass, kNoPass);
}

TEST(Pieces, AStretchOverTheEndOfAFrameWraps) {
  const Pieces pieces(placed({{0, 10}, {10, 30}}), 30);
  const auto part = shares(pieces, 25, 35);
  EXPECT_DOUBLE_EQ(part.at(1), 0.25);
  EXPECT_DOUBLE_EQ(part.at(0), 0.5);
  const auto earlier = shares(pieces, -5, 5);
  EXPECT_DOUBLE_EQ(earlier.at(1), 0.25);
  EXPECT_DOUBLE_EQ(earlier.at(0), 0.5);
}

TEST(Pieces, SeveralFramesAtOnceCountSeveralTimes) {
  const Pieces pieces(placed({{0, 10}, {10, 30}}), 30);
  const auto all = shares(pieces, 0, 90);
  EXPECT_DOUBLE_EQ(all.at(0), 3);
  EXPECT_DOUBLE_EQ(all.at(1), 3);
}

TEST(Pieces, CutsDivideAPass) {
  const std::vector<std::vector<double>> cuts{{0.5}, {}};
  const Pieces pieces(placed({{0, 10}, {10, 30}}), 30, cuts);
  ASSERT_EQ(pieces.size(), 3U);
  EXPECT_DOUBLE_EQ(shares(pieces, 0, 5).at(0), 1);
  EXPECT_DOUBLE_EQ(shares(pieces, 5, 10).at(1), 1);
}

}  // namespace
}  // namespace tilebound::align
