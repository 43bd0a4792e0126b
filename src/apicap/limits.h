#pragma once

#include <cstddef>
#include <cstdint>

#include "model/api_frame.h"

/// What is kept of one frame, so that no file makes memory or time endless; more is only counted by
/// name. Real frames stay far below.
namespace tilebound::apicap {

inline constexpr std::size_t kMostCommands = 1'000'000;
inline constexpr std::size_t kMostPasses = 5'000;
inline constexpr std::size_t kMostDraws =
    200'000;  // and as many dispatches, clears, barriers, transfers

inline void note_too_many(model::ApiFrame& frame, std::uint64_t count = 1) {
  frame.uses_complete = false;
  frame.note("too_many_commands", model::Severity::warning,
             "commands of a frame beyond the most that are kept: counted by name, but in no pass",
             count);
}

}  // namespace tilebound::apicap
