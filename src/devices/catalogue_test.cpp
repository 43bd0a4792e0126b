#include "devices/catalogue.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "base/text.h"
#include "devices/expression.h"
#include "devices/gpu.h"

namespace tilebound::devices {
namespace {

std::string machine(std::string_view name, std::string_view gpu = {}) {
  const CounterDefinition* d = find_counter(name, gpu);
  return d == nullptr ? "none" : d->machine_name;
}

/// Rows of a table of extra data by column name; empty where the folder is absent.
std::vector<std::map<std::string, std::string>> extra_table(const std::string& name) {
  std::vector<std::map<std::string, std::string>> out;
  const char* folder = std::getenv("TILEBOUND_EXTRA_DATA");
  if (folder == nullptr) return out;
  std::ifstream in(std::string(folder) + "/facts/" + name);
  std::vector<std::string> columns;
  for (std::string line; std::getline(in, line);) {
    std::map<std::string, std::string> row;
    std::size_t i = 0;
    for (const std::string_view field : base::split(line, '\t')) {
      if (out.empty() && columns.size() <= i) columns.emplace_back(field);
      row[columns.at(i++)] = field;
    }
    out.push_back(std::move(row));
  }
  if (!out.empty()) out.erase(out.begin());
  return out;
}

TEST(Catalogue, EverySpellingOfOneCounter) {
  for (const char* name : {"MaliGPUActiveCy", "$MaliGPUActiveCy", "$MaliGPUCyclesGPUActive",
                           "GPU active cycles", "Mali GPU Cycles: GPU active",
                           "Mali GPU Cycles:GPU active", "GPU_ACTIVE", "gpu  ACTIVE-cycles"}) {
    EXPECT_EQ(machine(name), "MaliGPUActiveCy") << name;
  }
  // Streamline's older database and today's.
  EXPECT_EQ(machine("$MaliTextureUnitCyclesTextureFilteringActive"), "MaliTexFiltIssueCy");
  EXPECT_EQ(machine("$MaliTextureUnitCyclesFilteringActive"), "MaliTexFiltIssueCy");
  EXPECT_EQ(machine("$MaliConstantsShaderCoreCount"), "MaliConfigCoreCount");
  EXPECT_EQ(machine("Empty Tiler Job"), "MaliTilerEmptyJob");
  EXPECT_EQ(machine("no such counter"), "none");
  EXPECT_EQ(machine(""), "none");
}

TEST(Catalogue, OccludingQuadsAreNotKilledQuads) {
  EXPECT_EQ(machine("QUAD_FPK_KILLER"), "MaliFragOpaqueQd");
  EXPECT_EQ(machine("FPK occluder quads"), "MaliFragOpaqueQd");
  EXPECT_EQ(machine("FPK HSR killed quads"), "MaliFragFPKKillQd");
  EXPECT_TRUE(find_counter("MaliFragFPKKillQd")->derived());
}

TEST(Catalogue, TheGpuDecidesWhatASharedNameMeans) {
  EXPECT_EQ(machine("FRAG_ACTIVE", "Mali-G77"), "MaliFragActiveCy");
  EXPECT_EQ(machine("FRAG_ACTIVE", "Immortalis-G720 MC12"), "MaliMainActiveCy");
  EXPECT_EQ(machine("GPU_ACTIVE", "G715"), "MaliGPUActiveRawCy");
  EXPECT_EQ(machine("$MaliALUInstructionsExecutedInstructions", "Mali-G52"), "MaliEngInstr");
  EXPECT_EQ(machine("$MaliALUInstructionsExecutedInstructions", "Mali-G77"), "MaliEngArithInstr");
  EXPECT_EQ(find_counter("MaliALUIssueCy", "G77")->equation,
            "max($MaliEngFMAInstr, $MaliEngCVTInstr, $MaliEngSFUInstr * 4)");
  EXPECT_EQ(machine("Compute tasks", "G710"), "MaliCompQueueTask");
  EXPECT_EQ(machine("COMPUTE_TASKS", "G710"), "MaliNonFragTask");
  EXPECT_EQ(find_counter("MaliTexQuads", "G710")->equation, "$MaliTexOutMsg * 2");
  EXPECT_EQ(find_counter("MaliGPUWarpSize", "G52")->constant_value, 8);
}

TEST(Catalogue, AdrenoAndPowerVrNames) {
  EXPECT_EQ(machine("% Shaders Busy"), "AdrenoPercentShadersBusy");
  EXPECT_EQ(machine("Clocks / Second"), "AdrenoClocksPerSecond");
  EXPECT_EQ(machine("GPU % Utilization"), "AdrenoGPUPercentUtilization");
  EXPECT_EQ(machine("GPU utilization"), "MaliGPUUtil");
  EXPECT_EQ(machine("Pre-clipped Polygons / Second"), machine("Pre-clipped Polygons/Second"));
  EXPECT_EQ(machine("Read Total (Bytes/Second)"), "AdrenoReadTotalBytesPerSecond");
  EXPECT_EQ(machine("Read Total (Bytes)"), "AdrenoReadTotalBytesPerSecond");
  EXPECT_EQ(machine("% Stalled On System Memory"), "AdrenoPercentStalledOnSystemMemory");
  EXPECT_EQ(machine("% Wave Context Occupancy"), "AdrenoPercentWaveContextOccupancy");
  EXPECT_EQ(machine("GPU Frequency"), "AdrenoGPUFrequency");
  EXPECT_EQ(machine("Texture Unit Active"), "PowerVRTextureUnitActive");
  EXPECT_EQ(find_counter("% Texture Pipes Busy")->kind, model::CounterKind::percent);
  EXPECT_EQ(find_counter("Fragments Shaded / Second")->kind, model::CounterKind::rate);
}

TEST(Catalogue, EveryQuestAndGalaxyCounterIsKnown) {
  for (const char* name : {"Clocks / Second",
                           "GPU Frequency",
                           "GPU % Bus Busy",
                           "Preemptions / second",
                           "Avg Preemption Delay",
                           "% Vertex Fetch Stall",
                           "% Texture Fetch Stall",
                           "% Texture L1 Miss",
                           "% Texture L2 Miss",
                           "% Stalled on System Memory",
                           "Read Total (Bytes/sec)",
                           "Write Total (Bytes/sec)",
                           "Texture Memory Read BW (Bytes/Second)",
                           "Vertex Memory Read (Bytes/Second)",
                           "SP Memory Read (Bytes/Second)",
                           "% Shaders Busy",
                           "% Shaders Stalled",
                           "% Shader ALU Capacity Utilized",
                           "% Time ALUs Working",
                           "% Time EFUs Working",
                           "% Texture Pipes Busy",
                           "% Wave Context Occupancy",
                           "% Instruction Cache Miss",
                           "% Time Compute",
                           "% Time Shading Vertices",
                           "Vertices Shaded / Second",
                           "Vertex Instructions / Second",
                           "Textures / Vertex",
                           "Avg Bytes / Vertex",
                           "ALU / Vertex",
                           "EFU / Vertex",
                           "% Time Shading Fragments",
                           "Fragments Shaded / Second",
                           "Fragment Instructions / Second",
                           "Fragment ALU Instructions / Sec (Full)",
                           "Fragment ALU Instructions / Sec (Half)",
                           "Fragment EFU Instructions / Second",
                           "L1 Texture Cache Miss Per Pixel",
                           "Textures / Fragment",
                           "Avg Bytes / Fragment",
                           "ALU / Fragment",
                           "EFU / Fragment",
                           "Pre-clipped Polygons/Second",
                           "% Prims Trivially Rejected",
                           "% Prims Clipped",
                           "Average Vertices / Polygon",
                           "Reused Vertices / Second",
                           "Average Polygon Area",
                           "% Nearest Filtered",
                           "% Linear Filtered",
                           "% Anisotropic Filtered",
                           "% Non-Base Level Textures",
                           "GPU % Utilization"}) {
    const CounterDefinition* d = find_counter(name);
    ASSERT_NE(d, nullptr) << name;
    EXPECT_EQ(d->vendor, "qualcomm") << name;
    EXPECT_EQ(d->display_name == name || base::lower(d->display_name) == base::lower(name), true)
        << name << " is " << d->display_name;
  }
}

TEST(Catalogue, ScopesAndKinds) {
  EXPECT_EQ(find_counter("MaliFragActiveCy")->scope, Scope::shader_core);
  EXPECT_EQ(find_counter("MaliExtBusRdBt")->scope, Scope::l2_slice);
  EXPECT_EQ(find_counter("MaliTilerActiveCy")->scope, Scope::gpu);
  EXPECT_EQ(find_counter("MaliEngArithInstr")->scope, Scope::shader_core);
  EXPECT_EQ(find_counter("MaliGeomTotalPrim")->scope, Scope::gpu);
  EXPECT_EQ(find_counter("MaliTexUtil")->kind, model::CounterKind::percent);
  EXPECT_EQ(find_counter("MaliTexCPI")->kind, model::CounterKind::level);
  EXPECT_EQ(find_counter("MaliVarIssueCy")->kind, model::CounterKind::count);
  EXPECT_EQ(find_counter("MaliExtBusRdBPS")->kind, model::CounterKind::rate);
}

TEST(Catalogue, DefinitionsAreSound) {
  std::set<std::pair<std::string, std::string>> raw_on_gpu;
  for (const CounterDefinition& d : catalogue()) {
    EXPECT_FALSE(d.machine_name.empty());
    EXPECT_FALSE(d.display_name.empty()) << d.machine_name;
    EXPECT_FALSE(d.source.empty()) << d.machine_name;
    EXPECT_EQ(machine(d.machine_name), d.machine_name);
    for (const std::string& key : d.gpus) {
      EXPECT_EQ(gpu_key(key), key);
      EXPECT_TRUE(raw_on_gpu.emplace(d.machine_name, key).second) << d.machine_name << " " << key;
      EXPECT_EQ(find_counter(d.machine_name, key), &d);
    }
    if (!d.derived()) continue;
    const Expression equation = Expression::parse(d.equation);
    for (const std::string& name : equation.names()) {
      if (name == "ZOOM") continue;
      for (const std::string& key : d.gpus) {
        const CounterDefinition* part = find_counter(name, key);
        ASSERT_NE(part, nullptr) << d.machine_name << ": " << name;
        EXPECT_TRUE(part->on(key)) << d.machine_name << ": " << name << " on " << key;
      }
    }
  }
}

TEST(Catalogue, NamesOfOneVendorAreNoneOfAnother) {
  for (const CounterDefinition& d : catalogue()) {
    EXPECT_EQ(find_counter(d.display_name)->vendor, d.vendor) << d.display_name;
  }
}

TEST(Catalogue, EverySpellingOfTheFactsLeadsToItsCounter) {
  const auto rows = extra_table("mali_counters.tsv");
  if (rows.empty()) GTEST_SKIP() << "no extra data";
  EXPECT_EQ(rows.size(), 528u);
  for (const auto& row : rows) {
    for (const std::string_view gpu : base::split(row.at("gpus"), ',')) {
      const std::string key(gpu_key(gpu));
      for (const char* column : {"machine_name", "human_name", "hw_name", "streamline_expr",
                                 "gator_expr", "libgpucounters_enum"}) {
        const std::string& name = row.at(column);
        if (name.empty()) continue;
        EXPECT_EQ(machine(name, key), row.at("machine_name")) << name << " on " << key;
      }
    }
  }
}

TEST(Catalogue, StreamlinesRuleForNames) {
  EXPECT_EQ(find_counter("MaliExtBusRdOTQ1")->streamline_expression(),
            "$MaliExternalBusOutstandingReads025Outstanding");
  EXPECT_EQ(find_counter("MaliVar16IssueSlot")->streamline_expression(),
            "$MaliVaryingUnitRequests16BitInterpolationSlots");
  EXPECT_EQ(find_counter("MaliTexUtil")->streamline_expression(), "") << "derived there";
  for (const auto& row : extra_table("mali_counters.tsv")) {
    if (row.at("kind") != "raw") continue;
    const std::string gpu = row.at("gpus").substr(0, row.at("gpus").find(','));
    EXPECT_EQ(find_counter(row.at("machine_name"), gpu)->streamline_expression(),
              row.at("streamline_expr"));
  }
}

TEST(Catalogue, IdsByLayoutAreThoseOfTheFacts) {
  const auto rows = extra_table("mali_hw_layout.tsv");
  if (rows.empty()) GTEST_SKIP() << "no extra data";
  for (const auto& row : rows) {
    if (row.at("counters_per_block") != "64") continue;
    const auto block = base::parse_number(row.at("block_order_perfetto_jm")).value();
    const auto index = base::parse_number(row.at("index")).value();
    const CounterDefinition* d =
        find_by_layout_id(static_cast<std::uint32_t>(64 * block + index), gpu_key(row.at("gpu")));
    ASSERT_NE(d, nullptr) << row.at("gpu") << " " << row.at("hw_name");
    EXPECT_EQ(d->machine_name, machine(row.at("hw_name"), row.at("gpu"))) << row.at("gpu");
  }
  for (const auto& row : extra_table("mali_perfetto_ids_g77_check.tsv")) {
    const auto id = base::parse_number(row.at("perfetto_id_jm")).value();
    const CounterDefinition* d = find_by_layout_id(static_cast<std::uint32_t>(id), "G77");
    ASSERT_NE(d, nullptr) << id;
    EXPECT_EQ(d->hardware_name, row.at("hw_name"));
  }
}

TEST(Gpu, Names) {
  EXPECT_EQ(gpu_key("Mali-G57 MC2"), "G77");
  EXPECT_EQ(gpu_key("ARM Mali-G77 r0p1"), "G77");
  EXPECT_EQ(gpu_key("Immortalis-G925 MC12"), "G725");
  EXPECT_EQ(gpu_key("Mali-G1-Ultra MC12"), "G1");
  EXPECT_EQ(gpu_key("G1"), "G1");
  EXPECT_EQ(gpu_key("Mali-T880"), "");
  EXPECT_EQ(gpu_key("Adreno (TM) 650"), "");
  EXPECT_EQ(find_gpu("Immortalis-G715 MC11")->name, "Immortalis-G715");
  EXPECT_EQ(find_gpu("G715")->name, "Mali-G715");
  EXPECT_EQ(cores_in_name("Mali-G77 MC9"), 9u);
  EXPECT_EQ(cores_in_name("Mali-G52 MP2"), 2u);
  EXPECT_EQ(cores_in_name("Mali-G77"), 0u);
  EXPECT_EQ(vendor_of("Mali-G77"), "arm");
  EXPECT_EQ(vendor_of("Adreno (TM) 650"), "qualcomm");
  EXPECT_EQ(vendor_of("Apple A17"), "");
}

}  // namespace
}  // namespace tilebound::devices
