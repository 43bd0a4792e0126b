// What a trace says beside counter samples: frequencies, render stages, configuration, losses.

#include <gtest/gtest.h>

#include "ingest/perfetto/trace_builder.h"

namespace tilebound::ingest::perfetto {
namespace {

/// An ftrace bundle with one event; `trailer` adds fields of the bundle.
std::string bundle(std::uint64_t time, std::uint32_t field, const std::string& payload,
                   const std::function<void(pbf_writer&)>& trailer = {}) {
  return message([&](pbf_writer& out) {
    out.add_uint32(1, 0);
    {
      pbf_writer event(out, 2);
      event.add_uint64(1, time);
      event.add_uint32(2, 77);
      event.add_message(field, payload);
    }
    if (trailer) trailer(out);
  });
}

std::string pair(std::uint64_t first, std::uint64_t second) {
  return message([&](pbf_writer& out) {
    out.add_uint64(1, first);
    out.add_uint64(2, second);
  });
}

std::string devfreq(const std::string& name, std::uint64_t hertz) {
  return message([&](pbf_writer& out) {
    out.add_string(1, name);
    out.add_uint64(2, hertz);
  });
}

TEST(PerfettoFrequency, EachSourceInItsUnitAndInOthers) {
  Trace trace;
  std::uint64_t t = 1000;
  trace.packet({}, 1, bundle(t++, 332, pair(0, 585000)));     // kHz
  trace.packet({}, 1, bundle(t++, 332, pair(1, 400000000)));  // Hz, by magnitude
  trace.packet({}, 1, bundle(t++, 509, pair(315000000, 0)));  // Hz
  trace.packet({}, 1, bundle(t++, 509, pair(315000, 0)));     // kHz, by magnitude
  trace.packet({}, 1, bundle(t++, 509, pair(315, 0)));        // MHz, by magnitude
  trace.packet({}, 1, bundle(t++, 541, devfreq("28000000.mali", 800000000)));
  trace.packet({}, 1, bundle(t++, 541, devfreq("3d00000.qcom,kgsl-3d0", 500000000)));
  trace.packet({}, 1, bundle(t++, 541, devfreq("soc:cpu-ddr", 999000000)));
  trace.packet({.time = t++}, 129, pair(2, 700000));
  trace.packet({}, 1, bundle(t++, 332, pair(0, 0)));  // off
  const model::Capture capture = read_trace(trace);
  const std::vector<std::pair<std::uint32_t, double>> expected = {
      {0, 585e6}, {1, 400e6}, {0, 315e6}, {0, 315e6}, {0, 315e6},
      {0, 800e6}, {0, 500e6}, {2, 700e6}, {0, 0}};
  ASSERT_EQ(capture.clock.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(capture.clock[i].gpu, expected[i].first) << i;
    EXPECT_EQ(capture.clock[i].frequency.value, expected[i].second) << i;
  }
  EXPECT_EQ(capture.clock[0].time_ns, 1000);
}

TEST(PerfettoFrequency, BundleNamesItsClock) {
  Trace trace;
  trace.packet({.sequence = 1}, 6, message([](pbf_writer& out) {
                 for (const auto& [id, value] : {std::pair{6U, 5000U}, {5U, 100U}}) {
                   pbf_writer clock(out, 1);
                   clock.add_uint32(1, id);
                   clock.add_uint64(2, value);
                 }
               }));
  trace.packet({}, 1, bundle(10, 332, pair(0, 500000), [](pbf_writer& out) {
                 out.add_uint32(5, 2);
                 out.add_int64(6, 7);
                 out.add_int64(7, 9007);
               }));
  trace.packet({}, 1,
               bundle(110, 332, pair(0, 600000), [](pbf_writer& out) { out.add_uint32(5, 4); }));
  trace.packet({}, 1,
               bundle(20, 332, pair(0, 700000), [](pbf_writer& out) { out.add_uint32(5, 3); }));
  const model::Capture capture = read_trace(trace);
  ASSERT_EQ(capture.clock.size(), 3U);
  EXPECT_EQ(capture.clock[0].time_ns, 20);    // a clock that nothing ties
  EXPECT_EQ(capture.clock[1].time_ns, 5010);  // raw monotonic, by snapshot
  EXPECT_EQ(capture.clock[2].time_ns, 9010);  // by the bundle's own offset
  EXPECT_EQ(noted(capture, "unconverted_clock"), 1U);
}

TEST(PerfettoFrequency, OtherGpuEventsAreCounted) {
  Trace trace;
  trace.packet({}, 1, bundle(10, 488, pair(0, 1000)));
  trace.packet({}, 1, bundle(20, 548, pair(1, 2)));
  trace.packet({}, 1, bundle(30, 4, pair(1, 2), [](pbf_writer& out) { out.add_bool(3, true); }));
  trace.packet({}, 7, "").packet({}, 2, "").packet({}, 2, "").packet({}, 940, "");
  const model::Capture capture = read_trace(trace);
  const std::map<std::string, std::uint64_t> expected = {
      {"ftrace", 3},    {"ftrace gpu_work_period", 1}, {"ftrace mali_gpu_power_state", 1},
      {"sys_stats", 1}, {"process_tree", 2},           {"unknown", 1}};
  EXPECT_EQ(capture.other_content, expected);
  EXPECT_TRUE(capture.counters.empty());
  EXPECT_EQ(noted(capture, "lost_packets"), 1U);
}

std::string specification(std::uint64_t iid, const std::string& name) {
  return message([&](pbf_writer& out) {
    pbf_writer entry(out, 24);
    entry.add_uint64(1, iid);
    entry.add_string(2, name);
  });
}

TEST(PerfettoRenderStages, InternedNamesMayComeLateAndBelongToTheirState) {
  const auto stage = [](std::uint64_t queue, std::uint64_t kind) {
    return message([&](pbf_writer& out) {
      out.add_uint64(2, 10);
      out.add_uint64(13, queue);
      out.add_uint64(14, kind);
      out.add_uint64(8, 111);
      out.add_uint64(9, 222);
      out.add_uint64(12, 333);
      out.add_uint32(10, 4);
      out.add_int32(11, 1);
      pbf_writer extra(out, 6);
      extra.add_string(1, "Labels");
      extra.add_string(2, "Shadow");
    });
  };
  Trace trace;
  trace.packet({.time = 300, .flags = 1, .interned = specification(1, "fragment")}, 53,
               stage(1, 2));
  trace.packet({.flags = 0, .interned = specification(2, "render")});
  trace.packet({.time = 100, .flags = 3, .interned = specification(1, "compute")}, 53, stage(1, 2));
  trace.packet({.time = 200, .sequence = 5, .flags = 2}, 53, stage(1, 2));  // no state
  const model::Capture capture = read_trace(trace);
  ASSERT_EQ(capture.render_stages.size(), 2U);
  EXPECT_EQ(capture.render_stages[0].begin_ns, 100);
  EXPECT_EQ(capture.render_stages[0].queue, "compute");
  EXPECT_EQ(capture.render_stages[0].stage, "stage 2");
  EXPECT_EQ(capture.render_stages[1].queue, "fragment");
  EXPECT_EQ(capture.render_stages[1].stage, "render");
  EXPECT_EQ(capture.render_stages[1].label, "Shadow");
  EXPECT_EQ(capture.render_stages[1].duration_ns, 10);
  EXPECT_EQ(capture.render_stages[1].gpu, 1U);
  EXPECT_EQ(capture.render_stages[1].render_target, 111U);
  EXPECT_EQ(capture.render_stages[1].render_pass, 222U);
  EXPECT_EQ(capture.render_stages[1].command_buffer, 333U);
  EXPECT_EQ(capture.render_stages[1].submission, 4U);
  EXPECT_EQ(noted(capture, "unnamed_stage"), 1U);
  EXPECT_EQ(noted(capture, "incremental_state_lost"), 1U);
}

TEST(PerfettoRenderStages, InlineSpecificationsNameByPlace) {
  const auto stage = [](std::int32_t queue, std::int32_t kind) {
    return message([&](pbf_writer& out) {
      out.add_uint64(2, 5);
      out.add_int32(3, queue);
      out.add_int32(4, kind);
    });
  };
  const std::string specifications = message([](pbf_writer& out) {
    pbf_writer inner(out, 7);
    for (const char* name : {"vertex", "fragment"}) {
      pbf_writer queue(inner, 2);
      queue.add_string(1, name);
    }
    pbf_writer kind(inner, 3);
    kind.add_string(1, "render");
  });
  Trace trace;
  trace.packet({.time = 10}, 53, stage(1, 0));
  trace.packet({}, 53, specifications).packet({}, 53, specifications);
  trace.packet({.time = 20}, 53, stage(-1, 7));
  trace.packet({}, 53, stage(0, 0));
  const model::Capture capture = read_trace(trace);
  ASSERT_EQ(capture.render_stages.size(), 2U);
  EXPECT_EQ(capture.render_stages[0].queue, "fragment");
  EXPECT_EQ(capture.render_stages[0].stage, "render");
  EXPECT_EQ(capture.render_stages[1].queue, "queue -1");
  EXPECT_EQ(capture.render_stages[1].stage, "stage 7");
  EXPECT_EQ(noted(capture, "stage_without_time"), 1U);
}

TEST(PerfettoMetadata, ConfigurationSystemAndGpus) {
  Trace trace;
  trace.packet({}, 33, message([](pbf_writer& out) {
                 for (const char* name : {"linux.ftrace", "gpu.counters.adreno"}) {
                   pbf_writer source(out, 2);
                   pbf_writer config(source, 1);
                   config.add_string(1, name);
                   if (std::string_view(name).starts_with("gpu")) {
                     pbf_writer counters(config, 108);
                     counters.add_uint64(1, 1'000'000);
                     counters.add_uint32(2, 141);
                     const std::uint32_t more[] = {106, 7};
                     counters.add_packed_uint32(2, std::begin(more), std::end(more));
                     counters.add_string(6, "GPU active");
                   }
                 }
                 out.add_uint32(3, 5000);
               }));
  trace.packet({}, 45, message([](pbf_writer& out) {
                 {
                   pbf_writer names(out, 1);
                   names.add_string(1, "Linux");
                   names.add_string(3, "5.10");
                 }
                 out.add_string(2, "maker/phone:14");
                 out.add_uint64(5, 34);
                 out.add_string(9, "GS201");
                 out.add_string(14, "Google");
               }));
  trace.packet({}, 128, message([](pbf_writer& out) {
                 for (const char* name : {"Mali-G710", "Mali-G78"}) {
                   pbf_writer gpu(out, 1);
                   gpu.add_string(1, name);
                 }
               }));
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(capture.request.data_sources,
            (std::vector<std::string>{"linux.ftrace", "gpu.counters.adreno"}));
  EXPECT_TRUE(capture.request.gpu_counters);
  EXPECT_EQ(capture.request.counter_ids, (std::vector<std::uint32_t>{141, 106, 7}));
  EXPECT_EQ(capture.request.counter_names, (std::vector<std::string>{"GPU active"}));
  EXPECT_EQ(capture.request.period_ns, 1'000'000);
  EXPECT_EQ(capture.request.duration_ns, 5'000'000'000);
  const std::map<std::string, std::string> system = {{"build_fingerprint", "maker/phone:14"},
                                                     {"kernel", "5.10"},
                                                     {"manufacturer", "Google"},
                                                     {"sdk", "34"},
                                                     {"soc_model", "GS201"}};
  EXPECT_EQ(capture.system, system);
  EXPECT_EQ(capture.gpu_names, (std::vector<std::string>{"Mali-G710", "Mali-G78"}));
  EXPECT_TRUE(capture.other_content.empty());
}

TEST(PerfettoMetadata, LossesOfTheServiceAndOfWriters) {
  const auto stats = [](std::uint64_t overwritten) {
    return message([&](pbf_writer& out) {
      for (int i = 0; i < 2; ++i) {
        pbf_writer buffer(out, 1);
        buffer.add_uint64(3, overwritten);
        buffer.add_uint64(19, 1);
      }
    });
  };
  Trace trace;
  trace.packet({.time = 10, .dropped = 1}, 52, counter_event({whole(1, 1)}));  // first: no loss
  trace.packet({.time = 20}, 52, counter_event({whole(1, 1)}));
  trace.packet({.time = 30, .dropped = 64}, 52, counter_event({whole(1, 1)}));
  trace.packet({.sequence = 1}, 35, stats(3)).packet({.sequence = 1}, 35, stats(5));
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(series(capture, 1).values.size(), 3U);
  EXPECT_EQ(noted(capture, "lost_packets"), 1U + 10U + 2U);
}

}  // namespace
}  // namespace tilebound::ingest::perfetto
