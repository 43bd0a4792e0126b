#pragma once

#include <span>
#include <string_view>

/// Files that are built into the program (cmake/Embed.cmake).
namespace tilebound::report {

struct EmbeddedFile {
  std::string_view name;
  std::string_view bytes;
};

/// The report page as web/ builds it, "report.html"; where it could not be built, the file holds a
/// sentence that says why.
std::span<const EmbeddedFile> page_files();

}  // namespace tilebound::report
