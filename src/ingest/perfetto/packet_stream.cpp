#include "ingest/perfetto/packet_stream.h"

#include <algorithm>

#include "base/proto_reader.h"
#include "ingest/perfetto/packet.h"
#include "ingest/perfetto/wire.h"

namespace tilebound::ingest::perfetto {

namespace {

constexpr auto kPacketTag = static_cast<std::uint8_t>(base::bytes_tag(wire::kTracePacket));
constexpr std::size_t kLongestHeader = 1 + 10;
/// A longer packet counts as a damaged length: the service splits what it writes far below this.
constexpr std::uint64_t kLargestPacket = std::uint64_t{256} << 20;
/// Packets longer than half of this are not found again after damage.
constexpr std::size_t kSearchWindow = std::size_t{1} << 20;

struct Frame {
  std::uint64_t header = 0;
  std::uint64_t length = 0;
  std::uint64_t end() const { return header + length; }
};

/// The tag and length at the begin of `bytes`; nothing when they are no packet's.
std::optional<Frame> parse_frame(std::string_view bytes) {
  base::ByteCursor cursor(bytes);
  Frame frame;
  if (!cursor.take(kPacketTag) || !cursor.varint(frame.length) || frame.length > kLargestPacket) {
    return std::nullopt;
  }
  frame.header = bytes.size() - cursor.left();
  return frame;
}

/// `bytes` begins with a packet that one would expect from the service.
bool resumes_at(std::string_view bytes, bool to_the_end, std::size_t& budget) {
  const auto frame = parse_frame(bytes);
  if (!frame || frame->length == 0 || frame->end() > bytes.size()) return false;
  const std::string_view rest = bytes.substr(frame->end());
  if (rest.empty() ? !to_the_end : static_cast<std::uint8_t>(rest.front()) != kPacketTag) {
    return false;
  }
  if (frame->length > budget) return false;
  budget -= frame->length;
  const std::string_view body = bytes.substr(frame->header, frame->length);
  Packet packet;
  return looks_like_packet(body) && parse_packet(body, packet) && packet.sequence != 0;
}

/// Moves to the next place where packets go on; false when there is none.
bool resume(base::ByteSource& source) {
  source.consume(1);
  for (;;) {
    const std::string_view window = source.peek(kSearchWindow);
    const bool to_the_end = window.size() < kSearchWindow;
    const std::size_t searched = to_the_end ? window.size() : kSearchWindow / 2;
    // Hostile bytes can look like a packet at every place; looking stays linear in the input.
    std::size_t budget = 16 * searched;
    std::size_t at = 0;
    while ((at = window.find(static_cast<char>(kPacketTag), at)) < searched) {
      if (resumes_at(window.substr(at), to_the_end, budget)) {
        source.consume(at);
        return true;
      }
      ++at;
    }
    source.consume(searched);
    if (to_the_end) return false;
  }
}

}  // namespace

StreamReport walk_packets(base::ByteSource& source, const PacketVisitor& visit) {
  StreamReport report;
  const auto damaged = [&report](std::uint64_t offset) {
    ++report.damaged;
    if (!report.first_damage) report.first_damage = offset;
  };
  for (;;) {
    std::string_view window = source.peek(kLongestHeader);
    if (window.empty()) return report;
    const std::uint64_t offset = source.offset();
    const std::optional<Frame> frame = parse_frame(window);
    const bool header_cut = !frame && window.size() < kLongestHeader &&
                            static_cast<std::uint8_t>(window.front()) == kPacketTag;
    bool cut = header_cut;
    if (frame) {
      cut = source.size() && frame->end() > *source.size() - std::min(offset, *source.size());
      if (!cut) {
        window = source.peek(frame->end());
        cut = window.size() < frame->end();
      }
    }
    if (frame && !cut) {
      const bool intact = visit(window.substr(frame->header, frame->length), offset);
      report.packets += intact ? 1 : 0;
      if (!intact) damaged(offset);
      const bool framed = intact || window.size() == frame->end() ||
                          static_cast<std::uint8_t>(window[frame->end()]) == kPacketTag;
      if (framed) {
        source.consume(frame->end());
        continue;
      }
    } else if (!cut) {
      damaged(offset);
    }
    if (!resume(source)) {
      if (cut) report.truncated = offset;
      return report;
    }
    if (cut) damaged(offset);
  }
}

}  // namespace tilebound::ingest::perfetto
