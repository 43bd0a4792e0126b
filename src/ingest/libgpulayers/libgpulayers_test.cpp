#include <cmath>
#include <gtest/gtest.h>

#include "base/error.h"
#include "ingest/test_input.h"

namespace tilebound::ingest {
namespace {

using test::count_notes;
using test::find;
using test::read_text;

constexpr char kWorkloads[] =
    "Index,Workload type,Non-fragment queue active cycles,Fragment queue active cycles,"
    "External read bytes,Label\r\n"
    "0,renderpass,1000.00,90000.00,1048576.00,Frame|Shadow map\r\n"
    "1,dispatch,5000.00,0.00,4096.00,\"Frame|Light, culling\"\r\n"
    "2,renderpass,2000.00,40000.50,65536.00,\r\n";

TEST(LibGpuLayers, WorkloadsFollowEachOther) {
  const model::Capture capture = read_text(kWorkloads);
  EXPECT_EQ(capture.format, "libgpulayers-csv");
  ASSERT_EQ(capture.counters.size(), 3u);
  EXPECT_EQ(capture.axes[0].interval(0), (base::Interval{{0}, {91000}}));
  EXPECT_EQ(capture.axes[0].interval(1), (base::Interval{{91000}, {96000}}));
  ASSERT_EQ(capture.render_stages.size(), 3u);
  EXPECT_EQ(capture.render_stages[0].label, "Frame|Shadow map");
  EXPECT_EQ(capture.render_stages[1].label, "Frame|Light, culling");
  EXPECT_EQ(capture.render_stages[1].stage, "dispatch");
  EXPECT_EQ(capture.render_stages[2].duration_ns, 42001);
  EXPECT_EQ(capture.system.at("time_base"), "gpu-cycles");
  EXPECT_EQ(count_notes(capture, "serialised_workloads"), 1u);
  EXPECT_TRUE(capture.clock.empty());
  EXPECT_EQ(find(capture, "External read bytes")->values.sum(), 1118208);
}

TEST(LibGpuLayers, DurationColumnIsTime) {
  const model::Capture capture = read_text(
      "Index,Workload type,Duration (us),Fragment queue active cycles,Label\n"
      "0,renderpass,1.5,90000.00,A\n");
  EXPECT_EQ(capture.render_stages[0].duration_ns, 1500);
  EXPECT_EQ(capture.system.at("time_base"), "serialised");
}

TEST(LibGpuLayers, FrameTables) {
  const model::Capture capture = read_text(
      "Frame ID,Fragment queue active cycles,Input "
      "primitives\n600,1000.00,5.00\n1200,2000.00,6.00\n");
  EXPECT_EQ(find(capture, "Frame ID")->kind, model::CounterKind::level);
  EXPECT_EQ(find(capture, "Frame ID")->values.at(1), 1200);
  EXPECT_TRUE(capture.render_stages.empty());
  EXPECT_EQ(capture.axes[0].interval(1), (base::Interval{{1000}, {3000}}));
}

TEST(LibGpuLayers, CutAndDamagedRows) {
  std::string text = kWorkloads;
  text.resize(text.size() - 12);
  EXPECT_EQ(count_notes(read_text(text), "truncated"), 1u);
  const model::Capture odd = read_text(std::string(kWorkloads) + "3,renderpass,1e300,-5,x,\n4,a\n");
  EXPECT_EQ(count_notes(odd, "unlikely_length"), 1u);
  EXPECT_EQ(count_notes(odd, "bad_cell"), 1u);
  EXPECT_EQ(count_notes(odd, "ragged_row"), 1u);
  EXPECT_THROW(read_text("Index,Workload type,Label\n"), base::InputError);
}

}  // namespace
}  // namespace tilebound::ingest
