#pragma once

#include "model/capture.h"

namespace tilebound::ingest::perfetto {

/// Replaces values that only a wrapped difference of hardware counters explains by NaN,
/// "unavailable", with one note `wrapped_value` for the counter.
///
/// For anything but a level: negative values and values from 2^63 on. For counts also values within
/// the counter's own range of a multiple of 2^32 from 1 on, when that range is far below 2^32 and
/// few values lie there. Rates of 1e9..1e12 a second and other honestly large values stay.
/// Infinite values become NaN too (note `invalid_value`).
void drop_wrapped(model::Counter& counter, model::Capture& capture);

}  // namespace tilebound::ingest::perfetto
