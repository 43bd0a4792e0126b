#include "analyze/compare/api_difference.h"

#include <gtest/gtest.h>

namespace tilebound::analyze {
namespace {

model::Pass pass_of(const char* label, model::AttachmentRole role, model::LoadOp load,
                    std::size_t image) {
  model::Pass pass;
  pass.label = label;
  pass.area = {0, 0, 2400, 1080};
  model::Attachment attachment;
  attachment.role = role;
  attachment.load = load;
  attachment.store = model::StoreOp::store;
  attachment.range = model::ImageRange{image};
  pass.attachments.push_back(attachment);
  return pass;
}

model::ApiFrame frame_of(std::vector<model::Pass> passes) {
  model::ApiFrame frame;
  frame.passes = std::move(passes);
  frame.calls["vkCmdBeginRenderPass"] = frame.passes.size();
  frame.calls["vkCmdDraw"] = 10;
  return frame;
}

using model::AttachmentRole;
using model::LoadOp;

TEST(ApiDifference, EqualFramesHaveNone) {
  const auto frame = frame_of({pass_of("Main", AttachmentRole::color, LoadOp::clear, 0)});
  const ApiDifference d = api_difference(frame, frame);
  EXPECT_TRUE(d.passes.empty());
  EXPECT_TRUE(d.calls.empty());
}

TEST(ApiDifference, NamesTheExtraDepthPass) {
  const auto main = pass_of("Main", AttachmentRole::color, LoadOp::clear, 0);
  const auto shadow = pass_of("Shadow", AttachmentRole::depth_stencil, LoadOp::clear, 1);
  const auto depth = pass_of("", AttachmentRole::depth_stencil, LoadOp::clear, 2);
  const ApiDifference d = api_difference(frame_of({shadow, main}), frame_of({shadow, depth, main}));
  ASSERT_EQ(d.passes.size(), 1);
  EXPECT_TRUE(d.passes[0].in_b);
  EXPECT_EQ(d.passes[0].pass, 1);
  EXPECT_TRUE(d.passes[0].depth_only);
  EXPECT_TRUE(d.passes[0].clears_only);
  EXPECT_FALSE(d.passes[0].splits_a_pass);
  EXPECT_NE(d.passes[0].what.find("clear/store"), std::string::npos);
  ASSERT_EQ(d.calls.size(), 1);
  EXPECT_EQ(d.calls[0].call, "vkCmdBeginRenderPass");
  EXPECT_EQ(d.calls[0].b, 3);
}

TEST(ApiDifference, TellsASplitPass) {
  const auto main = pass_of("Main", AttachmentRole::color, LoadOp::clear, 0);
  const auto rest = pass_of("Main", AttachmentRole::color, LoadOp::load, 0);
  model::Pass upload;
  upload.kind = model::PassKind::transfer;
  const ApiDifference d = api_difference(frame_of({main}), frame_of({main, upload, rest}));
  ASSERT_EQ(d.passes.size(), 2);
  EXPECT_FALSE(d.passes[0].splits_a_pass);
  EXPECT_TRUE(d.passes[1].splits_a_pass);
  EXPECT_TRUE(
      api_difference(frame_of({main, upload, rest}), frame_of({main})).passes[1].splits_a_pass);
}

}  // namespace
}  // namespace tilebound::analyze
