#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilebound::model {

enum class Severity : std::uint8_t { info, warning, error };

/// Something about a capture that a reader should know before he trusts a number.
/// One note a kind and subject: `count` says how often it was met.
struct Note {
  std::string id;  // stable, lower case with underscores: "truncated", "wrapped_value"
  Severity severity = Severity::info;
  std::string message;
  std::uint64_t count = 1;

  bool operator==(const Note&) const = default;
};

/// Adds a note, or counts it when one with the same id and message is there.
inline void add_note(std::vector<Note>& notes, std::string_view id, Severity severity,
                     std::string message, std::uint64_t count = 1) {
  const auto same = std::find_if(notes.begin(), notes.end(),
                                 [&](const Note& n) { return n.id == id && n.message == message; });
  if (same != notes.end()) {
    same->count += count;
  } else {
    notes.push_back({std::string(id), severity, std::move(message), count});
  }
}

}  // namespace tilebound::model
