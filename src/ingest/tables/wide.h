#pragma once

#include "ingest/importer.h"

namespace tilebound::ingest {

/// CSV and TSV with a row a sample: a time column and a counter in every other one. A value covers
/// the interval that ends at its row's time, as in the traces that such tables are dumped from; the
/// note "assumed_direction" says so.
Importer wide_csv_importer();

}  // namespace tilebound::ingest
