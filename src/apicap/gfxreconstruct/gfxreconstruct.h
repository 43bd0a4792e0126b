#pragma once

#include "apicap/capture.h"

/// GFXReconstruct's JSON Lines, as gfxrecon-convert writes them: calls as "vkFunc" (before 0.9.19)
/// or "function", what the tool itself did as "meta".
namespace tilebound::apicap::gfxreconstruct {

extern const Importer kImporter;

}  // namespace tilebound::apicap::gfxreconstruct
