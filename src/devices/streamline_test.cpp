#include <gtest/gtest.h>

#include "base/error.h"
#include "devices/profile.h"
#include "devices/reference_expressions.h"

namespace tilebound::devices {
namespace {

const model::UnitPath* path_of(const model::Device& device, std::string_view unit) {
  for (const model::Unit& u : device.units) {
    if (u.id == unit) return &u.paths.front();
  }
  return nullptr;
}

/// Each unit with the number that divides GPU-active cycles in the article.
struct Expected {
  const char* unit;
  double k;
  const char* work_unit;
};
constexpr Expected kExpected[] = {
    {"tiler", 380, "primitives"},  {"primitive_cull", 800, "primitives"},
    {"raster", 580, "primitives"}, {"early_zs", 70, "quads"},
    {"late_zs", 120, "quads"},     {"shader_core", 50, "cycles"},
    {"varying", 65, "issues"},     {"alu", 50, "instructions"},
    {"texture", 64, "cycles"},     {"texture_external", 10.3, "bytes"},
    {"texture_l2", 8, "bytes"},    {"tile_write", 7, "bytes"},
    {"load_store", 110, "cycles"}, {"l2_read", 12, "bytes"},
    {"l2_write", 12, "bytes"},     {"external_memory", 5, "bytes"},
};

void expect_reference_peaks(const model::Device& device) {
  EXPECT_EQ(device.units.size(), std::size(kExpected));
  for (const Expected& expected : kExpected) {
    const model::UnitPath* path = path_of(device, expected.unit);
    ASSERT_NE(path, nullptr) << expected.unit;
    ASSERT_TRUE(path->peak) << expected.unit;
    EXPECT_DOUBLE_EQ(path->peak->value, 100 / expected.k) << expected.unit;
    EXPECT_EQ(path->peak->per, model::PeakPer::gpu_cycle);
    EXPECT_EQ(path->peak->provenance, model::Provenance::measured);
    EXPECT_EQ(path->work_unit, expected.work_unit) << expected.unit;
  }
}

TEST(Streamline, ReferenceListIsRead) {
  const auto list = read_expressions(kReferenceExpressions);
  ASSERT_EQ(list.size(), 16u);
  EXPECT_EQ(list.front().name, "Input primitive throughput");
  EXPECT_EQ(list.back().name, "RAM Throughput");
  for (const NamedExpression& named : list) {
    EXPECT_EQ(named.notes.empty(), named.name != "RAM Throughput") << named.name;
  }
  EXPECT_EQ(list.back().notes.at(0).id, "unclosed_parenthesis");
}

TEST(Streamline, ExportedTextImportsAgainUnchanged) {
  const auto list = read_expressions(kReferenceExpressions);
  const std::string text = write_expressions(list, "Redmi 12\ndriver unknown");
  EXPECT_EQ(read_expressions(text), list);
  EXPECT_EQ(write_expressions(read_expressions(text), "Redmi 12\ndriver unknown"), text);
}

TEST(Streamline, ReferenceListGivesTheDevice) {
  std::vector<model::Note> notes;
  const auto device = device_from_expressions(read_expressions(kReferenceExpressions), notes);
  expect_reference_peaks(device);
  EXPECT_EQ(device.vendor, "arm");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].id, "unclosed_parenthesis");
}

TEST(Streamline, PeaksAreTheRoundedNumbersPeopleQuote) {
  std::vector<model::Note> notes;
  const auto device = device_from_expressions(read_expressions(kReferenceExpressions), notes);
  EXPECT_NEAR(path_of(device, "tiler")->peak->value, 0.2632, 5e-5);
  EXPECT_NEAR(path_of(device, "raster")->peak->value, 0.1724, 5e-5);
  EXPECT_NEAR(path_of(device, "texture_external")->peak->value, 9.709, 5e-4);
  EXPECT_NEAR(path_of(device, "tile_write")->peak->value, 14.286, 5e-4);
  EXPECT_NEAR(path_of(device, "load_store")->peak->value, 0.9091, 5e-5);
}

TEST(Streamline, ClockExpressionGivesTheClockMaximum) {
  std::vector<model::Note> notes;
  const auto device = device_from_expressions(read_expressions(kReferenceClock), notes);
  ASSERT_TRUE(device.clock_max);
  EXPECT_DOUBLE_EQ(device.clock_max->value, 1e9);
  EXPECT_TRUE(device.units.empty());
}

