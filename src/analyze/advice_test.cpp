#include "analyze/advice.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace tilebound::analyze {
namespace {

std::set<std::string> ids(const Situation& situation) {
  std::set<std::string> out;
  for (const Advice& advice : advise(situation)) {
    EXPECT_FALSE(advice.because.empty()) << advice.id;
    out.insert(advice.id);
  }
  return out;
}

Situation segment(Work work, std::vector<UnitPercent> units) {
  Situation out;
  out.where = "segment";
  out.work = work;
  const Verdict verdict = judge(units, {});
  out.limiters = verdict.limiters;
  out.kind = verdict.kind;
  out.units = std::move(units);
  return out;
}

TEST(Advice, VertexSegmentsGetVertexAdvice) {
  const auto found = ids(segment(
      Work::geometry, {{"tiler", 95}, {"vertex", 84}, {"external_memory", 60}, {"alu", 20}}));
  for (const char* id : {"vertex_memory", "fewer_vertices", "vertex_format", "position_stream",
                         "attribute_precision", "no_depth_prepass"}) {
    EXPECT_TRUE(found.contains(id)) << id;
  }
  EXPECT_FALSE(found.contains("simpler_lighting"));
  EXPECT_FALSE(found.contains("fewer_effects"));
  EXPECT_FALSE(found.contains("not_vertices"));
}

TEST(Advice, VertexMemoryNeedsMemoryTraffic) {
  EXPECT_FALSE(ids(segment(Work::geometry, {{"tiler", 95}, {"external_memory", 4}}))
                   .contains("vertex_memory"));
}

TEST(Advice, ShadingByArithmeticLeavesTexturesAlone) {
  const auto found = ids(
      segment(Work::shading, {{"alu", 97}, {"external_memory", 20}, {"texture", 9}, {"tiler", 2}}));
  EXPECT_TRUE(found.contains("simpler_lighting"));
  EXPECT_TRUE(found.contains("blinn_phong"));
  EXPECT_TRUE(found.contains("not_textures"));
  EXPECT_TRUE(found.contains("not_vertices"));
  EXPECT_FALSE(found.contains("cheaper_textures"));
  EXPECT_FALSE(found.contains("not_shaders"));
}

TEST(Advice, PostProcessingGetsItsOwn) {
  const auto textures =
      ids(segment(Work::full_screen, {{"texture", 90}, {"external_memory", 70}, {"alu", 30}}));
  for (const char* id : {"fewer_bloom_taps", "no_bloom", "formula_for_table", "fewer_effects",
                         "fold_into_materials"}) {
    EXPECT_TRUE(textures.contains(id)) << id;
  }
  EXPECT_FALSE(textures.contains("table_for_formula"));
  EXPECT_FALSE(textures.contains("simpler_lighting"));
  // A formula would add to what limits already.
  const auto arithmetic = ids(segment(Work::full_screen, {{"alu", 98}, {"texture", 20}}));
  EXPECT_TRUE(arithmetic.contains("table_for_formula"));
  EXPECT_FALSE(arithmetic.contains("formula_for_table"));
}

TEST(Advice, AllLowMeansStateAndSmallDraws) {
  const auto low = ids(segment(Work::shading, {{"alu", 31}, {"texture", 12}}));
  EXPECT_TRUE(low.contains("fewer_state_changes"));
  EXPECT_TRUE(low.contains("batching"));
  EXPECT_TRUE(low.contains("larger_objects"));
  EXPECT_FALSE(ids(segment(Work::shading, {{"alu", 85}})).contains("batching"));
}

TEST(Advice, IdleAndCausesComeWithTheirNumbers) {
  Situation range;
  range.where = "range";
  range.idle_percent = 30;
  range.clock_percent = 60;
  range.causes = {{"low_occupancy", "", Answer::yes, "71 % of warps use more than 32 registers"},
                  {"vertex_fetch", "", Answer::no, "2 %"}};
  const auto found = ids(range);
  EXPECT_EQ(found, (std::set<std::string>{"cpu_calls", "fewer_submits", "spare_clock",
                                          "fewer_registers"}));
  range.idle_percent = 0.5;
  range.causes.clear();
  EXPECT_TRUE(ids(range).empty());
}

TEST(Advice, DepthPassesMayWriteLess) {
  const auto found = ids(segment(Work::depth, {{"external_memory", 92}, {"early_zs", 25}}));
  EXPECT_TRUE(found.contains("depth_target_bytes"));
  EXPECT_TRUE(found.contains("load_store_ops"));
}

TEST(Advice, TheCatalogueIsSound) {
  std::set<std::string_view> seen;
  for (const AdviceText& record : advice_catalogue()) {
    EXPECT_TRUE(seen.insert(record.id).second) << record.id;
    EXPECT_FALSE(record.text.empty());
    EXPECT_FALSE(record.source.empty());
    EXPECT_EQ(advice_text(record.id).text, record.text);
  }
  EXPECT_THROW(advice_text("none"), std::out_of_range);
}

}  // namespace
}  // namespace tilebound::analyze
