#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "model/api_frame.h"

/// API captures: what an application submitted, whatever tool recorded it.
namespace tilebound::apicap {

/// Bytes that the capture's text only names: a buffer's number in a RenderDoc ".zip.xml" ("12"), a
/// file's name beside a GFXReconstruct JSON. Gives at most `size` bytes from `offset`, fewer at the
/// blob's end; nothing when there is no such blob. The floor does no file input of its own.
using BlobReader = std::function<std::optional<std::string>(
    std::string_view name, std::uint64_t offset, std::uint64_t size)>;

struct ReadOptions {
  /// Which frame of the file, from 1. Empty: the last complete frame with draws, dispatches or
  /// passes. A frame ends with a present (or the source's own frame boundary); a program without
  /// one is a single frame.
  std::optional<std::uint64_t> frame;
  BlobReader blobs;  // empty: such bytes are unknown
};

/// How well the head of a file fits a format. The best fit reads it.
enum class Fit : std::uint8_t { no, maybe, yes };

/// One format of API captures. Formats are recognised by content, never by a file's name.
struct Importer {
  std::string_view name;   // as in ApiFrame::format, "renderdoc-xml"
  std::string_view title;  // for people, "RenderDoc XML"

  /// `head` is the first 64 KiB of the file, fewer for a shorter one.
  Fit (*sniff)(std::string_view head);

  /// Reads one frame. Damaged input yields what is readable and a note; nothing readable throws
  /// base::InputError with the reason.
  model::ApiFrame (*read)(base::ByteSource& source, const ReadOptions& options);
};

/// Every importer, in the order in which `--help` lists them.
std::span<const Importer> importers();

/// Reads one frame of an API capture of any known format. Throws base::InputError for a format that
/// is not known and for a frame that the file does not have.
model::ApiFrame read_api_capture(base::ByteSource& source, const ReadOptions& options = {});

}  // namespace tilebound::apicap
