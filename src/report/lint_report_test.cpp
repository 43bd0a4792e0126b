#include "report/lint_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "lint/test_frame.h"

namespace tilebound::report {

namespace {

using lint::test::Builder;
using model::LoadOp;
using model::StoreOp;
using nlohmann::json;

/// The worked example on tile memory spills, with a name that wants to be markup.
model::ApiFrame example() {
  Builder b;
  const std::size_t screen = b.swapchain();
  b.pass("<script>alert(1)</script>");
  b.attach(b.image("R8G8B8A8_UNORM", 4, lint::test::kColor | lint::test::kTransient), LoadOp::clear,
           StoreOp::dont_care);
  b.resolve_to(screen);
  b.attach(b.image("D24_UNORM_S8_UINT", 4, lint::test::kDepth), LoadOp::clear, StoreOp::store);
  b.draw();
  b.present(screen);
  b.frame.source = "a frame.jsonl";
  b.frame.format = "test";
  b.frame.calls = {{"vkCmdDraw", 1}};
  return b.frame;
}

TEST(LintReport, JsonOfTheWorkedExample) {
  const model::ApiFrame frame = example();
  const json out = json::parse(lint_json(lint::lint(frame, {})));
  EXPECT_EQ(out["schema"], "tilebound.lint/1");
  const json& pass = out["passes"][0];
  EXPECT_EQ(pass["write_bytes"], 51'840'000);
  EXPECT_EQ(pass["read_bytes"], 0);
  EXPECT_EQ(pass["bits_per_pixel"], 64);
  EXPECT_EQ(pass["tile_bits"], 128);
  EXPECT_TRUE(pass["tile"].is_null());
  EXPECT_EQ(pass["draws"]["count"], 1);
  EXPECT_EQ(pass["attachments"][2]["flow"]["depth"]["fate"], "never");
  EXPECT_EQ(pass["attachments"][1]["flow"]["color"]["fate"], "presented");
  ASSERT_EQ(out["findings"].size(), 1U);
  EXPECT_EQ(out["findings"][0]["saving"]["bytes_per_frame"], 41'472'000.0);
  EXPECT_TRUE(out["findings"][0]["saving"]["ms_per_frame"].is_null());
}

TEST(LintReport, UnknownIsNull) {
  model::ApiFrame frame = example();
  frame.passes[0].attachments[2].store = StoreOp::unknown;
  frame.passes[0].attachments[0].format = {};
  frame.draws[0].indirect = model::IndirectSource::not_captured;
  const lint::Result result = lint::lint(frame, {});
  const json pass = json::parse(lint_json(result))["passes"][0];
  EXPECT_TRUE(pass["write_bytes"].is_null());
  EXPECT_TRUE(pass["bits_per_pixel"].is_null());
  EXPECT_TRUE(pass["draws"]["empty_records"].is_null());
  EXPECT_TRUE(pass["draws"]["vertices"].is_null());
  const std::string text = lint_text(result, {200});
  EXPECT_TRUE(result.findings.empty());
  EXPECT_NE(text.find("unknown bits a pixel"), std::string::npos) << text;
  EXPECT_NE(text.find("writes unknown"), std::string::npos) << text;
  EXPECT_NE(text.find("records unknown"), std::string::npos) << text;
}

TEST(LintReport, Sarif) {
  const model::ApiFrame frame = example();
  const json out = json::parse(lint_sarif(lint::lint(frame, {}), "1.2"));
  EXPECT_EQ(out["version"], "2.1.0");
  const json& run = out["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), lint::catalogue().size());
  EXPECT_EQ(run["artifacts"][0]["location"]["uri"], "a%20frame.jsonl");
  const json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "depth_stored_never_read");
  EXPECT_EQ(result["level"], "error");
  const std::size_t index = result["ruleIndex"];
  EXPECT_EQ(run["tool"]["driver"]["rules"][index]["id"], "depth_stored_never_read");
}

TEST(LintReport, PageEscapesNames) {
  const model::ApiFrame frame = example();
  const std::string page = lint_html(lint::lint(frame, {}));
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(1)"), std::string::npos);
  EXPECT_EQ(page.find("http://"), std::string::npos);
  EXPECT_EQ(page.find("https://"), std::string::npos);
}

TEST(LintReport, CensusAndDifference) {
  const model::ApiFrame frame = example();
  model::ApiFrame other = frame;
  other.calls["vkCmdDraw"] = 3;
  const json out = json::parse(census_json(frame, &other));
  EXPECT_EQ(out["census"]["commands"]["vkCmdDraw"], 1);
  EXPECT_EQ(out["other"]["commands"]["vkCmdDraw"], 3);
  EXPECT_EQ(out["census"]["ops"]["depth CLEAR -> STORE"], 1);
  EXPECT_EQ(out["census"]["areas"]["2400x1080"], 1);
  const std::string text = census_text(frame, &other, {});
  EXPECT_NE(text.find("+2"), std::string::npos) << text;
}

}  // namespace

}  // namespace tilebound::report
