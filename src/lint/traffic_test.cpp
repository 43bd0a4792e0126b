#include "lint/traffic.h"

#include <gtest/gtest.h>

#include "lint/test_frame.h"

namespace tilebound::lint {

namespace {

using model::LoadOp;
using model::StoreOp;
using test::Builder;

// The worked example on tile memory spills: 2400x1080, 4x colour resolved in the pass, 4x depth.
model::Pass example(StoreOp color, StoreOp depth) {
  Builder b;
  const std::size_t target = b.image("R8G8B8A8_UNORM");
  b.pass("Scene");
  b.attach(b.image("R8G8B8A8_UNORM", 4), LoadOp::clear, color);
  b.resolve_to(target);
  b.attach(b.image("D24_UNORM_S8_UINT", 4, test::kDepth), LoadOp::clear, depth);
  return b.frame.passes.back();
}

TEST(Traffic, WorkedExample) {
  const Traffic wrong = traffic_of(example(StoreOp::dont_care, StoreOp::store));
  const Traffic right = traffic_of(example(StoreOp::dont_care, StoreOp::dont_care));
  EXPECT_EQ(wrong.read, 0U);
  EXPECT_EQ(wrong.written, 51'840'000U);
  EXPECT_EQ(right.written, 10'368'000U);
  EXPECT_EQ(*wrong.written - *right.written, 41'472'000U);
  EXPECT_EQ((*wrong.written - *right.written) * 60, 2'488'320'000U);
  const Traffic color = traffic_of(example(StoreOp::store, StoreOp::dont_care));
  EXPECT_EQ(*color.written - *right.written, 41'472'000U);
}

TEST(Traffic, PackedDepthMovesStencilToo) {
  model::Pass pass = example(StoreOp::dont_care, StoreOp::store);
  pass.attachments.back().stencil_store = StoreOp::dont_care;
  EXPECT_EQ(traffic_of(pass).written, 51'840'000U);
  pass.attachments.back().format = test::format("D32_SFLOAT_S8_UINT");
  EXPECT_EQ(traffic_of(pass).written, 51'840'000U);
  pass.attachments.back().stencil_store = StoreOp::store;
  EXPECT_EQ(traffic_of(pass).written, 10'368'000U + 2400U * 1080 * 4 * 5);
}

TEST(Traffic, UnknownIsNotZero) {
  model::Pass pass = example(StoreOp::dont_care, StoreOp::unknown);
  EXPECT_EQ(traffic_of(pass).written, std::nullopt);
  EXPECT_EQ(traffic_of(pass).read, 0U);
  pass = example(StoreOp::dont_care, StoreOp::store);
  pass.attachments.back().format = {1'000'999'999};
  EXPECT_EQ(traffic_of(pass).written, std::nullopt);
  pass.attachments.back().store = StoreOp::dont_care;
  pass.attachments.back().stencil_store = StoreOp::dont_care;
  EXPECT_EQ(traffic_of(pass).written, 10'368'000U);
}

TEST(Traffic, LayersAndViewsMultiply) {
  model::Pass pass = example(StoreOp::dont_care, StoreOp::dont_care);
  pass.views = 2;
  EXPECT_EQ(traffic_of(pass).written, 20'736'000U);
  pass.views = 1;
  pass.layers = 6;
  EXPECT_EQ(traffic_of(pass).written, 62'208'000U);
}

}  // namespace

}  // namespace tilebound::lint
