#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "apicap/capture.h"
#include "base/error.h"

namespace tilebound::apicap::test {

/// Reads hostile bytes with one importer and checks what every frame promises: indices point into
/// their vectors, and events ascend.
inline void fuzz(const Importer& importer, const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  base::ByteSource source = base::ByteSource::from_memory("fuzz", bytes);
  try {
    const model::ApiFrame frame = importer.read(source, {});
    const auto check = [](bool holds) {
      if (!holds) std::abort();
    };
    for (const model::Pass& pass : frame.passes) {
      for (const model::Attachment& a : pass.attachments) {
        check(!a.range || a.range->image < frame.images.size());
        check(!a.resolve_target || *a.resolve_target < pass.attachments.size());
      }
    }
    std::uint64_t last = 0;
    for (const model::ImageUse& use : frame.uses) {
      check(use.range.image < frame.images.size());
      check(!use.pass || *use.pass < frame.passes.size());
      check(use.event >= last);
      last = use.event;
    }
    for (const model::Draw& draw : frame.draws) {
      check(!draw.pass || *draw.pass < frame.passes.size());
      check(!draw.pipeline || *draw.pipeline < frame.pipelines.size());
    }
    for (const model::Pipeline& pipeline : frame.pipelines) {
      for (const std::size_t shader : pipeline.shaders) check(shader < frame.shaders.size());
    }
  } catch (const base::InputError&) {
    // The right answer to most of what arrives here.
  }
}

}  // namespace tilebound::apicap::test
