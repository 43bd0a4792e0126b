#include "align/findings.h"

#include <gtest/gtest.h>

#include "lint/test_frame.h"

namespace tilebound::align {
namespace {

using lint::test::Builder;
using model::LoadOp;
using model::StoreOp;

class Findings : public testing::Test {
 protected:
  Findings() {
    const std::size_t depth = builder_.image("D32_SFLOAT");
    const std::size_t window = builder_.swapchain();
    builder_.pass("Main");
    builder_.attach(window, LoadOp::clear, StoreOp::store);
    builder_.attach(depth, LoadOp::clear, StoreOp::store);
    builder_.draw();
    builder_.present(window);
    alignment_.aligned = true;
    alignment_.works.push_back({});
    alignment_.works[0].stored_bytes = {2400.0 * 1080 * 8, Certainty::estimated};
    PassOnQueue pass;
    pass.ms = {4, 4, 4};
    pass.limiters = {"external_memory"};
    pass.read_bytes = 0;
    pass.written_bytes = 2400.0 * 1080 * 8;
    alignment_.fragment.passes.push_back(pass);
  }

  model::Finding depth_stored() {
    const lint::Result lint = lint::lint(builder_.frame, {});
    for (const model::Finding& f : measured_findings(lint, alignment_, analysis_)) {
      if (f.id == "depth_stored_never_read") return f;
    }
    return {};
  }

  std::vector<std::string> ids() {
    const lint::Result lint = lint::lint(builder_.frame, {});
    std::vector<std::string> out;
    for (const auto& f : measured_findings(lint, alignment_, analysis_)) out.push_back(f.id);
    return out;
  }

  Builder builder_;
  Alignment alignment_;
  analyze::Analysis analysis_;
};

TEST_F(Findings, BytesOfAPassThatMemoryLimitsAreTime) {
  const model::Finding finding = depth_stored();
  ASSERT_TRUE(finding.saving.ms_per_frame);
  EXPECT_DOUBLE_EQ(*finding.saving.ms_per_frame, 2);  // half of the bytes
}

TEST_F(Findings, BytesOfAPassThatArithmeticLimitsAreNot) {
  alignment_.fragment.passes[0].limiters = {"alu"};
  EXPECT_FALSE(depth_stored().saving.ms_per_frame);
  EXPECT_NE(depth_stored().evidence.back().find("no faster"), std::string::npos);
}

TEST_F(Findings, APassOfAGroupHasOnlyABound) {
  alignment_.fragment.passes[0].merged_with = {1};
  EXPECT_FALSE(depth_stored().saving.ms_per_frame);
  EXPECT_NE(depth_stored().evidence.back().find("at most 4.00 ms"), std::string::npos);
}

TEST_F(Findings, BytesFarFromTheAttachmentsAreAFinding) {
  for (const std::string& id : ids()) EXPECT_NE(id, "stores_less_than_attachments");
  alignment_.fragment.passes[0].written_bytes = 4e6;
  const auto less = ids();
  EXPECT_EQ(less.back(), "stores_less_than_attachments");
  alignment_.fragment.passes[0].written_bytes = 4e7;
  const auto more = ids();
  EXPECT_EQ(more.back(), "stores_more_than_attachments");
}

}  // namespace
}  // namespace tilebound::align
