#include "apicap/renderdoc/renderdoc.h"

#include <fmt/format.h>

#include "apicap/renderdoc/chunk_reader.h"
#include "apicap/renderdoc/front_end.h"
#include "base/error.h"

namespace tilebound::apicap::renderdoc {

namespace {

constexpr std::string_view kMetadata = "Internal::Frame Metadata";
/// Not of a frame that was captured by hand.
constexpr std::uint32_t kNoFrameNumber = 0xffffffff;

Fit sniff(std::string_view head) {
  return looks_like_chunks(head) ? Fit::yes : Fit::no;
}

std::unique_ptr<FrontEnd> front_end_of(const std::string& driver, const ReadOptions& options) {
  if (driver == "Vulkan") return vulkan_front_end(options);
  if (driver == "OpenGLES") return gles_front_end(options);
  throw base::InputError(fmt::format("a capture of {}; Vulkan and OpenGL ES are read", driver));
}

model::ApiFrame read(base::ByteSource& source, const ReadOptions& options) {
  // A RenderDoc capture is one frame, whatever its number in the program.
  ReadOptions all = options;
  all.frame.reset();
  if (options.frame && *options.frame != 1) {
    throw base::InputError(
        fmt::format("{}: no frame {}; a RenderDoc capture has one", source.name(), *options.frame));
  }
  std::unique_ptr<FrontEnd> front_end;
  std::optional<std::uint64_t> number;
  std::uint64_t chunks = 0;
  ChunkVisitor visitor;
  visitor.start = [&](const Document& document) {
    try {
      front_end = front_end_of(document.driver, all);
    } catch (const base::InputError& e) {
      throw base::InputError(fmt::format("{}: {}", source.name(), e.what()));
    }
  };
  visitor.wants = [&](std::string_view name) {
    return name == kMetadata || front_end->wants(name);
  };
  visitor.visit = [&](Call& chunk) {
    ++chunks;
    try {
      if (chunk.name == kMetadata) {
        const std::uint32_t frame = chunk["frameNumber"].u32(kNoFrameNumber);
        if (frame != kNoFrameNumber) number = frame;
      } else {
        front_end->chunk(chunk);
      }
    } catch (const base::InputError& e) {
      throw base::InputError(
          fmt::format("{}: chunk {} ({}): {}", source.name(), chunks, chunk.name, e.what()));
    }
    return true;
  };
  const Document document = read_chunks(source, visitor);
  model::ApiFrame frame =
      front_end->finish(source.name(), document.truncated ? document.damage : "");
  frame.format = "renderdoc-xml";
  frame.number = number;
  if (document.truncated) {
    frame.note("truncated", model::Severity::warning,
               "the file ends early, what follows is lost: " + document.damage);
  }
  return frame;
}

}  // namespace

const Importer kImporter = {"renderdoc-xml", "RenderDoc XML", sniff, read};

}  // namespace tilebound::apicap::renderdoc
