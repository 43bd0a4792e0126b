// Any bytes: a capture whose parts fit together, or an InputError. Nothing else.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "ingest/perfetto/perfetto.h"
#include "ingest/perfetto/trace_reader.h"

namespace {

using namespace tilebound;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const model::Capture& capture) {
  for (const model::TimeAxis& axis : capture.axes) {
    require(axis.size() > 0);
    for (std::size_t i = 0; i < axis.size(); ++i) {
      require(axis.stamps_ns[i] >= 0 && axis.interval(i).length().value >= 0);
      require(i == 0 || axis.stamps_ns[i - 1] < axis.stamps_ns[i]);
    }
  }
  for (const model::Counter& counter : capture.counters) {
    require(!counter.name.empty());
    if (counter.sampled()) {
      require(*counter.axis < capture.axes.size());
      require(counter.values.size() == capture.axes[*counter.axis].size());
    } else {
      require(counter.values.empty());
    }
    counter.values.sum();
  }
  for (std::size_t i = 1; i < capture.clock.size(); ++i) {
    require(capture.clock[i - 1].time_ns <= capture.clock[i].time_ns);
  }
  for (const model::RenderStage& stage : capture.render_stages) {
    require(stage.begin_ns >= 0 && stage.duration_ns >= 0);
  }
  for (std::size_t i = 0; i < capture.frame_marks.size(); ++i) {
    const model::FrameMark& mark = capture.frame_marks[i];
    require(mark.begin_ns >= 0 && mark.begin_ns <= mark.end_ns);
    require(mark.surface < capture.surfaces.size());
    require(i == 0 || capture.frame_marks[i - 1].end_ns <= mark.end_ns);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  ingest::perfetto_importer().sniff(bytes.substr(0, std::size_t{64} << 10));
  base::ByteSource source = base::ByteSource::from_memory("fuzz", bytes);
  try {
    // Small expansions, so that bombs do not slow the search down.
    check(ingest::perfetto::TraceReader({.one = 1U << 20, .start = 2U << 20, .ratio = 2})
              .read(source));
  } catch (const base::InputError&) {
  }
  return 0;
}
