#pragma once

#include "ingest/importer.h"

namespace tilebound::ingest {

/// CSV and TSV with a row a value: time, name of the counter, value; also unit, GPU, counter id and
/// duration where there are such columns. Rows of different counters may interleave; counters with
/// the same stamps share an axis.
///
/// Which interval a value covers: with a duration, the one that it gives. In a dump of Perfetto's
/// trace processor (recognised by columns such as `ts` or `track_id`) the one that begins at the
/// stamp, since the trace processor moves a sample's value to the start of its interval. Else the
/// one that ends there. The last two are assumptions, and noted.
Importer long_csv_importer();

}  // namespace tilebound::ingest
