#include <cmath>
#include <gtest/gtest.h>

#include "base/error.h"
#include "ingest/ovrgpuprofiler/wall_clock.h"
#include "ingest/test_input.h"

namespace tilebound::ingest {
namespace {

using test::count_notes;
using test::extra_file;
using test::find;
using test::read_text;

constexpr std::int64_t kSecond = 1'000'000'000;

std::string block(const std::string& time, const std::string& mhz) {
  return time + " - GPU Frequency                              :   " + mhz + "000000.000\n" +  //
         time + " - % Shaders Busy                             :          92.752\n" +          //
         time + " - Read Total (Bytes/sec)                     :  1399313792.000\n" +          //
         time + " - L1 Texture Cache Miss Per Pixel            :           0.385\n" +          //
         time + " - \n";
}

TEST(Ovrgpuprofiler, ReadsTwelveAndTwentyFourHours) {
  using ovrgpuprofiler::parse_date_time;
  const auto noon = parse_date_time("12/15/2023 12:00:00 PM");
  ASSERT_TRUE(noon);
  EXPECT_EQ(*noon, 1702641600 * kSecond);
  EXPECT_EQ(parse_date_time("12/15/2023 12:00:00"), noon);
  EXPECT_EQ(parse_date_time("15/12/2023 12:00:00"), noon);
  EXPECT_EQ(*parse_date_time("12/15/2023 12:05:00 AM"),
            *noon - 12 * 3600 * kSecond + 300 * kSecond);
  EXPECT_EQ(parse_date_time("12/15/2023 3:16:20 PM"), parse_date_time("12/15/2023 15:16:20"));
  EXPECT_FALSE(parse_date_time("12/15/2023 15:16:20 PM"));
  EXPECT_FALSE(parse_date_time("2/30/2023 1:00:00 AM"));
}

TEST(Ovrgpuprofiler, KeepsNamesUnitsAndKinds) {
  const model::Capture capture =
      read_text(block("12/15/2023 3:16:20 PM", "525") + block("12/15/2023 3:16:21 PM", "490"));
  EXPECT_EQ(capture.format, "ovrgpuprofiler");
  EXPECT_EQ(capture.system.at("gpu_vendor"), "qualcomm");
  ASSERT_EQ(capture.counters.size(), 4u);
  EXPECT_EQ(find(capture, "% Shaders Busy")->kind, model::CounterKind::percent);
  const model::Counter* read = find(capture, "Read Total (Bytes/sec)");
  EXPECT_EQ(read->kind, model::CounterKind::rate);
  EXPECT_EQ(read->unit, "Bytes/sec");
  EXPECT_EQ(find(capture, "GPU Frequency")->kind, model::CounterKind::level);
  EXPECT_EQ(find(capture, "L1 Texture Cache Miss Per Pixel")->kind, model::CounterKind::level);
  ASSERT_EQ(capture.clock.size(), 2u);
  EXPECT_EQ(capture.clock[1].frequency.value, 490e6);
  // The second block's second begins where the first one's ended.
  EXPECT_EQ(capture.clock[1].time_ns, capture.axes[0].stamps_ns[0]);
  EXPECT_EQ(capture.axes[0].interval(0).length().value, kSecond);
}

TEST(Ovrgpuprofiler, SecondsThatRepeatOrAreSkipped) {
  const std::string first =
      block("12/15/2023 3:16:19 PM", "525") + block("12/15/2023 3:16:20 PM", "525");
  const model::Capture capture =
      read_text(first + block("12/15/2023 3:16:21 PM", "525") +
                block("12/15/2023 3:16:21 PM", "525") + block("12/15/2023 3:16:24 PM", "525"));
  ASSERT_EQ(capture.axes[0].size(), 5u);
  EXPECT_EQ(count_notes(capture, "repeated_stamp"), 1u);
  EXPECT_EQ(count_notes(capture, "gap"), 1u);
  EXPECT_TRUE(capture.axes[0].interval(3).empty());
  EXPECT_EQ(capture.axes[0].interval(4).length().value, kSecond);
}

TEST(Ovrgpuprofiler, BlocksWithoutSeparatorSplitWhereAMetricComesAgain) {
  const std::string time = "12/15/2023 3:16:20 PM";
  std::string text;
  for (int i = 0; i < 3; ++i) text += time + " - GPU Frequency : 525000000.000\n";
  EXPECT_EQ(read_text(text).axes[0].size(), 3u);
}

TEST(Ovrgpuprofiler, LastBlockCutShortIsSaid) {
  std::string text = block("12/15/2023 3:16:20 PM", "525") + block("12/15/2023 3:16:21 PM", "525");
  text.resize(text.size() - 120);
  const model::Capture capture = read_text(text);
  EXPECT_EQ(count_notes(capture, "truncated"), 1u);
  EXPECT_TRUE(std::isnan(find(capture, "L1 Texture Cache Miss Per Pixel")->values.at(1)));
}

TEST(Ovrgpuprofiler, RealRuns) {
  struct Run {
    const char* name;
    std::size_t samples;
  };
  for (const Run& run : {Run{"librnr_baseline_mq2_i1", 251}, Run{"librnr_record_mqp_i1", 253}}) {
    const std::string base = std::string("ovrgpuprofiler/") + run.name;
    const std::string metrics = extra_file(base + "_ovr_gpu_metrics.log");
    const std::string logcat = extra_file(base + "_logcat_VrApi.log");
    if (metrics.empty()) GTEST_SKIP() << "no extra data";
    model::Capture capture = read_text(metrics, "metrics");
    EXPECT_EQ(capture.counters.size(), 52u);
    ASSERT_EQ(capture.axes.size(), 1u);
    EXPECT_EQ(capture.axes[0].size(), run.samples);
    EXPECT_EQ(count_notes(capture, "gap") + count_notes(capture, "bad_cell"), 0u);
    for (const model::Counter& counter : capture.counters) {
      EXPECT_EQ(counter.values.size(), run.samples);
    }
    const auto own_clock = capture.clock.size();
    join(capture, read_text(logcat, "logcat"));
    EXPECT_EQ(capture.axes.size(), 2u);
    EXPECT_EQ(capture.clock.size(), own_clock);
    const model::Counter* app = find(capture, "VrApi App GPU time");
    ASSERT_NE(app, nullptr);
    EXPECT_EQ(app->axis, 1u);
    EXPECT_FALSE(base::overlap(capture.axes[0].interval(0), {{capture.axes[1].stamps_ns.front()},
                                                             {capture.axes[1].stamps_ns.back()}})
                     .empty());
  }
}

TEST(Ovrgpuprofiler, RealFirstBlockByHand) {
  const std::string metrics =
      extra_file("ovrgpuprofiler/librnr_baseline_mq2_i1_ovr_gpu_metrics.log");
  if (metrics.empty()) GTEST_SKIP() << "no extra data";
  const model::Capture capture = read_text(metrics);
  EXPECT_EQ(find(capture, "Clocks / Second")->values.at(0), 144574144);
  EXPECT_EQ(find(capture, "Clocks / Second")->kind, model::CounterKind::rate);
  EXPECT_EQ(find(capture, "GPU % Bus Busy")->values.at(0), 42.427);
  EXPECT_EQ(find(capture, "Fragment ALU Instructions / Sec (Full)")->kind,
            model::CounterKind::rate);
  EXPECT_EQ(find(capture, "Average Polygon Area")->values.at(0), 1117.978);
  EXPECT_EQ(find(capture, "Fragment Instructions / Second")->values.at(0), 32204025856);
  EXPECT_EQ(count_notes(capture, "wrapped_value"), 0u);
}

constexpr char kVrApi[] =
    "12-15 15:16:20.008  6685  7710 I VrApi   : FPS=73/72,Prd=0ms,Tear=0,Early=0,Stale=2,"
    "Stale2/5/10/max=1/0/0/2,VSnc=1,Lat=0,Fov=3,CPU4/GPU=5/4,1478/525MHz,OC=FF,TA=0/70/0,SP=N/F/N,"
    "Mem=1353MHz,Free=2429MB,PLS=0,Temp=32.2C/0.0C,TW=3.45ms,App=0.90ms,GD=0.27ms,CPU&GPU=13.87ms,"
    "LCnt=2(DR0,LM0),GPU%=0.35,CPU%=0.15(W0.23),DSF=1.00,CFL=15.48/21.19,ICFLp95=18.97,LD=0,"
    "SF=1.21,LP=0,DVFS=0\n";

TEST(VrApi, ReadsTheLine) {
  const model::Capture capture =
      read_text("--------- beginning of main\n" + std::string(kVrApi) +
                "12-15 15:16:20.500  6685  6718 W VrApi   : FrameIndex discontinuity\n");
  EXPECT_EQ(capture.format, "vrapi-logcat");
  ASSERT_EQ(capture.axes[0].size(), 1u);
  const auto value = [&](const char* name) { return find(capture, name)->values.at(0); };
  EXPECT_EQ(value("VrApi FPS"), 73);
  EXPECT_EQ(value("VrApi target FPS"), 72);
  EXPECT_EQ(value("VrApi stale frames"), 2);
  EXPECT_EQ(value("VrApi foveation"), 3);
  EXPECT_EQ(value("VrApi GPU frequency"), 525e6);
  EXPECT_EQ(value("VrApi CPU level"), 5);
  EXPECT_EQ(value("VrApi App GPU time"), 0.90);
  EXPECT_EQ(value("VrApi GPU utilisation"), 35);
  EXPECT_EQ(value("VrApi temperature"), 32.2);
  EXPECT_EQ(value("VrApi layers"), 2);
  EXPECT_EQ(value("VrApi ICFLp95"), 18.97);
  EXPECT_EQ(find(capture, "VrApi OC"), nullptr);
  ASSERT_EQ(capture.clock.size(), 1u);
  EXPECT_EQ(capture.clock[0].frequency.value, 525e6);
}

TEST(VrApi, JoinsByWallClockOnly) {
  model::Capture capture = read_text(block("12/15/2023 3:16:20 PM", "525"), "metrics.log");
  model::Capture other = read_text(block("12/15/2023 5:16:20 PM", "525"), "other.log");
  join(capture, read_text(kVrApi, "logcat"));
  EXPECT_EQ(capture.axes[1].stamps_ns[0], capture.axes[0].stamps_ns[0] + 8'000'000);
  try {
    join(other, read_text(kVrApi, "logcat"));
    FAIL() << "spans two hours apart were joined";
  } catch (const base::InputError& e) {
    const std::string what = e.what();
    EXPECT_NE(what.find("2023-12-15 15:16:19 to 2023-12-15 15:16:20"), std::string::npos) << what;
    EXPECT_NE(what.find("2023-12-15 17:16:19"), std::string::npos) << what;
  }
  model::Capture table = read_text("Time (s),A\n0,1\n1,2\n", "table.csv");
  EXPECT_THROW(join(table, read_text(kVrApi)), base::InputError);
}

TEST(VrApi, NewYearsEve) {
  std::string late = kVrApi, early = kVrApi;
  late.replace(0, 14, "12-31 23:59:59");
  early.replace(0, 14, "01-01 00:00:00");
  const model::Capture capture = read_text(late + early);
  EXPECT_EQ(count_notes(capture, "out_of_order"), 0u);
  EXPECT_EQ(capture.axes[0].stamps_ns[1] - capture.axes[0].stamps_ns[0], kSecond);
  model::Capture main = read_text(block("1/1/2024 12:00:00 AM", "525"));
  join(main, read_text(late + early));
  EXPECT_EQ(ovrgpuprofiler::show_time(main.axes[1].stamps_ns[0]), "2023-12-31 23:59:59");
}

}  // namespace
}  // namespace tilebound::ingest
