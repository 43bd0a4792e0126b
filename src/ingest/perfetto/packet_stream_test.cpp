#include <algorithm>
#include <gtest/gtest.h>
#include <span>
#include <zlib.h>
#include <zstd.h>

#include "base/error.h"
#include "ingest/perfetto/trace_builder.h"
#include "ingest/perfetto/trace_reader.h"

namespace tilebound::ingest::perfetto {
namespace {

std::string deflated(const std::string& bytes, bool gzip = false) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, gzip ? 15 + 16 : 15, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  std::string in = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
  return out;
}

Trace samples(std::uint64_t from, std::uint64_t to) {
  Trace trace;
  for (std::uint64_t t = from; t < to; ++t) {
    trace.sample(1000 * t, {whole(1, static_cast<std::int64_t>(t)), real(2, 0.5)});
  }
  return trace;
}

std::string wrapped(std::uint32_t field, const std::string& payload) {
  return Trace().packet({}, field, payload).bytes;
}

TEST(PerfettoStream, ReadsPlainAndCompressedAlike) {
  const std::string head = Trace().describe({{1, "A"}, {2, "B"}}).bytes;
  const std::string first = samples(1, 500).bytes;
  const std::string second = samples(500, 1000).bytes;
  const model::Capture plain = read_bytes(head + first + second);
  EXPECT_EQ(series(plain, 1).values.size(), 999U);
  for (const std::string& bytes :
       {head + wrapped(50, deflated(first)) + wrapped(50, deflated(second)),
        wrapped(50, deflated(head + first, true)) + second,
        head + wrapped(133, zstd(first)) + wrapped(133, zstd(second))}) {
    const model::Capture capture = read_bytes(bytes);
    EXPECT_EQ(series(capture, 1), series(plain, 1));
    EXPECT_EQ(series(capture, 2), series(plain, 2));
    EXPECT_EQ(capture.counters[0].name, "A");
    EXPECT_TRUE(noted(capture, "damaged_packet") == 0);
  }
}

TEST(PerfettoStream, RefusesNestedCompression) {
  const std::string inner = wrapped(50, deflated(samples(1, 5).bytes));
  const model::Capture capture =
      read_bytes(wrapped(50, deflated(inner)) + wrapped(133, zstd(inner)) + samples(7, 9).bytes);
  EXPECT_EQ(noted(capture, "nested_compression"), 2U);
  EXPECT_EQ(series(capture, 1).values.size(), 2U);
}

TEST(PerfettoStream, KeepsWhatDamagedCompressionHeld) {
  const std::string whole_part = deflated(samples(1, 2000).bytes);
  std::string broken = whole_part;
  broken[broken.size() / 2] = static_cast<char>(broken[broken.size() / 2] ^ 0x55);
  for (const std::string& part : {broken, whole_part.substr(0, whole_part.size() / 2)}) {
    const std::string lead = samples(3000, 3002).bytes;
    const model::Capture capture = read_bytes(lead + wrapped(50, part) + samples(4000, 4002).bytes);
    EXPECT_GE(series(capture, 1).values.size(), 100U);
    EXPECT_EQ(series(capture, 1).stamps.back(), 4001000);
    EXPECT_GE(noted(capture, "damaged_packet"), 1U);
    EXPECT_NE(capture.notes.back().message.find(std::to_string(lead.size())), std::string::npos);
  }
  const std::string frame = zstd(samples(1, 20000).bytes);
  const model::Capture capture = read_bytes(wrapped(133, frame.substr(0, frame.size() - 10)));
  EXPECT_GE(noted(capture, "damaged_packet"), 1U);
}

/// Equal samples, which zstd packs into next to nothing.
TEST(PerfettoStream, BombsStopAtTheLimitAndCostNoMemory) {
  std::string block;
  while (block.size() < (std::size_t{1} << 20)) block += samples(1, 2).bytes;
  ZSTD_CStream* stream = ZSTD_createCStream();
  std::string bomb(std::size_t{4} << 20, '\0');
  ZSTD_outBuffer out{bomb.data(), bomb.size(), 0};
  for (int i = 0; i < 16; ++i) {
    ZSTD_inBuffer in{block.data(), block.size(), 0};
    while (in.pos < in.size) ASSERT_FALSE(ZSTD_isError(ZSTD_compressStream(stream, &out, &in)));
  }
  ZSTD_endStream(stream, &out);
  ZSTD_freeCStream(stream);
  bomb.resize(out.pos);
  const std::string bytes =
      samples(5, 6).bytes + wrapped(133, bomb) + wrapped(133, bomb) + wrapped(133, bomb);
  base::ByteSource source = base::ByteSource::from_memory("bomb", bytes);
  const model::Capture capture =
      TraceReader({.one = 3U << 20, .start = 4U << 20, .ratio = 1}).read(source);
  EXPECT_EQ(noted(capture, "expansion_limit"), 3U);
  EXPECT_EQ(series(capture, 1).values.size(), 2U);
  EXPECT_GT(noted(capture, "duplicate_sample"), 100'000U);
  EXPECT_EQ(noted(capture, "damaged_packet"), 0U);
}

TEST(PerfettoStream, NothingReadableIsAnErrorWithReasonAndOffset) {
  const auto reason = [](std::string_view bytes) -> std::string {
    try {
      read_bytes(bytes);
      return "";
    } catch (const base::InputError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(reason(""), "test: perfetto: byte 0: the file is empty");
  EXPECT_EQ(reason("hello, this is not a trace"),
            "test: perfetto: byte 0: no intact packet from here to the end");
  EXPECT_EQ(reason(samples(1, 2).bytes.substr(0, 9)),
            "test: perfetto: byte 0: the first packet runs past the end of the file");
}

TEST(PerfettoStream, EmptyPacketsAreLegal) {
  const std::string empty("\x0a\x00", 2);
  const model::Capture capture = read_bytes(empty + samples(1, 3).bytes + empty);
  EXPECT_EQ(series(capture, 1).values.size(), 2U);
  EXPECT_TRUE(capture.notes.size() == 1 && capture.notes[0].id == "unnamed_counters");
}

TEST(PerfettoStream, EveryCutGivesDataWithAnOffsetOrAReason) {
  Trace trace = samples(1, 12);
  trace.describe({{1, "A"}, {2, "B"}});
  trace.raw(message([](pbf_writer& out) { out.add_message(50, deflated(samples(20, 60).bytes)); }));
  for (std::size_t cut = 0; cut < trace.bytes.size(); ++cut) {
    const std::string part = trace.bytes.substr(0, cut);
    const auto next = std::upper_bound(trace.offsets.begin(), trace.offsets.end(), cut);
    const std::size_t packet = *(next - 1);
    try {
      const model::Capture capture = read_bytes(part);
      ASSERT_GT(packet, 0U);
      EXPECT_EQ(noted(capture, "truncated"), cut == packet ? 0U : 1U) << cut;
      for (const model::Note& note : capture.notes) {
        if (note.id != "truncated") continue;
        EXPECT_EQ(note.message.find("byte " + std::to_string(packet) + ":"), 0U) << note.message;
      }
      EXPECT_EQ(noted(capture, "damaged_packet"), 0U) << cut;
    } catch (const base::InputError& error) {
      EXPECT_EQ(packet, 0U) << cut;
      EXPECT_NE(std::string(error.what()).find("byte 0: "), std::string::npos);
    }
  }
}

TEST(PerfettoStream, SkipsDamagedPacketsAndGoesOn) {
  const Trace trace = samples(1, 30);
  // A payload that is no message: the frame holds, the packet is skipped.
  Trace inside = samples(1, 10);
  const std::size_t damaged_at = inside.bytes.size();
  inside.raw("\x08\x05\x0f\x0f");
  inside.bytes += samples(20, 25).bytes;
  model::Capture capture = read_trace(inside);
  EXPECT_EQ(series(capture, 1).values.size(), 14U);
  EXPECT_EQ(noted(capture, "damaged_packet"), 1U);
  EXPECT_NE(capture.notes.back().message.find(std::to_string(damaged_at)), std::string::npos);

  // Garbage between packets, a wrong length, a wrong tag: found again behind it.
  for (const std::string& garbage :
       {std::string(300, '\xff'), std::string("\x0a\x7f"), std::string("\x0a\xff\xff\xff\x0f"),
        std::string("\x0b"), std::string("\x0a\x0a\x0a\x0a\x0a\x0a")}) {
    const std::string broken =
        trace.bytes.substr(0, trace.offsets[10]) + garbage + trace.bytes.substr(trace.offsets[10]);
    capture = read_bytes(broken);
    EXPECT_GE(series(capture, 1).values.size(), 28U);
    EXPECT_EQ(series(capture, 1).stamps.back(), 29000);
    EXPECT_GE(noted(capture, "damaged_packet"), 1U);
    EXPECT_EQ(noted(capture, "truncated"), 0U);
  }
}

TEST(PerfettoStream, ReadsAStreamOfUnknownLengthInSmallPieces) {
  const Trace trace = samples(1, 3000);
  for (const std::size_t cut : {trace.bytes.size(), trace.bytes.size() - 3}) {
    std::size_t at = 0;
    base::ByteSource source("pipe", [&](std::span<std::byte> out) {
      const std::size_t count = std::min({out.size(), std::size_t{777}, cut - at});
      std::copy_n(reinterpret_cast<const std::byte*>(trace.bytes.data()) + at, count, out.data());
      at += count;
      return count;
    });
    const model::Capture capture = perfetto_importer().read(source);
    EXPECT_EQ(series(capture, 1).values.size(), cut == trace.bytes.size() ? 2999U : 2998U);
    EXPECT_EQ(noted(capture, "truncated"), cut == trace.bytes.size() ? 0U : 1U);
  }
}

TEST(PerfettoSniff, KnowsTracesByContent) {
  const Importer importer = perfetto_importer();
  const std::string bytes = samples(1, 100).bytes;
  EXPECT_EQ(importer.sniff(bytes), Fit::yes);
  EXPECT_EQ(importer.sniff(bytes.substr(0, 1000)), Fit::yes);
  EXPECT_EQ(importer.sniff(""), Fit::no);
  EXPECT_EQ(importer.sniff("\nTime,GPU active,Fragment active\n0,1,2\n"), Fit::no);
  EXPECT_EQ(importer.sniff("\n\n\n\n\n\n\n\n\n\n\n\n\n\n"), Fit::no);
  EXPECT_EQ(importer.sniff("RDOC\x01\x02"), Fit::no);
  const std::string big =
      wrapped(50, deflated(bytes) + std::string(std::size_t{1} << 17, 'x')).substr(0, 65536);
  EXPECT_EQ(importer.sniff(big), Fit::maybe);
}

}  // namespace
}  // namespace tilebound::ingest::perfetto
