#pragma once

#include "ingest/importer.h"

namespace tilebound::ingest {

/// Logs of Meta's ovrgpuprofiler: a line a metric, "12/15/2023 3:16:20 PM - GPU Frequency :
/// 525000000.000", a block of them every second. Stamps are wall clock, whole seconds, without a
/// zone; they are kept as if UTC. A block covers the second that ends at its stamp.
Importer ovrgpuprofiler_importer();

}  // namespace tilebound::ingest
