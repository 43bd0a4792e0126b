#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tilebound::ingest {

/// What the file is and what to do about it, when it is of a known format that is not read: "an
/// Nsight Compute report (.ncu-rep); export a table with ...". Recognised by content, from the
/// front of the file. Nothing for any other file.
std::optional<std::string> foreign_format(std::string_view head);

}  // namespace tilebound::ingest
