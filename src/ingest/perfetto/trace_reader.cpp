#include "ingest/perfetto/trace_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/error.h"
#include "base/proto_reader.h"
#include "ingest/perfetto/assemble.h"
#include "ingest/perfetto/wire.h"

namespace tilebound::ingest::perfetto {

model::Capture TraceReader::read(base::ByteSource& source) {
  capture_.format = "perfetto";
  capture_.source = source.name();
  const StreamReport report =
      walk_packets(source, [this](std::string_view bytes, std::uint64_t offset) {
        if (clocks_known_ && !insert_at_) insert_at_ = offset;
        return packet(bytes, offset, false);
      });
  if (report.packets + nested_packets_ == 0) {
    const std::uint64_t at = report.first_damage.value_or(report.truncated.value_or(0));
    throw base::InputError(fmt::format("{}: perfetto: byte {}: {}", source.name(), at,
                                       report.damaged > 0 ? "no intact packet from here to the end"
                                       : report.truncated
                                           ? "the first packet runs past the end of the file"
                                           : "the file is empty"));
  }
  clocks_.settle();
  assemble(samples_, descriptors_, clocks_, capture_);
  frequencies_.finish(clocks_, capture_);
  render_stages_.finish(clocks_, capture_);
  frame_marks_.finish(clocks_, capture_);
  count_other_content();
  note_losses(losses_, capture_);
  note_problems(report);
  if (clocks_known_ && !insert_at_) insert_at_ = report.truncated.value_or(source.offset());
  capture_.insertion = {insert_at_.value_or(0),
                        largest_sequence_ < kLastSequence ? largest_sequence_ + 1 : kRareSequence,
                        counters_name_clock_ ? wire::kBoottime : 0};
  return std::move(capture_);
}

bool TraceReader::packet(std::string_view bytes, std::uint64_t offset, bool nested) {
  Packet packet;
  if (!parse_packet(bytes, packet)) return false;
  largest_sequence_ = std::max(largest_sequence_, packet.sequence);
  Sequence& sequence = sequences_.at(packet.sequence);
  // The service sets the flag on the first packet of each sequence too, where nothing was lost.
  if (packet.previous_dropped && sequence.seen) ++gaps_;
  sequence.seen = true;
  const bool readable = sequence.begin_packet(packet);
  bool intact = true;
  if (!packet.interned_data.empty()) intact = interned_data(packet.interned_data, sequence);

  const std::uint32_t clock_id = packet.clock_id != 0 ? packet.clock_id : sequence.default_clock;
  const ClockIndex clock =
      clock_id == 0 ? kBoottimeIndex : clocks_.index(clock_id, packet.sequence);
  std::optional<std::int64_t> time;
  if (packet.timestamp) time = clocks_.reading(clock, *packet.timestamp);
  if (packet.kind == 0) return intact;
  count(packet.kind);
  if (!readable) {
    if (packet.kind == wire::kPacketGpuCounterEvent ||
        packet.kind == wire::kPacketGpuRenderStageEvent) {
      ++without_state_;
    }
    return intact;
  }
  switch (packet.kind) {
    case wire::kPacketGpuCounterEvent:
      counters_name_clock_ = counters_name_clock_ || clock_id != 0;
      return samples_.event(packet.payload, sequence, clock, time) && intact;
    case wire::kPacketFtraceEvents:
      return frequencies_.bundle(packet.payload, clocks_) && intact;
    case wire::kPacketCompressed:
      return expand(packet, offset, Compression::deflate, nested) && intact;
    case wire::kPacketZstdCompressed:
      return expand(packet, offset, Compression::zstd, nested) && intact;
    case wire::kPacketGpuRenderStageEvent:
      return render_stages_.event(packet.payload, sequence, clock, time) && intact;
    case wire::kPacketFrameTimelineEvent:
      return frame_marks_.timeline(packet.payload, clock, time) && intact;
    case wire::kPacketGraphicsFrameEvent:
      return frame_marks_.buffer(packet.payload, clock, time) && intact;
    case wire::kPacketGenericGpuFrequency:
      return frequencies_.generic(packet.payload, clock, time) && intact;
    case wire::kPacketClockSnapshot:
      clocks_known_ = true;
      return clocks_.snapshot(packet.payload, packet.sequence) && intact;
    case wire::kPacketTraceConfig:
      // Only the first: a cloned trace repeats its configuration.
      if (kinds_[wire::kPacketTraceConfig] > 1) return intact;
      return read_trace_config(packet.payload, capture_) && intact;
    case wire::kPacketSystemInfo:
      return read_system_info(packet.payload, capture_) && intact;
    case wire::kPacketGpuInfo:
      return read_gpu_info(packet.payload, capture_) && intact;
    case wire::kPacketTraceStats:
      return read_trace_stats(packet.payload, losses_) && intact;
    default:
      return intact;
  }
}

bool TraceReader::interned_data(std::string_view bytes, Sequence& sequence) {
  bool intact = intern_names(bytes, sequence);
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    if (reader.tag() == base::bytes_tag(wire::kInternedCounterDescriptors)) {
      intact &= descriptors_.add_interned(sequence, reader.bytes());
    }
  }
  return intact;
}

