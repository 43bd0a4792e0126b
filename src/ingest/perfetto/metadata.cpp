#include "ingest/perfetto/metadata.h"

#include <algorithm>
#include <string>

#include "base/proto_reader.h"
#include "ingest/perfetto/clocks.h"
#include "ingest/perfetto/wire.h"

namespace tilebound::ingest::perfetto {

namespace {

using base::bytes_tag;
using base::varint_tag;

/// Vendors add a suffix: "gpu.counters.adreno".
constexpr std::string_view kGpuCounterSource = "gpu.counters";

std::int64_t nanoseconds(std::uint64_t number, std::uint64_t unit) {
  const auto most = static_cast<std::uint64_t>(kLatestTime);
  return static_cast<std::int64_t>(std::min(number, most / unit) * unit);
}

bool read_gpu_counter_config(std::string_view bytes, model::CaptureRequest& request) {
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case varint_tag(wire::kGpuConfigPeriodNs):
        request.period_ns = nanoseconds(reader.number(), 1);
        break;
      case varint_tag(wire::kGpuConfigIds):
      case bytes_tag(wire::kGpuConfigIds):
        for_each_number(reader, [&request](std::uint64_t id) {
          request.counter_ids.push_back(static_cast<std::uint32_t>(id));
        });
        break;
      case bytes_tag(wire::kGpuConfigNames):
        request.counter_names.emplace_back(reader.bytes());
        break;
      default:
        break;
    }
  }
  return reader.intact();
}

bool read_data_source(std::string_view bytes, model::CaptureRequest& request) {
  bool intact = true;
  base::ProtoReader source(bytes);
  while (source.next()) {
    if (source.tag() != bytes_tag(wire::kDataSourceConfig)) continue;
    std::string_view name;
    std::string_view counters;
    base::ProtoReader config(source.bytes());
    while (config.next()) {
      if (config.tag() == bytes_tag(wire::kDataSourceName)) name = config.bytes();
      if (config.tag() == bytes_tag(wire::kDataSourceGpuCounters)) counters = config.bytes();
    }
    request.data_sources.emplace_back(name);
    if (name.starts_with(kGpuCounterSource) || !counters.empty()) {
      request.gpu_counters = true;
      intact &= read_gpu_counter_config(counters, request);
    }
    intact &= config.intact();
  }
  return intact && source.intact();
}

}  // namespace

bool read_trace_config(std::string_view bytes, model::Capture& capture) {
  bool intact = true;
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    if (reader.tag() == bytes_tag(wire::kConfigDataSources)) {
      intact &= read_data_source(reader.bytes(), capture.request);
    } else if (reader.tag() == varint_tag(wire::kConfigDurationMs)) {
      capture.request.duration_ns = nanoseconds(reader.number(), 1'000'000);
    }
  }
  return intact && reader.intact();
}

bool read_system_info(std::string_view bytes, model::Capture& capture) {
  bool intact = true;
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case bytes_tag(wire::kSystemFingerprint):
        capture.system["build_fingerprint"] = reader.bytes();
        break;
      case bytes_tag(wire::kSystemSocModel):
        capture.system["soc_model"] = reader.bytes();
        break;
      case bytes_tag(wire::kSystemManufacturer):
        capture.system["manufacturer"] = reader.bytes();
        break;
      case varint_tag(wire::kSystemSdk):
        capture.system["sdk"] = std::to_string(reader.number());
        break;
      case bytes_tag(wire::kSystemUtsname): {
        base::ProtoReader names(reader.bytes());
        while (names.next()) {
          if (names.tag() == bytes_tag(wire::kUtsnameRelease)) {
            capture.system["kernel"] = names.bytes();
          }
        }
        intact &= names.intact();
        break;
      }
      default:
        break;
    }
  }
  return intact && reader.intact();
}

bool read_gpu_info(std::string_view bytes, model::Capture& capture) {
  std::vector<std::string> names;
  bool intact = true;
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    if (reader.tag() != bytes_tag(wire::kGpuInfoGpus)) continue;
    std::string& name = names.emplace_back();
    base::ProtoReader gpu(reader.bytes());
    while (gpu.next()) {
      if (gpu.tag() == bytes_tag(wire::kGpuName)) name = gpu.bytes();
    }
    intact &= gpu.intact();
  }
  if (names.size() > capture.gpu_names.size()) capture.gpu_names = std::move(names);
  return intact && reader.intact();
}

bool read_trace_stats(std::string_view bytes, ServiceLosses& losses) {
  ServiceLosses latest;
  bool intact = true;
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    if (reader.tag() != bytes_tag(wire::kStatsBuffers)) continue;
    base::ProtoReader buffer(reader.bytes());
    while (buffer.next()) {
      switch (buffer.tag()) {
        case varint_tag(wire::kStatsChunksOverwritten):
          latest.chunks_overwritten += buffer.number();
          break;
        case varint_tag(wire::kStatsChunksDiscarded):
          latest.chunks_discarded += buffer.number();
          break;
        case varint_tag(wire::kStatsPatchesFailed):
          latest.patches_failed += buffer.number();
          break;
        case varint_tag(wire::kStatsWriterLoss):
          latest.writer_losses += buffer.number();
          break;
        default:
          break;
      }
    }
    intact &= buffer.intact();
  }
  if (!intact || !reader.intact()) return false;
  losses = latest;
  return true;
}

void note_losses(const ServiceLosses& losses, model::Capture& capture) {
  const auto note = [&capture](std::string_view message, std::uint64_t count) {
    if (count == 0) return;
    capture.note("lost_packets", model::Severity::warning, std::string(message), count);
  };
  note("chunks of the trace buffer were overwritten by newer ones (trace_stats)",
       losses.chunks_overwritten);
  note("chunks were discarded because the trace buffer was full (trace_stats)",
       losses.chunks_discarded);
  note("patches of the trace buffer failed (trace_stats)", losses.patches_failed);
  note("losses that trace writers reported (trace_stats)", losses.writer_losses);
}

}  // namespace tilebound::ingest::perfetto
