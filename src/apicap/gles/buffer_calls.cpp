#include <algorithm>

#include "apicap/gles/calls.h"

/// Contents of buffers, which indirect draws read.
namespace tilebound::apicap::gles {

namespace {

void write(BufferObject& buffer, std::uint64_t offset, std::uint64_t size, Value data,
           std::uint64_t data_offset) {
  Write out;
  out.offset = offset;
  out.size = size;
  if (data.kind() == Kind::blob && data.number_or(0) >= data_offset + size) out.blob = data.text();
  out.blob_offset = data_offset;
  buffer.contents.write(std::move(out));
}

void store(Context& context, const Call& call) {
  BufferObject& buffer = context.objects.buffers[call["buffer"].number_or(0)];
  buffer.size = call["bytesize"].number_or(0);
  buffer.contents = {};
  write(buffer, 0, buffer.size, call["data"], 0);
}

void store_part(Context& context, const Call& call) {
  write(context.objects.buffers[call["buffer"].number_or(0)], call["offset"].number_or(0),
        call["bytesize"].number_or(0), call["data"], 0);
}

/// RenderDoc keeps the bytes from the first that changed to the last.
void unmap(Context& context, const Call& call) {
  const std::uint64_t offset = call["offset"].number_or(0);
  const std::uint64_t first = call["diffStart"].number_or(0);
  const std::uint64_t last = call["diffEnd"].number_or(call["length"].number_or(0));
  if (last <= first || offset + first < offset) return;
  write(context.objects.buffers[call["buffer"].number_or(0)], offset + first, last - first,
        call["MapWrittenData"], 0);
}

constexpr GlCall kCalls[] = {
    {"glBufferData", store},
    {"glBufferStorage", store},
    {"glBufferSubData", store_part},
    {"glUnmapBuffer", unmap},
};

}  // namespace

std::span<const GlCall> buffer_calls() {
  return kCalls;
}

}  // namespace tilebound::apicap::gles