bool TraceReader::expand(const Packet& outer, std::uint64_t offset, Compression compression,
                         bool nested) {
  if (nested) {
    ++nested_compression_;
    return true;
  }
  compressed_bytes_ += outer.payload.size();
  const std::uint64_t allowed = limits_.start + limits_.ratio * compressed_bytes_;
  Expansion expansion;
  base::ByteSource source =
      inflate(outer.payload, compression,
              std::min(limits_.one, allowed - std::min(allowed, expanded_bytes_)), expansion);
  const StreamReport report = walk_packets(
      source, [&](std::string_view bytes, std::uint64_t) { return packet(bytes, offset, true); });
  expanded_bytes_ += expansion.bytes;
  nested_packets_ += report.packets;
  unlimited_expansions_ += expansion.limit_reached ? 1 : 0;
  const std::uint64_t damage =
      report.damaged +
      (report.truncated && !expansion.limit_reached && expansion.error.empty() ? 1 : 0);
  if (damage > 0) {
    nested_damage_ += damage;
    if (!first_nested_damage_) first_nested_damage_ = offset;
  }
  return expansion.error.empty();
}

void TraceReader::count(std::uint32_t kind) {
  if (kind < kMostKinds) {
    ++kinds_[kind];
  } else {
    ++unknown_kinds_;
  }
}

void TraceReader::count_other_content() {
  for (std::uint32_t kind = 0; kind < kMostKinds; ++kind) {
    if (kinds_[kind] == 0 || kind == wire::kPacketGpuCounterEvent || is_bookkeeping(kind)) continue;
    const std::string_view name = packet_kind_name(kind);
    if (name.empty()) {
      unknown_kinds_ += kinds_[kind];
    } else {
      capture_.other_content[std::string(name)] += kinds_[kind];
    }
  }
  if (unknown_kinds_ > 0) capture_.other_content["unknown"] += unknown_kinds_;
}

void TraceReader::note_problems(const StreamReport& report) {
  using model::Severity;
  if (report.truncated) {
    capture_.note("truncated", Severity::warning,
                  fmt::format("byte {}: the file ends within a packet", *report.truncated));
  }
  if (report.first_damage) {
    capture_.note("damaged_packet", Severity::warning,
                  fmt::format("byte {}: damaged packets were skipped, the first one here",
                              *report.first_damage),
                  report.damaged);
  }
  if (first_nested_damage_) {
    capture_.note("damaged_packet", Severity::warning,
                  fmt::format("byte {}: damaged packets within compressed ones were skipped, the "
                              "first one here",
                              *first_nested_damage_),
                  nested_damage_);
  }
  const auto note = [this](std::string_view id, std::string message, std::uint64_t count) {
    if (count > 0) capture_.note(id, Severity::warning, std::move(message), count);
  };
  note("nested_compression", "compressed packets within compressed packets were not read",
       nested_compression_);
  note("expansion_limit",
       fmt::format("compressed packets expand beyond {} MiB each or {} times in all; the rest of "
                   "them was not read",
                   limits_.one >> 20, limits_.ratio),
       unlimited_expansions_);
  note("incremental_state_lost",
       "GPU packets refer to names or clocks that were lost and were skipped", without_state_);
  note("lost_packets", "packets before which their writer lost some", gaps_);
}

}  // namespace tilebound::ingest::perfetto
