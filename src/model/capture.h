#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/column.h"
#include "base/units.h"
#include "model/note.h"

/// A capture of hardware counters over time, as any importer delivers it: data only.
///
/// Times are nanoseconds on one clock of the capture (BOOTTIME for Perfetto); only differences and
/// `start` are shown. Values are as the source delivered them; what they mean on a device (sums or
/// averages over shader cores, beats of how many bytes) is decided later, by `devices`.
namespace tilebound::model {

/// How the values of a counter combine over time.
enum class CounterKind : std::uint8_t {
  count,    // work done in the sample's interval: adds up
  rate,     // per second: integrates over time
  percent,  // 0..100: averages by time
  level,    // a state such as a clock or a temperature, or a ratio: averages by time
};

/// Which interval a value covers: the one that ends at its stamp, or the one that begins there.
enum class ValueDirection : std::uint8_t { backwards, forwards };

/// The stamps shared by counters that were sampled together.
struct TimeAxis {
  std::vector<std::int64_t> stamps_ns;  // ascending
  /// Begin of each sample, where the source gives one; else empty and the neighbour's stamp counts.
  std::vector<std::int64_t> begins_ns;
  ValueDirection direction = ValueDirection::backwards;

  std::size_t size() const { return stamps_ns.size(); }

  /// What sample `i` covers. Empty when the source does not say: the first backwards sample and the
  /// last forwards one.
  base::Interval interval(std::size_t i) const {
    const auto ns = [](std::int64_t t) { return base::Nanoseconds{t}; };
    const std::int64_t stamp = stamps_ns[i];
    if (!begins_ns.empty()) return {ns(begins_ns[i]), ns(stamp)};
    if (direction == ValueDirection::backwards) {
      return {ns(i == 0 ? stamp : stamps_ns[i - 1]), ns(stamp)};
    }
    return {ns(stamp), ns(i + 1 == size() ? stamp : stamps_ns[i + 1])};
  }
};

/// One counter of one GPU. `values` has an entry for each stamp of its axis; NaN is "unavailable".
struct Counter {
  std::optional<std::uint32_t> id;  // in the source's own numbering, where it has one
  std::string name;                 // as delivered; "counter 217" where the source gave none
  bool named = true;
  std::string description;
  std::string unit;  // as delivered, "numerator/denominator"; empty where the source says nothing
  CounterKind kind = CounterKind::count;
  std::uint32_t gpu = 0;
  std::optional<std::size_t> axis;  // index into Capture::axes; none when it was never sampled
  base::Column values;

  bool sampled() const { return axis.has_value(); }
};

/// The clock of a GPU changed (or was reported) at a moment and holds until the next event.
struct ClockEvent {
  std::int64_t time_ns = 0;
  std::uint32_t gpu = 0;
  base::Hertz frequency;
};

/// A span of work that the driver itself reported (Perfetto GpuRenderStageEvent).
struct RenderStage {
  std::int64_t begin_ns = 0;
  std::int64_t duration_ns = 0;
  std::uint32_t gpu = 0;
  std::string queue;
  std::string stage;
  std::string label;  // debug labels, where the driver passes them on
  std::uint64_t context = 0;
  std::uint64_t render_target = 0;
  std::uint64_t render_pass = 0;
  std::uint64_t command_buffer = 0;
  std::uint32_t submission = 0;
};

/// What somebody renders to: a layer of the display's compositor.
struct Surface {
  std::int32_t pid = 0;  // 0 where the source does not say
  std::string layer;     // empty for the display itself
};

enum class FrameMarkKind : std::uint8_t {
  /// An application's frame as the compositor saw it: from when its work on the CPU began to the
  /// later of handing over the buffer and the GPU's end (Perfetto ActualSurfaceFrameStart).
  surface,
  display,    // a frame of the compositor's own (ActualDisplayFrameStart)
  gpu_done,   // the fence behind a buffer's GPU work signalled at the end (ACQUIRE_FENCE)
  presented,  // a buffer was on the display at the end (PRESENT_FENCE)
};

/// What the platform reports of one frame. Moments of the CPU, of fences and of the display.
struct FrameMark {
  FrameMarkKind kind = FrameMarkKind::surface;
  std::uint32_t surface = 0;  // index into Capture::surfaces
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t number = 0;  // the source's: vsync token or frame number
  bool dropped = false;     // rendered, but never shown
};

/// What the recording was asked for, to tell "not sampled" from "zero".
struct CaptureRequest {
  std::vector<std::string> data_sources;  // in the order of the configuration
  bool gpu_counters = false;              // a GPU counter source was configured
  std::vector<std::uint32_t> counter_ids;
  std::vector<std::string> counter_names;
  std::optional<std::int64_t> period_ns;
  std::optional<std::int64_t> duration_ns;
};

/// What one must know to add packets to the trace that was read.
struct Insertion {
  std::uint64_t at = 0;  // offset of a packet, the first from which all clocks are known
  std::uint32_t unused_sequence = 1;  // no packet has this sequence id
  std::uint32_t clock = 0;  // that packets on BOOTTIME must name; 0: none, as the counters
};

/// A capture of counters. Moves, does not copy.
struct Capture {
  std::string format;  // "perfetto", "streamline-csv", "csv-wide", "csv-long", ...
  std::string source;  // how messages call the input
  std::vector<TimeAxis> axes;
  std::vector<Counter> counters;           // sampled and merely advertised, in the source's order
  std::vector<ClockEvent> clock;           // by time
  std::vector<RenderStage> render_stages;  // by time
  std::vector<FrameMark> frame_marks;      // by end
  std::vector<Surface> surfaces;           // in the order in which the source names them
  CaptureRequest request;
  std::vector<std::string> gpu_names;         // by GPU index, where the capture names them
  std::map<std::string, std::string> system;  // "soc_model", "build_fingerprint", ... as found
  std::map<std::string, std::uint64_t> other_content;  // what else was recorded, by kind: packets
  std::vector<Note> notes;
  Insertion insertion;  // of a Perfetto trace

  void note(std::string_view id, Severity severity, std::string message, std::uint64_t count = 1) {
    add_note(notes, id, severity, std::move(message), count);
  }

  /// Earliest and latest moment that any sample covers or stamps; empty without samples.
  base::Interval span() const;
};

}  // namespace tilebound::model
