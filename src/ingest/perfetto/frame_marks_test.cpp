#include <gtest/gtest.h>

#include "ingest/perfetto/trace_builder.h"

namespace tilebound::ingest::perfetto {
namespace {

using model::FrameMark;
using model::FrameMarkKind;

constexpr std::uint32_t kTimeline = 76;
constexpr std::uint32_t kBuffer = 57;
constexpr std::uint32_t kMonotonic = 3;

/// Field numbers of FrameTimelineEvent: 1..4 expected and actual starts, 5 the end.
std::string surface_frame(std::int64_t cookie, std::int64_t token, const std::string& layer,
                          std::uint32_t present_type = 1, std::uint32_t field = 4) {
  return message([&](pbf_writer& out) {
    pbf_writer frame(out, field);
    frame.add_int64(1, cookie);
    frame.add_int64(2, token);
    frame.add_int32(4, 77);
    frame.add_string(5, layer);
    frame.add_enum(6, static_cast<std::int32_t>(present_type));
  });
}
std::string frame_end(std::int64_t cookie) {
  return message([&](pbf_writer& out) { pbf_writer(out, 5).add_int64(1, cookie); });
}
std::string buffer_event(std::uint32_t number, std::int32_t type, std::uint64_t duration,
                         const std::string& layer) {
  return message([&](pbf_writer& out) {
    pbf_writer event(out, 1);
    event.add_uint32(1, number);
    event.add_enum(2, type);
    event.add_string(3, layer);
    event.add_uint64(4, duration);
  });
}

TEST(FrameMarks, StartAndEndJoinByCookie) {
  Trace trace;
  trace.packet({.time = 1000}, kTimeline, surface_frame(1, 10, "game"));
  trace.packet({.time = 1500}, kTimeline, surface_frame(2, 11, "game", 4));
  trace.packet({.time = 1100}, kTimeline, surface_frame(9, 10, "game", 1, 3));  // expected
  trace.packet({.time = 2500}, kTimeline, frame_end(2));
  trace.packet({.time = 2000}, kTimeline, frame_end(1));
  trace.packet({.time = 2100}, kTimeline, frame_end(9));
  trace.packet({.time = 2600}, kTimeline, surface_frame(3, 12, "game"));
  const model::Capture capture = read_trace(trace);
  ASSERT_EQ(capture.surfaces.size(), 1U);
  EXPECT_EQ(capture.surfaces[0].layer, "game");
  EXPECT_EQ(capture.surfaces[0].pid, 77);
  ASSERT_EQ(capture.frame_marks.size(), 2U);
  EXPECT_EQ(capture.frame_marks[0].begin_ns, 1000);
  EXPECT_EQ(capture.frame_marks[0].end_ns, 2000);
  EXPECT_EQ(capture.frame_marks[0].number, 10);
  EXPECT_FALSE(capture.frame_marks[0].dropped);
  EXPECT_TRUE(capture.frame_marks[1].dropped);
  EXPECT_EQ(noted(capture, "frame_without_end"), 1U);
  EXPECT_EQ(capture.other_content.at("frame_timeline_event"), 7U);
}

TEST(FrameMarks, DisplayFramesHaveTheirOwnFields) {
  Trace trace;
  trace.packet({.time = 1000}, kTimeline, message([](pbf_writer& out) {
                 pbf_writer frame(out, 2);
                 frame.add_int64(1, 5);
                 frame.add_int64(2, 40);
                 frame.add_int32(3, 500);
                 frame.add_enum(4, 4);
               }));
  trace.packet({.time = 3000}, kTimeline, frame_end(5));
  const model::Capture capture = read_trace(trace);
  ASSERT_EQ(capture.frame_marks.size(), 1U);
  EXPECT_EQ(capture.frame_marks[0].kind, FrameMarkKind::display);
  EXPECT_TRUE(capture.frame_marks[0].dropped);
  EXPECT_EQ(capture.surfaces[0].pid, 500);
}

TEST(FrameMarks, FencesEndAfterTheirDuration) {
  Trace trace;
  trace.packet({.time = 1000}, kBuffer, buffer_event(7, 4, 300, "game"));
  trace.packet({.time = 1600}, kBuffer, buffer_event(7, 8, 0, "game"));
  trace.packet({.time = 900}, kBuffer, buffer_event(7, 2, 0, "game"));  // queued: no fence
  const model::Capture capture = read_trace(trace);
  ASSERT_EQ(capture.frame_marks.size(), 2U);
  EXPECT_EQ(capture.frame_marks[0].kind, FrameMarkKind::gpu_done);
  EXPECT_EQ(capture.frame_marks[0].end_ns, 1300);
  EXPECT_EQ(capture.frame_marks[1].kind, FrameMarkKind::presented);
  EXPECT_EQ(capture.frame_marks[1].end_ns, 1600);
  EXPECT_EQ(capture.frame_marks[1].number, 7);
}

TEST(FrameMarks, AreTiedToBoottimeLikeEveryPacket) {
  Trace trace;
  trace.clocks({{6, 1'000'000}, {kMonotonic, 400'000}});
  trace.packet({.time = 500'000, .clock = kMonotonic}, kTimeline, surface_frame(1, 10, "game"));
  trace.packet({.time = 600'000, .clock = kMonotonic}, kTimeline, frame_end(1));
  trace.packet({.time = 500'000, .clock = kMonotonic}, kBuffer, buffer_event(7, 4, 50'000, "game"));
  const model::Capture capture = read_trace(trace);
  ASSERT_EQ(capture.frame_marks.size(), 2U);
  EXPECT_EQ(capture.frame_marks[0].end_ns, 1'150'000);
  EXPECT_EQ(capture.frame_marks[1].begin_ns, 1'100'000);
  EXPECT_EQ(capture.frame_marks[1].end_ns, 1'200'000);
}

TEST(FrameMarks, DamageAndMissingTimesAreTold) {
  Trace trace;
  trace.packet({}, kTimeline, surface_frame(1, 10, "game"));
  trace.packet({.time = 1}, kTimeline, std::string("\x22\x05\x08\x01", 4));
  trace.packet({.time = 1}, kBuffer, std::string("\x0a\x09\x08", 3));
  const model::Capture capture = read_trace(trace);
  EXPECT_TRUE(capture.frame_marks.empty());
  EXPECT_EQ(noted(capture, "frame_without_time"), 1U);
  EXPECT_EQ(noted(capture, "damaged_packet"), 2U);
}

}  // namespace
}  // namespace tilebound::ingest::perfetto
