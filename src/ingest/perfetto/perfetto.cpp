#include "ingest/perfetto/perfetto.h"

#include "base/proto_reader.h"
#include "ingest/perfetto/packet.h"
#include "ingest/perfetto/trace_reader.h"
#include "ingest/perfetto/wire.h"

namespace tilebound::ingest {

namespace {

/// A first packet that is whole decides; one longer than the head leaves it open.
Fit sniff(std::string_view head) {
  base::ByteCursor cursor(head);
  std::uint64_t length = 0;
  std::string_view packet;
  constexpr auto kTag = static_cast<std::uint8_t>(base::bytes_tag(perfetto::wire::kTracePacket));
  if (!cursor.take(kTag) || !cursor.varint(length)) return Fit::no;
  if (!cursor.bytes(length, packet)) {
    std::uint64_t tag = 0;
    if (cursor.empty()) return Fit::maybe;
    const bool begins_well = cursor.varint(tag) && perfetto::is_packet_tag(tag);
    return begins_well ? Fit::maybe : Fit::no;
  }
  if (!packet.empty() && !perfetto::looks_like_packet(packet)) return Fit::no;
  return cursor.empty() || cursor.take(kTag) ? Fit::yes : Fit::no;
}

model::Capture read(base::ByteSource& source) {
  return perfetto::TraceReader().read(source);
}

}  // namespace

Importer perfetto_importer() {
  return {"perfetto", "Perfetto trace", sniff, read};
}

}  // namespace tilebound::ingest
