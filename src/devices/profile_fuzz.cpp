#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "devices/profile.h"

using namespace tilebound;

/// Any text is a profile or an error; a profile's own text gives it back.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const model::Device device = devices::read_profile(text, "fuzz");
    if (devices::read_profile(devices::write_profile(device), "fuzz") != device) std::abort();
    devices::expressions_of(device);
    devices::match_failure(device, model::Capture{}, 0, std::nullopt);
  } catch (const base::InputError&) {
  }
  return 0;
}
