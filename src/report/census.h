#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "model/api_frame.h"

/// What a frame is made of, as counts: nothing is judged.
namespace tilebound::report {

/// Sections of counts by name, in the order of printing within each map's own order.
struct Census {
  std::map<std::string, std::uint64_t> work;         // passes, draws, dispatches, ...
  std::map<std::string, std::uint64_t> commands;     // by name
  std::map<std::string, std::uint64_t> labels;       // draws and dispatches by caller's label
  std::map<std::string, std::uint64_t> areas;        // render passes by size
  std::map<std::string, std::uint64_t> ops;          // attachments by "depth LOAD -> STORE"
  std::map<std::string, std::uint64_t> attachments;  // by "R8G8B8A8_UNORM 4x"
};

Census census_of(const model::ApiFrame& frame);

}  // namespace tilebound::report
