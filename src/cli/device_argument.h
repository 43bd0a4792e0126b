#pragma once

#include <string>

#include "model/device.h"

namespace tilebound::cli {

/// The device that a user names: a built-in id ("mali-g77") or the path of a profile. Throws
/// base::UsageError for a name that is neither.
model::Device device_by_argument(const std::string& id_or_path);

}  // namespace tilebound::cli
