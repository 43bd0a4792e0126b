#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>

#include "base/byte_source.h"
#include "ingest/importer.h"

/// Inputs for the tests of importers.
namespace tilebound::ingest::test {

inline model::Capture read_text(std::string_view text, std::string name = "input") {
  base::ByteSource source = base::ByteSource::from_memory(std::move(name), text);
  return read_capture(source);
}

/// A source that hands out its bytes a few at a time, as a pipe may.
inline base::ByteSource slow_source(std::string text, std::size_t piece) {
  return base::ByteSource("slow", [text = std::make_shared<std::string>(std::move(text)),
                                   at = std::size_t{0}, piece](std::span<std::byte> out) mutable {
    const std::size_t count = std::min({piece, out.size(), text->size() - at});
    std::memcpy(out.data(), text->data() + at, count);
    at += count;
    return count;
  });
}

/// A file of the extra data, empty when that is absent.
inline std::string extra_file(const std::string& path) {
  const char* set = std::getenv("TILEBOUND_EXTRA_DATA");
  const std::filesystem::path root = set != nullptr ? set : TILEBOUND_EXTRA_DATA;
  std::ifstream file(root / "data" / path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::uint64_t count_notes(const model::Capture& capture, std::string_view id) {
  std::uint64_t count = 0;
  for (const model::Note& note : capture.notes) count += note.id == id ? note.count : 0;
  return count;
}

inline const model::Counter* find(const model::Capture& capture, std::string_view name) {
  for (const model::Counter& counter : capture.counters) {
    if (counter.name == name) return &counter;
  }
  return nullptr;
}

}  // namespace tilebound::ingest::test
