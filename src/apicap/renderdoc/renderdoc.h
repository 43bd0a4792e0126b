#pragma once

#include "apicap/capture.h"

/// RenderDoc's XML of a capture of Vulkan calls (`renderdoccmd convert -c xml` or `-c zip.xml`).
namespace tilebound::apicap::renderdoc {

extern const Importer kImporter;

}  // namespace tilebound::apicap::renderdoc