TEST(Streamline, BuiltInRedmiHoldsTheSamePeaksAndExportsThem) {
  std::optional<model::Device> redmi;
  for (const model::Device& device : all_devices()) {
    if (device.id == "redmi-12") redmi = device;
  }
  ASSERT_TRUE(redmi);
  expect_reference_peaks(*redmi);
  EXPECT_DOUBLE_EQ(redmi->clock_max.value().value, 1e9);
  EXPECT_EQ(redmi->cores, 2u);

  const auto exported = expressions_of(*redmi);
  ASSERT_EQ(exported.size(), 17u);
  EXPECT_EQ(exported[1].name, "Primitive culling throughput");
  EXPECT_EQ(exported[1].text,
            "($MaliPrimitiveCullingFacingOrXYPlaneTestCulledPrimitives + "
            "$MaliPrimitiveCullingZPlaneTestCulledPrimitives) / ($MaliGPUCyclesGPUActive / 800)");
  EXPECT_EQ(exported.back().text, "$MaliGPUCyclesGPUActive / ($ZOOM * 10000000)");
  std::vector<model::Note> notes;
  auto back = device_from_expressions(read_expressions(write_expressions(exported)), notes);
  // Today's database calls varying issues slots, which the unit of work shows.
  for (model::Unit& unit : back.units) {
    if (unit.id == "varying") unit.paths.front().work_unit = "issues";
  }
  expect_reference_peaks(back);
  EXPECT_TRUE(notes.empty());
}

TEST(Streamline, OtherFormsOfAPercentage) {
  std::vector<model::Note> notes;
  const auto device = device_from_expressions(
      read_expressions("// ALU:\n$MaliALUInstructionsExecutedInstructions / "
                       "$MaliGPUCyclesGPUActive * 50\n"
                       "// tile write: per second\n$MaliSCBusTileWrBt * 16 / ($ZOOM * 1000)\n"
                       "// alu: each core\n$MaliEngInstr / ($MaliGPUActiveCy * "
                       "$MaliConstantsShaderCoreCount / 100)\n"
                       "// mystery:\n$MaliEngInstr / ($MaliGPUActiveCy / 3)\n"
                       "// L2 read:\n$MaliEngInstr + 3\n"
                       "// L2 write:\n$MaliEngInstr / ($MaliTilerActiveCy / 3)\n"),
      notes);
  ASSERT_EQ(device.units.size(), 2u);
  EXPECT_DOUBLE_EQ(device.units[0].paths[0].peak->value, 2.0);
  EXPECT_EQ(device.units[0].paths[1].peak->per, model::PeakPer::core_cycle);
  EXPECT_DOUBLE_EQ(device.units[0].paths[1].peak->value, 1.0);
  EXPECT_EQ(device.units[1].paths[0].peak->per, model::PeakPer::second);
  EXPECT_DOUBLE_EQ(device.units[1].paths[0].peak->value, 1e5);
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[0].id, "unknown_unit");
  EXPECT_EQ(notes[1].id, "not_a_throughput");
  EXPECT_EQ(notes[2].id, "not_a_throughput");
}

TEST(Streamline, ExportCountsCores) {
  model::Device device = generic_device("arm", "G77");
  for (model::Unit& unit : device.units) {
    if (unit.id != "shader_core") continue;
    unit.paths[0].peak = model::Peak{1, model::PeakPer::core_cycle, {}, "test"};
  }
  EXPECT_EQ(expressions_of(device).at(0).text,
            "$MaliShaderCoreCyclesExecutionCoreActive / "
            "($MaliGPUCyclesGPUActive * $MaliConstantsShaderCoreCount / 100)");
  device.cores = 9;
  EXPECT_EQ(expressions_of(device).at(0).text,
            "$MaliShaderCoreCyclesExecutionCoreActive / ($MaliGPUCyclesGPUActive / 11.11111111)");
  device.gpu_key = "G715";
  device.core_cycles_counter = "MaliAnyActiveCy";
  EXPECT_EQ(expressions_of(device).at(0).text,
            "$MaliShaderCoreCyclesExecutionCoreActive / "
            "($MaliShaderCoreCyclesAnyWorkloadActive / 100)");
}

TEST(ExpressionList, ErrorsNameLineAndColumn) {
  try {
    read_expressions("// a:\n$x / 2\n\n// b:\n  ($y +\n  $z $w)\n");
    FAIL();
  } catch (const base::InputError& e) {
    EXPECT_STREQ(e.what(), "expressions: line 6, column 6: expected an operator or ')'");
  }
  try {
    read_expressions("   $x * * 2");
    FAIL();
  } catch (const base::InputError& e) {
    EXPECT_STREQ(e.what(), "expressions: line 1, column 9: expected a number, $Name or '('");
  }
}

TEST(ExpressionList, FormsOfLists) {
  EXPECT_TRUE(read_expressions("").empty());
  EXPECT_TRUE(read_expressions("// only a comment\n\n").empty());
  const auto list = read_expressions(
      "\xef\xbb\xbf// header\r\n\r\n// first :\r\n$a / // inside\r\n  $b\r\n// second\n$c\n");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].name, "first");
  EXPECT_EQ(list[0].text, "$a /\n  $b");
  EXPECT_EQ(list[1].name, "second");
  EXPECT_EQ(read_expressions("$a").at(0).name, "expression 1");
}

}  // namespace
}  // namespace tilebound::devices
