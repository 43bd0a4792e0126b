#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "ingest/perfetto/clocks.h"
#include "ingest/perfetto/descriptors.h"
#include "ingest/perfetto/frame_marks.h"
#include "ingest/perfetto/frequency.h"
#include "ingest/perfetto/inflate.h"
#include "ingest/perfetto/metadata.h"
#include "ingest/perfetto/packet.h"
#include "ingest/perfetto/packet_stream.h"
#include "ingest/perfetto/render_stages.h"
#include "ingest/perfetto/samples.h"
#include "ingest/perfetto/sequence.h"
#include "model/capture.h"

namespace tilebound::ingest::perfetto {

/// How far compressed packets may expand before the rest of them is left.
struct ExpansionLimits {
  std::uint64_t one = std::uint64_t{1} << 30;  // of one packet; the service writes below 1 MiB
  /// Of all packets: a start and so many times their bytes. Idle counters shrink 10 to 50 times.
  std::uint64_t start = std::uint64_t{1} << 30;
  std::uint64_t ratio = 100;
};

/// Reads one trace: hands each packet to the part that it concerns and makes the capture of what
/// they collected.
class TraceReader {
 public:
  explicit TraceReader(const ExpansionLimits& limits = {}) : limits_(limits) {}

  /// Throws base::InputError when not one packet can be read.
  model::Capture read(base::ByteSource& source);

 private:
  bool packet(std::string_view bytes, std::uint64_t offset, bool nested);
  bool expand(const Packet& packet, std::uint64_t offset, Compression compression, bool nested);
  bool interned_data(std::string_view bytes, Sequence& sequence);
  void count(std::uint32_t kind);
  void note_problems(const StreamReport& report);
  void count_other_content();

  static constexpr std::uint32_t kMostKinds = 1024;
  static constexpr std::uint32_t kLastSequence = 0xffffffff;
  /// Where the last id is taken: the service counts from 1 and never gets here.
  static constexpr std::uint32_t kRareSequence = 0x54696c65;

  ExpansionLimits limits_;
  model::Capture capture_;
  Clocks clocks_;
  Sequences sequences_;
  Descriptors descriptors_;
  Samples samples_{descriptors_};
  RenderStages render_stages_;
  FrameMarks frame_marks_;
  Frequencies frequencies_;
  ServiceLosses losses_;
  std::array<std::uint64_t, kMostKinds> kinds_{};
  std::uint64_t unknown_kinds_ = 0;
  std::uint32_t largest_sequence_ = 0;
  bool clocks_known_ = false;  // a snapshot was met
  bool counters_name_clock_ = false;
  std::optional<std::uint64_t> insert_at_;

  std::uint64_t compressed_bytes_ = 0;
  std::uint64_t expanded_bytes_ = 0;
  std::uint64_t nested_packets_ = 0;  // good ones, from compressed packets
  std::uint64_t nested_compression_ = 0;
  std::uint64_t unlimited_expansions_ = 0;
  std::uint64_t nested_damage_ = 0;
  std::optional<std::uint64_t> first_nested_damage_;
  std::uint64_t without_state_ = 0;
  std::uint64_t gaps_ = 0;  // packets before which their sequence lost some
};

}  // namespace tilebound::ingest::perfetto
