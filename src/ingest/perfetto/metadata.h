#pragma once

#include <cstdint>
#include <string_view>

#include "model/capture.h"

namespace tilebound::ingest::perfetto {

/// Packets that tell about the recording. Each reads one message into the capture and returns false
/// when it is damaged; what came before the damage is kept.

/// TraceConfig: the data sources, and what was asked of the GPU counter source.
bool read_trace_config(std::string_view bytes, model::Capture& capture);

/// SystemInfo, to the keys build_fingerprint, soc_model, manufacturer, sdk and kernel.
bool read_system_info(std::string_view bytes, model::Capture& capture);

/// GpuInfo: names of the GPUs by index.
bool read_gpu_info(std::string_view bytes, model::Capture& capture);

/// Losses that the tracing service itself counted, since its start; the latest packet holds.
struct ServiceLosses {
  std::uint64_t chunks_overwritten = 0;
  std::uint64_t chunks_discarded = 0;
  std::uint64_t patches_failed = 0;
  std::uint64_t writer_losses = 0;
};
bool read_trace_stats(std::string_view bytes, ServiceLosses& losses);

/// A note `lost_packets` for each kind of loss.
void note_losses(const ServiceLosses& losses, model::Capture& capture);

}  // namespace tilebound::ingest::perfetto
