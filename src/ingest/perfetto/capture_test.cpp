// Captures that are not part of the project: of phones, of Perfetto's own tests, of a simulator.
// TILEBOUND_EXTRA_DATA names their folder; the tests are skipped where it is absent.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>

#include "base/error.h"
#include "base/proto_reader.h"
#include "base/statistics.h"
#include "ingest/perfetto/trace_builder.h"

namespace tilebound::ingest::perfetto {
namespace {

namespace fs = std::filesystem;

fs::path extra_data() {
  if (const char* folder = std::getenv("TILEBOUND_EXTRA_DATA")) return folder;
#ifdef TILEBOUND_EXTRA_DATA
  return TILEBOUND_EXTRA_DATA;
#else
  return {};
#endif
}

std::optional<std::string> load(const fs::path& path) {
  std::ifstream file(extra_data() / "data" / path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

const fs::path kPhone = "perfetto/ms_androidGpu_adreno660_s21ultra.pftrace";

TEST(PerfettoCaptures, GalaxyS21) {
  const auto bytes = load(kPhone);
  if (!bytes) GTEST_SKIP();
  EXPECT_EQ(perfetto_importer().sniff(std::string_view(*bytes).substr(0, 65536)), Fit::yes);
  const model::Capture capture = read_bytes(*bytes);
  EXPECT_EQ(capture.counters.size(), 48U);
  EXPECT_EQ(capture.counters.front().name, "Clocks / Second");
  EXPECT_EQ(capture.counters.back().name, "Avg Preemption Delay");
  std::vector<std::uint32_t> sampled;
  for (const model::Counter& counter : capture.counters) {
    if (counter.sampled()) sampled.push_back(*counter.id);
  }
  EXPECT_EQ(sampled, (std::vector<std::uint32_t>{106, 141}));
  EXPECT_EQ(find_counter(capture, 106)->name, "% Vertex Fetch Stall");
  EXPECT_EQ(find_counter(capture, 141)->name, "% Linear Filtered");
  ASSERT_EQ(capture.axes.size(), 1U);
  const model::TimeAxis& axis = capture.axes[0];
  ASSERT_EQ(axis.size(), 5782U);
  std::vector<double> intervals;
  for (std::size_t i = 1; i < axis.size(); ++i) {
    intervals.push_back(base::milliseconds(axis.interval(i).length()));
  }
  EXPECT_EQ(intervals.size(), 5781U);
  EXPECT_NEAR(*base::median(intervals), 1.124, 0.0005);
  EXPECT_NEAR(*std::min_element(intervals.begin(), intervals.end()), 1.050, 0.0005);
  EXPECT_NEAR(*std::max_element(intervals.begin(), intervals.end()), 2.17, 0.005);
  EXPECT_EQ(find_counter(capture, 106)->values.size(), 5782U);
  EXPECT_NEAR(find_counter(capture, 141)->values.at(0), 12.675488231882554, 1e-15);
  EXPECT_EQ(capture.request.period_ns, 1'000'000);
  EXPECT_EQ(capture.request.counter_ids, (std::vector<std::uint32_t>{141, 106}));
  EXPECT_EQ(noted(capture, "descriptor_timestamp_zero"), 1U);
  EXPECT_EQ(capture.notes.size(), 1U);
}

TEST(PerfettoCaptures, NoGpuDataSaysWhatWasRecorded) {
  const auto bytes = load("perfetto/ms_androidBasicMemory_NEGATIVE.pftrace");
  if (!bytes) GTEST_SKIP();
  const model::Capture capture = read_bytes(*bytes);
  EXPECT_TRUE(capture.counters.empty());
  EXPECT_FALSE(capture.request.gpu_counters);
  EXPECT_EQ(capture.request.data_sources,
            (std::vector<std::string>{"linux.process_stats", "linux.sys_stats"}));
  const std::map<std::string, std::uint64_t> other = {
      {"process_stats", 46}, {"process_tree", 2}, {"sys_stats", 45}};
  EXPECT_EQ(capture.other_content, other);
}

TEST(PerfettoCaptures, UpstreamCounters) {
  const auto bytes = load("perfetto-upstream/pf_gpu_counters.pb");
  if (!bytes) GTEST_SKIP();
  const model::Capture capture = read_bytes(*bytes);
  EXPECT_EQ(series(capture, 31), (Series{{11, 21, 31}, {5, 10, 15.5}}));
  EXPECT_EQ(series(capture, 32), (Series{{12, 22, 32}, {7, 14, 21}}));
  EXPECT_EQ(series(capture, 33), (Series{{13, 23, 33}, {8, 16, 25}}));
  EXPECT_EQ(series(capture, 34), (Series{{14, 24, 34}, {0, 9, 7}}));
  EXPECT_EQ(series(capture, 35), (Series{{15, 25}, {1024, 0}}));
  EXPECT_EQ(series(capture, 36), (Series{{16, 26}, {60, 0}}));
  EXPECT_EQ(find_counter(capture, 31)->unit, "vertex/second");
  EXPECT_EQ(find_counter(capture, 34, 1)->unit, "triangle/millisecond:millisecond");
  EXPECT_EQ(find_counter(capture, 35)->unit, "byte");
  EXPECT_EQ(noted(capture, "unknown_id"), 2U);  // 33, and 34 on GPU 0
}

TEST(PerfettoCaptures, UpstreamCounterSpecs) {
  const auto bytes = load("perfetto-upstream/pf_gpu_counter_specs.pb");
  if (!bytes) GTEST_SKIP();
  const model::Capture capture = read_bytes(*bytes);
  ASSERT_EQ(capture.counters.size(), 5U);
  EXPECT_EQ(find_counter(capture, 1, 0)->description, "clock speed");
  EXPECT_EQ(find_counter(capture, 1, 1)->name, "GPU Frequency");
  EXPECT_EQ(find_counter(capture, 1, 0)->unit, "/second");
  EXPECT_EQ(find_counter(capture, 2)->unit, "fragment/vertex");
  EXPECT_EQ(find_counter(capture, 3)->unit, "pixel/second");
  EXPECT_EQ(find_counter(capture, 3)->kind, model::CounterKind::rate);
}

TEST(PerfettoCaptures, UpstreamFrequency) {
  const auto bytes = load("perfetto-upstream/pf_gpu_frequency_metric.pb");
  if (!bytes) GTEST_SKIP();
  const model::Capture capture = read_bytes(*bytes);
  ASSERT_EQ(capture.clock.size(), 6U);
  EXPECT_EQ(capture.clock[0].time_ns, 200001000000);
  EXPECT_EQ(capture.clock[0].frequency.value, 585e6);
  EXPECT_EQ(capture.clock[2].frequency.value, 0);
  EXPECT_EQ(capture.clock[4].gpu, 1U);
  EXPECT_EQ(capture.clock[4].frequency.value, 758e6);
}

TEST(PerfettoCaptures, UpstreamRenderStages) {
  const auto old = load("perfetto-upstream/pf_gpu_render_stages.pb");
  const auto interned = load("perfetto-upstream/pf_gpu_render_stages_interned_spec.pb");
  const auto kernels = load("perfetto-upstream/pf_gpu_compute_kernel.pb");
  const auto launch = load("perfetto-upstream/pf_gpu_compute_launch.pb");
  if (!old || !interned || !kernels || !launch) GTEST_SKIP();
  const model::Capture first = read_bytes(*old);
  ASSERT_EQ(first.render_stages.size(), 20U);
  EXPECT_EQ(first.render_stages[0].stage, "stage 1");  // came before the specifications
  EXPECT_EQ(first.render_stages[0].context, 0U);
  EXPECT_EQ(first.render_stages[3].queue, "queue 2");
  EXPECT_EQ(first.render_stages[10].render_pass, 32U);
  EXPECT_EQ(first.render_stages[15].queue, "queue -1");

  const model::Capture second = read_bytes(*interned);
  ASSERT_EQ(second.render_stages.size(), 4U);
  EXPECT_EQ(second.render_stages[0].queue, "vertex");
  EXPECT_EQ(second.render_stages[0].stage, "binning");
  EXPECT_EQ(second.render_stages[1].queue, "fragment");
  EXPECT_EQ(second.render_stages[2].queue, "queue2");
  EXPECT_EQ(second.render_stages[3].queue, "queue 3");  // refers to nothing
  EXPECT_EQ(noted(second, "unnamed_stage"), 1U);

  EXPECT_EQ(read_bytes(*kernels).render_stages[1].label,
            "matMul(float*, float*, float*, int, int)");
  EXPECT_EQ(read_bytes(*launch).render_stages[0].label, "vectorAdd");
}

TEST(PerfettoCaptures, UpstreamRest) {
  const auto info = load("perfetto-upstream/pf_gpu_info.pb");
  const auto log = load("perfetto-upstream/pf_gpu_log.pb");
  const auto memory = load("perfetto-upstream/pf_gpu_mem_total.pb");
  if (!info || !log || !memory) GTEST_SKIP();
  EXPECT_EQ(read_bytes(*info).gpu_names, (std::vector<std::string>(2, "NVIDIA A100-SXM4-80GB")));
  EXPECT_EQ(read_bytes(*log).other_content.at("gpu_log"), 6U);
  EXPECT_EQ(read_bytes(*memory).other_content.at("ftrace gpu_mem_total"), 5U);
}

TEST(PerfettoCaptures, GalaxyS21CutAnywhere) {
  const auto bytes = load(kPhone);
  if (!bytes) GTEST_SKIP();
  std::vector<std::size_t> packets;  // where packets begin
  base::ByteCursor cursor(*bytes);
  while (!cursor.empty()) {
    packets.push_back(bytes->size() - cursor.left());
    std::uint64_t length = 0;
    std::string_view skipped;
    ASSERT_TRUE(cursor.take(0x0a) && cursor.varint(length) && cursor.bytes(length, skipped));
  }
  std::mt19937 random(20261130);
  for (int i = 0; i < 2000; ++i) {
    const std::size_t cut = random() % bytes->size();
    const std::size_t packet = *(std::upper_bound(packets.begin(), packets.end(), cut) - 1);
    try {
      const model::Capture capture = read_bytes(std::string_view(*bytes).substr(0, cut));
      ASSERT_EQ(noted(capture, "truncated"), packet == cut ? 0U : 1U) << cut;
      if (packet == cut) continue;
      ASSERT_EQ(capture.notes.back().message,
                "byte " + std::to_string(packet) + ": the file ends within a packet");
    } catch (const base::InputError& error) {
      ASSERT_EQ(packet, 0U) << cut << error.what();
    }
  }
}

/// Runs the simulator of the extra data; the folder with its trace and truth, or nothing.
std::optional<fs::path> simulate(const std::string& scenario, const std::string& options) {
  const fs::path program = extra_data() / "sim" / "tbdrsim.py";
  if (!fs::exists(program)) return std::nullopt;
  const fs::path out =
      fs::path(::testing::TempDir()) /
      ("tilebound_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
  const std::string command = "PYTHONDONTWRITEBYTECODE=1 python3 '" + program.string() + "' '" +
                              (extra_data() / "sim/scenarios" / (scenario + ".json")).string() +
                              "' --seed 1 --seconds 2 --sample-ms 1 --no-csv --no-capture -o '" +
                              out.string() + "' " + options + " > /dev/null";
  if (std::system(command.c_str()) != 0) return std::nullopt;
  return out;
}

/// Sums of the delivered counters give the true totals, averages times the number of cores.
/// Values that the faults made impossible are missing from the sums: `truth` knows them.
void expect_true_totals(const fs::path& folder) {
  std::ifstream trace(folder / "trace.perfetto-trace", std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(trace), {});
  const model::Capture capture = read_bytes(bytes);
  const auto truth = nlohmann::json::parse(std::ifstream(folder / "truth.json"));
  std::map<std::uint32_t, double> wrapped;
  std::uint64_t wraps = 0;
  for (const auto& fault : truth["faults"]) {
    if (fault["kind"] != "counter_wrap") continue;
    for (const auto& hit : fault["hits"]) {
      wrapped[hit["id"]] += hit["true"].get<double>();
      ++wraps;
    }
  }
  EXPECT_EQ(noted(capture, "wrapped_value"), wraps);
  const double cores = truth["gpu"]["cores"];
  for (const auto& counter : truth["counters"]) {
    const std::uint32_t id = counter["id"];
    const model::Counter* found = find_counter(capture, id);
    ASSERT_NE(found, nullptr) << counter["name"];
    EXPECT_EQ(found->name, counter["name"]);
    const double scale = counter["divided_by_cores"].get<bool>() ? cores : 1;
    // A counter that never counted has no total.
    const double expected = truth["totals"].value(counter["hw"].get<std::string>(), 0.0);
    EXPECT_NEAR(found->values.sum() * scale + wrapped[id], expected, 1e-9 * expected)
        << counter["name"];
  }
}

TEST(PerfettoTruth, SumsOfScenarioA) {
  const auto folder = simulate("a_mobile_forward_10fps", "");
  if (!folder) GTEST_SKIP();
  expect_true_totals(*folder);
}

/// Every fault but the two that lose samples for good.
TEST(PerfettoTruth, SumsOfTheFaultyScenario) {
  const auto folder = simulate("i_faulty_capture",
                               "--set faults.drop_samples.mode='\"merged\"' "
                               "--set faults.truncate_tail_bytes=0");
  if (!folder) GTEST_SKIP();
  expect_true_totals(*folder);
}

TEST(PerfettoTruth, FaultsAreNoted) {
  const auto folder = simulate("i_faulty_capture", "");
  if (!folder) GTEST_SKIP();
  std::ifstream file(*folder / "trace.perfetto-trace", std::ios::binary);
  const model::Capture capture = read_bytes(std::string(std::istreambuf_iterator<char>(file), {}));
  for (const char* id : {"duplicate_descriptor", "out_of_order", "truncated", "wrapped_value"}) {
    EXPECT_GT(noted(capture, id), 0U) << id;
  }
  for (const char* id : {"duplicate_sample", "unconverted_clock", "damaged_packet"}) {
    EXPECT_EQ(noted(capture, id), 0U) << id;
  }
  // The second producer's ids 1, 6 and 196 are counters of its own GPU.
  EXPECT_EQ(find_counter(capture, 6, 1)->name, "DSP % Busy");
  EXPECT_EQ(find_counter(capture, 6, 0)->name, "GPU active cycles");
  EXPECT_GT(capture.clock.size(), 1U);
}

}  // namespace
}  // namespace tilebound::ingest::perfetto
