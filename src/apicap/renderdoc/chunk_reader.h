#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "apicap/call.h"
#include "base/byte_source.h"

/// RenderDoc's XML ("xml", and "zip.xml" with its bytes in a ".zip" beside it), chunk by chunk.
///
/// A chunk becomes a Call: `<uint>`, `<int>`, `<bool>` and `<ResourceId>` are numbers, `<enum>`
/// named, `<float>` real, `<string>` text, `<null>` null, `<array>` a list, `<struct>` a record,
/// `<buffer>` a blob whose name is its number in the zip.
namespace tilebound::apicap::renderdoc {

struct Document {
  std::string driver;      // "Vulkan", "OpenGLES", "OpenGL", "D3D11"
  std::string version;     // of the chunks' serialisation
  bool truncated = false;  // the file ends, or is damaged, before its last element
  std::string damage;      // what and where, when truncated
};

struct ChunkVisitor {
  /// Called once, before the first chunk. May throw base::InputError.
  std::function<void(const Document&)> start;
  /// Whether the arguments of a chunk are wanted; without them its call comes with none.
  std::function<bool(std::string_view chunk)> wants;
  /// One chunk; the call is gone after the return. False ends reading.
  std::function<bool(Call& chunk)> visit;
};

/// Reads all of `source`; only one chunk at a time is in memory. Throws base::InputError for what
/// is not RenderDoc's XML; a file that ends early or is damaged after its first chunk is
/// `truncated`.
Document read_chunks(base::ByteSource& source, const ChunkVisitor& visitor);

/// Whether the head of a file is RenderDoc's XML.
bool looks_like_chunks(std::string_view head);

}  // namespace tilebound::apicap::renderdoc
