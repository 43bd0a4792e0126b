#pragma once

#include <cstddef>
#include <cstdint>

#include "model/capture.h"

/// The last steps of every table importer: axes in order, clock events, notes on both.
namespace tilebound::ingest::tables {

/// Sorts the samples of axis `index` by time where the file had them out of order, together with
/// the values of all counters on it. Notes "out_of_order" and "repeated_stamp".
void settle_axis(model::Capture& capture, std::size_t index);

/// Gives the samples of axis `index` begins: each covers the usual distance of stamps (the median;
/// `period_ns` when there is only one) before its own, no more. After a longer gap the source does
/// not say what a value averages over. Notes "gap".
void cover_period(model::Capture& capture, std::size_t index, std::int64_t period_ns);

/// Appends the changes of a GPU's clock that `counter` recorded to Capture::clock, which stays
/// sorted. A value holds for its interval.
void add_clock(model::Capture& capture, const model::Counter& counter);

/// add_clock for the first counter of each GPU that is_gpu_clock() accepts.
void add_clocks(model::Capture& capture);

}  // namespace tilebound::ingest::tables
