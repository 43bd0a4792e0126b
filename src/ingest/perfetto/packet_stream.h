#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "base/byte_source.h"

namespace tilebound::ingest::perfetto {

/// Called with the bytes of each packet and the offset of its tag in the stream. Returns false when
/// the packet is damaged.
using PacketVisitor = std::function<bool(std::string_view bytes, std::uint64_t offset)>;

/// What walking a stream of packets met. Offsets are of the stream.
struct StreamReport {
  std::uint64_t packets = 0;  // handed over and found intact
  std::uint64_t damaged = 0;
  std::optional<std::uint64_t> first_damage;
  std::optional<std::uint64_t> truncated;  // where a packet begins that the end of the input cuts
};

/// Walks a serialized Trace, the repeated field `packet`, to its end.
///
/// After damage to the framing the walk goes on at the next place that reads like a whole packet
/// with a sequence id and is followed by another one or by the end.
StreamReport walk_packets(base::ByteSource& source, const PacketVisitor& visit);

}  // namespace tilebound::ingest::perfetto
