#pragma once

#include "ingest/importer.h"

namespace tilebound::ingest {

/// Arm Streamline's timeline as CSV: a row a bin, "Time" and a column "<chart title>:<series>" for
/// each series. Names are kept as they stand; the catalogue knows their spellings.
///
/// A bin holds what was captured during its width (Arm DUI 0482, "About the Timeline view"). No
/// public document says whether "Time" is a bin's begin or its end, so the file decides: bins that
/// start at 0 are named by their begin, a first bin one width after 0 by its end; otherwise begins
/// are assumed. The note "assumed_direction" says which.
Importer streamline_importer();

}  // namespace tilebound::ingest
