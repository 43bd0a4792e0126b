#include "ingest/foreign.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "ingest/tables/delimited.h"

namespace tilebound::ingest {

namespace {

using namespace std::string_view_literals;

struct Magic {
  std::size_t offset;
  std::string_view bytes;
  std::string_view message;
};

constexpr std::string_view kCompressed = "; unpack it and give the capture inside";

/// The bytes at the front of formats, from the programs that write them; "NVR" is from memory.
constexpr Magic kMagics[] = {
    {0, "NVR\0"sv,
     "an NVIDIA report (Nsight Compute, .ncu-rep); export it with ncu --import FILE --csv"},
    {0, "RDOC"sv, "a RenderDoc capture (.rdc), which holds API calls, not counters; use lint"},
    {0, "GFXR"sv,
     "a GFXReconstruct capture (.gfxr), which holds API calls, not counters; use lint"},
    {0, "B00P"sv,
     "a Radeon GPU Profiler capture (.rgp); export counters from Radeon GPU Profiler as CSV"},
    {0, "SQLite format 3\0"sv,
     "an SQLite database; dump its counters as CSV (select ts, name, value from counter ...)"},
    {0, "\x1f\x8b"sv, "gzip-compressed"},
    {0, "PK\x03\x04"sv, "a zip archive"},
    {0, "\x28\xb5\x2f\xfd"sv, "Zstandard-compressed"},
    {0, "BZh"sv, "bzip2-compressed"},
    {0, "\xfd\x37zXZ\0"sv, "xz-compressed"},
    {0, "7z\xbc\xaf\x27\x1c"sv, "a 7-Zip archive"},
    {257, "ustar"sv, "a tar archive"},
    {0, "\x89PNG\r\n\x1a\n"sv, "a PNG image, not a capture"},
    {0, "\xff\xd8\xff"sv, "a JPEG image, not a capture"},
    {0, "%PDF-"sv, "a PDF document, not a capture"},
    {0,
     "\x7f"
     "ELF"sv,
     "a program (ELF), not a capture"},
    {0, "MZ\x90\0"sv, "a Windows program, not a capture"},
    {0, "bplist00"sv,
     "an Apple property list, perhaps of a .gputrace; Metal captures cannot be read"},
    {0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv,
     "a binary Office document (.xls); save the sheet as CSV"},
};

bool is_archive(std::string_view message) {
  return message.ends_with("compressed") || message.ends_with("archive");
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, std::min(text.find('\n'), text.size()));
}

/// Whether the first bytes are those of a text: a protobuf may begin with a line end and a brace.
bool starts_as_text(std::string_view text) {
  const std::string_view start = text.substr(0, 64);
  return std::none_of(start.begin(), start.end(), [](char c) {
    return (c >= 0 && c < '\t') || (c > '\r' && c < ' ') || c == '\x7f';
  });
}

std::optional<std::string> foreign_markup(std::string_view text) {
  if (!starts_as_text(text)) return std::nullopt;
  const std::string start = base::lower(text.substr(0, 4096));
  const auto has = [&](std::string_view part) { return start.find(part) != std::string::npos; };
  if (start.starts_with('<')) {
    if (has("<session") || has("<captured") || has("gatord")) {
      return "part of a Streamline capture (.apc folder); export it in Streamline or with "
             "Streamline-cli -report as CSV";
    }
    if (has("<!doctype html") || has("<html")) return "an HTML page, not a capture";
    return "XML, not a counter capture";
  }
  if (start.starts_with('{') || start.starts_with('[')) {
    if (has("\"traceevents\"") || has("\"ph\"")) {
      return "a Chrome JSON trace, which has no GPU counters; record a Perfetto trace instead";
    }
    return "JSON, not a counter capture";
  }
  return std::nullopt;
}

/// Tables of other tools, whose rows are kernels, draws or dispatches, not samples in time.
std::optional<std::string> foreign_table(std::string_view text) {
  constexpr int kLinesLookedAt = 200;
  if (text.starts_with("==PROF==") || text.starts_with("==ERROR==")) {
    return "an Nsight Compute table; this version does not read it";
  }
  for (int i = 0; i < kLinesLookedAt && !text.empty(); ++i) {
    std::string_view line = first_line(text);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string low = base::lower(line);
    const auto has = [&](std::string_view part) { return low.find(part) != std::string::npos; };
    const bool eid = low.starts_with("eid,") || low.starts_with("\"eid\",") ||
                     low.starts_with("eventid,") || low.starts_with("eid\t");
    if (eid) return "a RenderDoc counter table; this version does not read it";
    if (has("dispatch_id") && has("gpu_id")) {
      return "an AMD counter table (rocprofiler-compute); this version does not read it";
    }
    const bool metric_table = has("metric name") && has("metric value");
    if (metric_table || (has("kernel name") && has("__"))) {
      return "an Nsight Compute table; this version does not read it";
    }
    if (has("sm__throughput") || has("gr__cycles_active") || has("gpu__time_duration")) {
      return "an Nsight table of NVIDIA metrics; this version does not read it";
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> foreign_format(std::string_view head) {
  for (const Magic& magic : kMagics) {
    if (head.size() < magic.offset || !head.substr(magic.offset).starts_with(magic.bytes)) continue;
    std::string message(magic.message);
    if (is_archive(magic.message)) message += kCompressed;
    return message;
  }
  const std::string_view text = base::trim(tables::without_mark(head));
  if (auto found = foreign_markup(text)) return found;
  return tables::is_text(head) ? foreign_table(text) : std::nullopt;
}

}  // namespace tilebound::ingest
