#pragma once

#include "apicap/call.h"
#include "apicap/gles/objects.h"

namespace tilebound::apicap::renderdoc {

/// What an object held when the capture began ("Internal::Initial Contents").
void take_contents(gles::Objects& objects, const Call& chunk);

}  // namespace tilebound::apicap::renderdoc
