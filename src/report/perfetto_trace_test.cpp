#include "report/perfetto_trace.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "base/proto_reader.h"

namespace tilebound::report {
namespace {

using base::bytes_tag;
using base::double_tag;
using base::varint_tag;

struct Event {
  std::uint64_t type = 0;
  std::string track;
  std::string name;
  std::uint64_t time = 0;
  double value = 0;
};

/// What a viewer sees: events with the names of their tracks.
struct Decoded {
  std::vector<Event> events;
  std::map<std::uint64_t, std::string> tracks;
  std::size_t packets = 0;

  std::vector<Event> of(const std::string& track) const {
    std::vector<Event> out;
    for (const Event& event : events) {
      if (event.track == track) out.push_back(event);
    }
    return out;
  }
};

void decode_track(std::string_view bytes, Decoded& out) {
  std::uint64_t uuid = 0;
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    if (reader.tag() == varint_tag(1)) uuid = reader.number();
    if (reader.tag() == bytes_tag(2)) {
      EXPECT_TRUE(out.tracks.emplace(uuid, reader.bytes()).second) << "uuid twice";
    }
  }
}

Event decode_event(std::string_view bytes, const Decoded& known) {
  Event event;
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    if (reader.tag() == varint_tag(9)) event.type = reader.number();
    if (reader.tag() == varint_tag(11)) event.track = known.tracks.at(reader.number());
    if (reader.tag() == bytes_tag(23)) event.name = reader.bytes();
    if (reader.tag() == double_tag(44)) event.value = reader.real();
  }
  return event;
}

Decoded decode(const model::Capture& capture, const analyze::Analysis& analysis) {
  std::string bytes;
  perfetto_tracks(capture, analysis, [&bytes](std::string_view packet) { bytes += packet; });
  Decoded out;
  base::ProtoReader trace(bytes);
  while (trace.next()) {
    std::uint64_t sequence = 0;
    std::uint64_t time = 0;
    std::uint64_t flags = 0;
    std::string_view event;
    base::ProtoReader packet(trace.bytes());
    while (packet.next()) {
      if (packet.tag() == varint_tag(8)) time = packet.number();
      if (packet.tag() == varint_tag(10)) sequence = packet.number();
      if (packet.tag() == varint_tag(13)) flags = packet.number();
      if (packet.tag() == bytes_tag(60)) decode_track(packet.bytes(), out);
      if (packet.tag() == bytes_tag(11)) event = packet.bytes();
    }
    EXPECT_TRUE(packet.intact());
    EXPECT_EQ(sequence, capture.insertion.unused_sequence);
    EXPECT_EQ(flags, out.packets == 0 ? 1U : 0U);
    ++out.packets;
    if (event.empty()) continue;
    out.events.push_back(decode_event(event, out));
    out.events.back().time = time;
  }
  EXPECT_TRUE(trace.intact());
  return out;
}

model::Capture table() {
  model::Capture capture;
  capture.format = "csv-wide";
  capture.insertion.unused_sequence = 9;
  model::TimeAxis& axis = capture.axes.emplace_back();
  for (std::int64_t ms = -5; ms <= 15; ++ms) axis.stamps_ns.push_back(ms * 1'000'000);
  for (const char* name : {"GPU active cycles", "Same", "Same"}) {
    model::Counter counter;
    counter.name = name;
    counter.axis = 0;
    for (std::size_t i = 0; i < axis.size(); ++i) {
      counter.values.push_back(i == 7 ? std::nan("") : 1000.0 * static_cast<double>(i));
    }
    capture.counters.push_back(std::move(counter));
  }
  return capture;
}

TEST(PerfettoTracks, CountersOfATableAreTracksFromTheirBeginOn) {
  const model::Capture capture = table();
  const Decoded got = decode(capture, analyze::analyze(capture, {}));
  const std::vector<Event> active = got.of("GPU active cycles");
  // The first sample has no begin, the eighth no value: neither becomes 0.
  ASSERT_EQ(active.size(), 19U);
  EXPECT_EQ(active[0].time, 0U);  // of the sample from -5 ms on
  EXPECT_EQ(active[0].value, 1000);
  EXPECT_EQ(active[6].time, 7'000'000U);
  EXPECT_EQ(active[6].value, 8000);
  EXPECT_EQ(got.of("Same").size(), 38U);
}

TEST(PerfettoTracks, SlicesNestAndBoundariesMeet) {
  const model::Capture capture = table();
  analyze::Analysis analysis = analyze::analyze(capture, {});
  const auto ms = [](std::int64_t t) { return base::Nanoseconds{t * 1'000'000}; };
  analysis.frames.list = {{ms(-4), ms(0)}, {ms(-1), ms(4)}, {ms(3), ms(8)}};
  model::Finding finding;
  finding.title = "first";
  analysis.findings = {finding, finding};
  const Decoded got = decode(capture, analysis);
  const std::vector<Event> frames = got.of("Tilebound frames");
  ASSERT_EQ(frames.size(), 6U);
  EXPECT_EQ(frames[0].time, 1'000'000U);
  EXPECT_EQ(frames[1].time, 5'000'000U);
  EXPECT_EQ(frames[2].time, 5'000'000U);
  EXPECT_EQ(frames[2].name, "Frame 2");
  EXPECT_EQ(frames[5].time, 13'000'000U);
  std::map<std::string, int> depth;
  for (const Event& event : got.events) {
    if (event.type == 1) ++depth[event.track];
    if (event.type == 2) --depth[event.track];
    EXPECT_GE(depth[event.track], 0);
  }
  for (const auto& [track, open] : depth) {
    EXPECT_EQ(open, track == "Tilebound not recorded" ? 1 : 0) << track;
  }
}

}  // namespace
}  // namespace tilebound::report
