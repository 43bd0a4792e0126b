#include <gtest/gtest.h>

#include "ingest/perfetto/trace_builder.h"

namespace tilebound::ingest::perfetto {
namespace {

TEST(Insertion, IsBehindTheFirstPacketThatTiesClocks) {
  Trace trace;
  trace.sample(1000, {whole(1, 5)});
  trace.clocks({{6, 1000}, {3, 500}});
  trace.packet({.time = 3000, .sequence = 41}, 52, counter_event({whole(1, 6)}));
  trace.clocks({{6, 2000}, {3, 1500}});
  const model::Capture capture = read_trace(trace);
  EXPECT_EQ(capture.insertion.at, trace.offsets[2]);
  EXPECT_EQ(capture.insertion.unused_sequence, 42U);
}

TEST(Insertion, IsAtTheBeginWithoutTiesAndAtTheEndBehindTheLastPacket) {
  Trace trace;
  trace.sample(1000, {whole(1, 5)});
  EXPECT_EQ(read_trace(trace).insertion.at, 0U);
  trace.clocks({{6, 1000}, {3, 500}});
  EXPECT_EQ(read_trace(trace).insertion.at, trace.bytes.size());
  const std::size_t whole_packets = trace.bytes.size();
  trace.sample(2000, {whole(1, 5)});
  trace.bytes.resize(trace.bytes.size() - 3);
  EXPECT_EQ(read_trace(trace).insertion.at, whole_packets);
}

TEST(Insertion, FindsASequenceIdThatIsNotTaken) {
  Trace trace;
  trace.packet({.time = 1, .sequence = 0xffffffff}, 52, counter_event({whole(1, 5)}));
  const std::uint32_t found = read_trace(trace).insertion.unused_sequence;
  EXPECT_NE(found, 0xffffffffU);
  EXPECT_NE(found, 0U);
}

}  // namespace
}  // namespace tilebound::ingest::perfetto
