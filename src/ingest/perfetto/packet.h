#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilebound::ingest::perfetto {

/// The envelope of one TracePacket: who wrote it and when, and its one payload as bytes.
struct Packet {
  std::optional<std::uint64_t> timestamp;
  std::uint32_t clock_id = 0;  // 0 where the packet names none
  std::uint32_t sequence = 0;
  std::uint64_t flags = 0;  // wire::kSequence...
  bool previous_dropped = false;
  std::string_view interned_data;
  std::string_view defaults;
  std::uint32_t kind = 0;  // field number of the payload; 0 where there is none
  std::string_view payload;
};

/// Reads the top level of a TracePacket. False when the bytes are no well-formed message; `out`
/// then holds what came before the damage.
bool parse_packet(std::string_view bytes, Packet& out);

/// Name of a payload kind for people: "ftrace", "process_tree"; empty for a field that the schema
/// does not have.
std::string_view packet_kind_name(std::uint32_t field);

/// Packets that describe the recording rather than hold any: snapshots of clocks, configuration.
bool is_bookkeeping(std::uint32_t field);

/// TracePacket has a field of this number and wire type.
bool is_packet_tag(std::uint64_t tag);

/// The bytes are a TracePacket with at least one field of the schema and none that contradicts it.
bool looks_like_packet(std::string_view bytes);

}  // namespace tilebound::ingest::perfetto
