#pragma once

#include "ingest/importer.h"

namespace tilebound::ingest {

/// Perfetto protobuf traces: plain, with `compressed_packets` or `zstd_compressed_packets`.
///
/// The file is read once, packet by packet. GPU counter samples go into columns as they come;
/// names, clocks and the merging of samples are settled at the end, because descriptors and clock
/// snapshots may arrive after what they describe. Everything else is counted and skipped.
Importer perfetto_importer();

}  // namespace tilebound::ingest
