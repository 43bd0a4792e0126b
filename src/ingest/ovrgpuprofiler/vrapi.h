#pragma once

#include "ingest/importer.h"

namespace tilebound::ingest {

/// logcat of Meta's VrApi: once a second "FPS=73/72,...,App=0.90ms,GPU%=0.35,...". Stamps have no
/// year; alone, they are of the year kLogcatYear. Counters are called "VrApi ..."; the GPU's clock
/// is among them.
Importer vrapi_importer();

/// A leap year, so that every day of a logcat exists.
constexpr int kLogcatYear = 1972;

/// Moves a VrApi capture to the year in which it meets `span`. Throws base::InputError naming both
/// spans when there is none.
void move_to_year(model::Capture& log, const model::Capture& capture);

}  // namespace tilebound::ingest
