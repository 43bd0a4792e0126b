#include "ingest/perfetto/packet.h"

#include <algorithm>
#include <iterator>

#include "base/proto_reader.h"
#include "ingest/perfetto/wire.h"

namespace tilebound::ingest::perfetto {

namespace {

using base::bytes_tag;
using base::varint_tag;

struct Kind {
  std::uint32_t field;
  std::string_view name;
};

/// The payloads of TracePacket, by field number; 76, 93 and 94 are declared as extensions.
constexpr Kind kKinds[] = {
    {1, "ftrace"},
    {2, "process_tree"},
    {4, "inode_file_map"},
    {5, "chrome_events"},
    {6, "clock_snapshot"},
    {7, "sys_stats"},
    {9, "process_stats"},
    {11, "track_event"},
    {33, "trace_config"},
    {34, "ftrace_stats"},
    {35, "trace_stats"},
    {36, "synchronization_marker"},
    {37, "profile_packet"},
    {38, "battery"},
    {39, "android_log"},
    {40, "power_rails"},
    {43, "process_descriptor"},
    {44, "thread_descriptor"},
    {45, "system_info"},
    {46, "trigger"},
    {47, "packages_list"},
    {48, "chrome_benchmark_metadata"},
    {49, "perfetto_metatrace"},
    {50, "compressed_packets"},
    {51, "chrome_metadata"},
    {52, "gpu_counter_event"},
    {53, "gpu_render_stage_event"},
    {54, "streaming_profile_packet"},
    {57, "graphics_frame_event"},
    {60, "track_descriptor"},
    {61, "module_symbols"},
    {62, "vulkan_memory_event"},
    {63, "gpu_log"},
    {64, "deobfuscation_mapping"},
    {65, "vulkan_api_event"},
    {66, "perf_sample"},
    {67, "cpu_info"},
    {68, "smaps_packet"},
    {69, "service_event"},
    {70, "initial_display_state"},
    {71, "gpu_mem_total_event"},
    {72, "extension_descriptor"},
    {73, "memory_tracker_snapshot"},
    {74, "streaming_allocation"},
    {75, "streaming_free"},
    {76, "frame_timeline_event"},
    {77, "android_energy_estimation_breakdown"},
    {78, "ui_state"},
    {82, "translation_table"},
    {83, "android_game_intervention_list"},
    {84, "statsd_atom"},
    {86, "android_system_property"},
    {89, "trace_uuid"},
    {90, "track_event_range_of_interest"},
    {91, "entity_state_residency"},
    {93, "surfaceflinger_layers_snapshot"},
    {94, "surfaceflinger_transactions"},
    {95, "etw_events"},
    {99, "v8_js_code"},
    {100, "v8_internal_code"},
    {101, "v8_wasm_code"},
    {102, "v8_reg_exp_code"},
    {103, "v8_code_move"},
    {107, "remote_clock_sync"},
    {109, "chrome_trigger"},
    {110, "pixel_modem_events"},
    {111, "pixel_modem_token_database"},
    {113, "clone_snapshot_trigger"},
    {115, "kernel_wakelock_data"},
    {117, "generic_kernel_task_state_event"},
    {118, "generic_kernel_cpu_freq_event"},
    {119, "cpu_per_uid_data"},
    {120, "generic_kernel_task_rename_event"},
    {122, "generic_kernel_process_tree"},
    {123, "user_list"},
    {124, "trace_provenance"},
    {125, "protovms"},
    {126, "trace_attributes"},
    {127, "android_aflags"},
    {128, "gpu_info"},
    {129, "generic_gpu_frequency_event"},
    {130, "interrupt_info"},
    {131, "art_process_metadata"},
    {132, "journald_event"},
    {133, "zstd_compressed_packets"},
    {134, "concurrent_session_event"},
    {135, "stack_sample"},
    {900, "for_testing"},
};

const Kind* find_kind(std::uint32_t field) {
  const auto* found =
      std::lower_bound(std::begin(kKinds), std::end(kKinds), field,
                       [](const Kind& kind, std::uint32_t wanted) { return kind.field < wanted; });
  return found != std::end(kKinds) && found->field == field ? found : nullptr;
}

/// Envelope fields, all varints.
bool is_envelope_number(std::uint32_t field) {
  constexpr std::uint32_t kFields[] = {3, 8, 10, 13, 41, 42, 58, 79, 87, 98};
  return std::find(std::begin(kFields), std::end(kFields), field) != std::end(kFields);
}

bool is_message(std::uint32_t field) {
  return field == wire::kPacketInternedData || field == wire::kPacketDefaults ||
         find_kind(field) != nullptr;
}

}  // namespace

bool parse_packet(std::string_view bytes, Packet& out) {
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case varint_tag(wire::kPacketTimestamp):
        out.timestamp = reader.number();
        break;
      case varint_tag(wire::kPacketSequenceId):
        out.sequence = static_cast<std::uint32_t>(reader.number());
        break;
      case varint_tag(wire::kPacketClockId):
        out.clock_id = static_cast<std::uint32_t>(reader.number());
        break;
      case varint_tag(wire::kPacketSequenceFlags):
        out.flags |= reader.number();
        break;
      case varint_tag(wire::kPacketIncrementalStateCleared):
        if (reader.number() != 0) out.flags |= wire::kSequenceStateCleared;
        break;
      case varint_tag(wire::kPacketPreviousDropped):
        out.previous_dropped = reader.number() != 0;
        break;
      case bytes_tag(wire::kPacketInternedData):
        out.interned_data = reader.bytes();
        break;
      case bytes_tag(wire::kPacketDefaults):
        out.defaults = reader.bytes();
        break;
      default:
        if (reader.wire() == base::WireType::bytes) {
          out.kind = reader.field();
          out.payload = reader.bytes();
        }
        break;
    }
  }
  return reader.intact();
}

std::string_view packet_kind_name(std::uint32_t field) {
  const Kind* kind = find_kind(field);
  return kind != nullptr ? kind->name : std::string_view{};
}

bool is_bookkeeping(std::uint32_t field) {
  switch (field) {
    case wire::kPacketClockSnapshot:
    case wire::kPacketTraceConfig:
    case wire::kPacketTraceStats:
    case wire::kPacketSystemInfo:
    case wire::kPacketCompressed:
    case wire::kPacketZstdCompressed:
    case wire::kPacketGpuInfo:
    case 34:   // ftrace_stats
    case 36:   // synchronization_marker
    case 69:   // service_event
    case 72:   // extension_descriptor
    case 89:   // trace_uuid
    case 107:  // remote_clock_sync
    case 124:  // trace_provenance
    case 126:  // trace_attributes
      return true;
    default:
      return false;
  }
}

bool is_packet_tag(std::uint64_t tag) {
  const auto field = static_cast<std::uint32_t>(tag >> 3);
  if (tag == varint_tag(field)) return is_envelope_number(field);
  return tag == bytes_tag(field) && is_message(field);
}

bool looks_like_packet(std::string_view bytes) {
  base::ProtoReader reader(bytes);
  bool known = false;
  while (reader.next()) {
    const bool fits = is_packet_tag(reader.tag());
    // A known number of another type contradicts the schema.
    if (!fits && (is_envelope_number(reader.field()) || is_message(reader.field()))) return false;
    known = known || fits;
  }
  return known && reader.intact();
}

}  // namespace tilebound::ingest::perfetto
