#pragma once

#include "ingest/perfetto/clocks.h"
#include "ingest/perfetto/descriptors.h"
#include "ingest/perfetto/samples.h"
#include "model/capture.h"

namespace tilebound::ingest::perfetto {

/// Makes the counters of `capture` from groups of samples, which it empties, and notes what was
/// wrong with them.
///
/// A counter that was sampled in several groups becomes one with one axis; counters of exactly the
/// same groups share an axis. Of several samples of a counter with one stamp the first holds
/// (within a group in file order, between groups in order of the groups' first packets). Counters
/// stand in the order of their descriptors; undescribed ones follow, by first sample.
void assemble(Samples& samples, const Descriptors& descriptors, const Clocks& clocks,
              model::Capture& capture);

}  // namespace tilebound::ingest::perfetto
