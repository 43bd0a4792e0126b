#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "ingest/importer.h"
#include "ingest/wrap.h"

namespace tilebound::ingest::test {

/// Reads hostile bytes with one importer and checks what every capture promises: stamps ascend, and
/// each sampled counter has a value for each stamp.
inline void fuzz(const Importer& importer, const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Fit fit = importer.sniff(bytes.substr(0, std::size_t{64} << 10));
  base::ByteSource source = base::ByteSource::from_memory("fuzz", bytes);
  try {
    model::Capture capture = importer.read(source);
    drop_wrapped_values(capture);
    if (fit == Fit::no && size < (std::size_t{64} << 10)) return;
    for (const model::TimeAxis& axis : capture.axes) {
      for (std::size_t i = 1; i < axis.size(); ++i) {
        if (axis.stamps_ns[i] < axis.stamps_ns[i - 1]) std::abort();
      }
      if (!axis.begins_ns.empty() && axis.begins_ns.size() != axis.size()) std::abort();
    }
    for (const model::Counter& counter : capture.counters) {
      if (!counter.axis) continue;
      if (*counter.axis >= capture.axes.size()) std::abort();
      if (counter.values.size() != capture.axes[*counter.axis].size()) std::abort();
    }
    (void)capture.span();
  } catch (const base::InputError&) {
    // The right answer to most of what arrives here.
  }
}

}  // namespace tilebound::ingest::test
