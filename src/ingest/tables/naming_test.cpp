#include "ingest/tables/naming.h"

#include <gtest/gtest.h>

namespace tilebound::ingest::tables {
namespace {

using model::CounterKind;

CounterKind kind(std::string_view name) {
  return kind_of(name, unit_in_name(name));
}

TEST(Naming, Kinds) {
  for (const auto* name :
       {"% Shaders Busy", "GPU % Bus Busy", "Load (%)", "Tiler utilization",
        "L2 cache read miss percentage", "Mali ZS Unit Test Rate:Early ZS kill rate",
        "Fragment warp occupancy"}) {
    EXPECT_EQ(kind(name), CounterKind::percent) << name;
  }
  for (const auto* name : {"Clocks / Second", "Preemptions / second", "Pre-clipped Polygons/Second",
                           "Read Total (Bytes/sec)", "Fragment ALU Instructions / Sec (Full)",
                           "Bandwidth (MB/s)", "Reads per second"}) {
    EXPECT_EQ(kind(name), CounterKind::rate) << name;
  }
  for (const auto* name :
       {"GPU Frequency", "GPU clock (MHz)", "Skin temperature", "Textures / Fragment",
        "L1 Texture Cache Miss Per Pixel", "Avg Preemption Delay", "Frame rate",
        "Average Polygon Area", "Mali Constants:Shader core count"}) {
    EXPECT_EQ(kind(name), CounterKind::level) << name;
  }
  for (const auto* name :
       {"$MaliGPUActiveCy", "GPU active cycles", "Load/store unit issues",
        "Output external outstanding reads 0-25%", "External read bytes", "Shader clock cycles"}) {
    EXPECT_EQ(kind(name), CounterKind::count) << name;
  }
}

TEST(Naming, Units) {
  EXPECT_EQ(unit_in_name("Read Total (Bytes/sec)"), "Bytes/sec");
  EXPECT_EQ(unit_in_name("GPU frequency [MHz]"), "MHz");
  EXPECT_EQ(unit_in_name("Instructions / Sec (Full)"), "");
  EXPECT_EQ(unit_in_name("% Busy (all)"), "%");
  EXPECT_EQ(unit_in_name("0-25% outstanding"), "");
}

TEST(Naming, Times) {
  for (const auto* name : {"Time", "Time (s)", "timestamp_ns", "ts", "TS [us]", "Elapsed Time (ms)",
                           "seconds", "bin start time"}) {
    EXPECT_TRUE(is_time_name(name)) << name;
  }
  for (const auto* name : {"GPU time (ms)", "% Time Compute", "Frame time", "Texture", "", "App"}) {
    EXPECT_FALSE(is_time_name(name)) << name;
  }
  EXPECT_EQ(time_unit_in_name("Time (ms)"), 1'000'000);
  EXPECT_EQ(time_unit_in_name("time_ns"), 1);
  EXPECT_FALSE(time_unit_in_name("Time"));
}

TEST(Naming, GpuClocks) {
  for (const auto* name : {"GPU Frequency", "gpufreq", "GPU clock (MHz)", "VrApi GPU frequency"}) {
    EXPECT_TRUE(is_gpu_clock(name)) << name;
  }
  for (const auto* name : {"GPU max frequency", "GPU clock cycles", "CPU frequency",
                           "Clocks / Second", "GPU memory clock"}) {
    EXPECT_FALSE(is_gpu_clock(name)) << name;
  }
  EXPECT_EQ(clock_in_hertz(525, "MHz")->value, 525e6);
  EXPECT_EQ(clock_in_hertz(525, "")->value, 525e6);
  EXPECT_EQ(clock_in_hertz(637000, "")->value, 637e6);
  EXPECT_EQ(clock_in_hertz(525000000, "")->value, 525e6);
  EXPECT_EQ(clock_in_hertz(0, "")->value, 0);
  EXPECT_FALSE(clock_in_hertz(-1, "MHz"));
}

}  // namespace
}  // namespace tilebound::ingest::tables
