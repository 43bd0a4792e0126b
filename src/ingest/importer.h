#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "model/capture.h"

namespace tilebound::ingest {

/// How well the head of a file fits a format. The best fit reads it.
enum class Fit { no, maybe, yes };

/// One capture format. Formats are recognised by content, never by a file's name.
struct Importer {
  std::string_view name;   // as in Capture::format, "perfetto"
  std::string_view title;  // for people, "Perfetto trace"

  /// `head` is the first 64 KiB of the file, fewer for a shorter one.
  Fit (*sniff)(std::string_view head);

  /// Reads all of `source`. Damaged input yields what is readable and a note with the byte offset
  /// or line; nothing readable throws base::InputError with the reason.
  model::Capture (*read)(base::ByteSource& source);
};

/// Every importer, in the order in which `--help` lists them.
std::span<const Importer> importers();

/// Reads a capture of any known format. Throws base::InputError for one that is not known, naming
/// a known format that is not read and how to export it.
model::Capture read_capture(base::ByteSource& source);

/// Adds the counters of `log` to `capture`: a second recording of the same run, joined by wall
/// clock (an ovrgpuprofiler log and the VrApi log).
void join(model::Capture& capture, model::Capture log);

}  // namespace tilebound::ingest
