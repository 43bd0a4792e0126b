#include "cli/device_argument.h"

#include <filesystem>
#include <fmt/format.h>

#include "base/error.h"
#include "cli/files.h"
#include "devices/profile.h"

namespace tilebound::cli {

model::Device device_by_argument(const std::string& id_or_path) {
  for (model::Device& device : devices::all_devices()) {
    if (device.id == id_or_path) return std::move(device);
  }
  std::error_code ignored;
  const bool path = id_or_path == "-" || id_or_path.find_first_of("./\\") != std::string::npos ||
                    std::filesystem::exists(id_or_path, ignored);
  if (!path) {
    throw base::UsageError(
        fmt::format("no device \"{}\"; `tilebound devices` lists them", id_or_path));
  }
  return devices::read_profile(read_text_file(id_or_path), id_or_path);
}

}  // namespace tilebound::cli
