#pragma once

#include "ingest/importer.h"

namespace tilebound::ingest {

/// The CSV files of libGPULayers' GPU profile layer. One form has a row for each workload of
/// a frame: "Index,Workload type,<counter>...,Label", debug labels from outer to inner joined
/// by '|'. The other has a row for each sampled frame: "Frame ID,<counter>...".
/// (github.com/ARM-software/libGPULayers: layer_gpu_profile, lglpy/comms/service_gpu_profile.py)
///
/// The layer runs workloads one at a time and its tables have no times. Rows become intervals one
/// after the other. An interval's length is that of a duration column where there is one; else the
/// cycles in which the GPU or its queues were active, a cycle taken for a nanosecond: system
/// ["time_base"] is then "gpu-cycles", else "serialised". Neither is time of a real frame, which
/// the note "serialised_workloads" says. Each workload is a render stage too.
Importer libgpulayers_importer();

}  // namespace tilebound::ingest
