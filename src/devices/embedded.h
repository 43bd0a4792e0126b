#pragma once

#include <span>
#include <string_view>

/// Data files that are built into the program (cmake/Embed.cmake).
namespace tilebound::devices {

struct EmbeddedFile {
  std::string_view name;  // relative to data/counters or data/devices
  std::string_view bytes;
};

std::span<const EmbeddedFile> counter_files();
std::span<const EmbeddedFile> device_files();

}  // namespace tilebound::devices
