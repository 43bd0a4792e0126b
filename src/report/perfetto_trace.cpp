#include "report/perfetto_trace.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyze/timeline.h"
#include "analyze/unit_bins.h"
#include "base/proto_writer.h"
#include "report/sentences.h"

namespace tilebound::report {

namespace {

using analyze::Analysis;
using base::ProtoWriter;

// trace.proto, trace_packet.proto
constexpr std::uint32_t kTracePacket = 1;
constexpr std::uint32_t kTimestamp = 8;
constexpr std::uint32_t kSequenceId = 10;
constexpr std::uint32_t kTrackEvent = 11;
constexpr std::uint32_t kSequenceFlags = 13;
constexpr std::uint64_t kStateCleared = 1;
constexpr std::uint32_t kClockId = 58;
constexpr std::uint32_t kTrackDescriptor = 60;
// track_descriptor.proto, counter_descriptor.proto
constexpr std::uint32_t kTrackUuid = 1;
constexpr std::uint32_t kTrackName = 2;
constexpr std::uint32_t kTrackParent = 5;
constexpr std::uint32_t kTrackCounter = 8;
constexpr std::uint32_t kTrackChildOrdering = 11;
constexpr std::uint64_t kOrderExplicit = 3;
constexpr std::uint32_t kTrackRank = 12;
constexpr std::uint32_t kTrackDescription = 14;
constexpr std::uint32_t kTrackMerging = 15;
constexpr std::uint64_t kMergeNever = 2;
constexpr std::uint32_t kCounterUnitName = 6;
// track_event.proto, debug_annotation.proto
constexpr std::uint32_t kEventAnnotations = 4;
constexpr std::uint32_t kEventType = 9;
constexpr std::uint32_t kEventTrack = 11;
constexpr std::uint32_t kEventCategory = 22;
constexpr std::uint32_t kEventName = 23;
constexpr std::uint32_t kEventDouble = 44;
constexpr std::uint64_t kSliceBegin = 1;
constexpr std::uint64_t kSliceEnd = 2;
constexpr std::uint64_t kCounterValue = 4;
constexpr std::uint32_t kAnnotationInt = 4;
constexpr std::uint32_t kAnnotationDouble = 5;
constexpr std::uint32_t kAnnotationString = 6;
constexpr std::uint32_t kAnnotationName = 10;

/// Arguments of a slice, serialized.
class Arguments {
 public:
  Arguments& text(std::string_view name, std::string_view value) {
    return add(name, [value](ProtoWriter& w) { w.bytes(kAnnotationString, value); });
  }
  Arguments& real(std::string_view name, std::optional<double> value) {
    if (!value) return *this;  // unavailable is not 0
    return add(name, [value](ProtoWriter& w) { w.real(kAnnotationDouble, *value); });
  }
  Arguments& whole(std::string_view name, std::int64_t value) {
    return add(name, [value](ProtoWriter& w) {
      w.number(kAnnotationInt, static_cast<std::uint64_t>(value));
    });
  }
  /// "evidence 1", "evidence 2", ...
  Arguments& list(std::string_view name, const std::vector<std::string>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      text(fmt::format("{} {}", name, i + 1), values[i]);
    }
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  template <typename F>
  Arguments& add(std::string_view name, F&& value) {
    std::string one;
    ProtoWriter writer(one);
    writer.bytes(kAnnotationName, name);
    value(writer);
    ProtoWriter(bytes_).bytes(kEventAnnotations, one);
    return *this;
  }
  std::string bytes_;
};

struct Track {
  std::uint64_t uuid = 0;
};

class Tracks {
 public:
  Tracks(const PacketSink& sink, const model::Insertion& place, std::int64_t zero)
      : sink_(sink), sequence_(place.unused_sequence), clock_(place.clock), zero_(zero) {}

  Track add(std::string_view name, std::optional<Track> parent = std::nullopt,
            std::string_view description = {}) {
    return declare(name, parent, description, nullptr);
  }
  Track add_counter(std::string_view name, std::string_view unit, std::optional<Track> parent,
                    std::string_view description) {
    std::string counter;
    if (!unit.empty()) ProtoWriter(counter).bytes(kCounterUnitName, unit);
    return declare(name, parent, description, &counter);
  }

  void begin(Track track, base::Nanoseconds at, std::string_view name,
             const Arguments& arguments = {}) {
    std::string event;
    ProtoWriter(event)
        .number(kEventType, kSliceBegin)
        .number(kEventTrack, track.uuid)
        .bytes(kEventCategory, "tilebound")
        .bytes(kEventName, name);
    event += arguments.bytes();
    packet(at, kTrackEvent, event);
  }
  void end(Track track, base::Nanoseconds at) {
    std::string event;
    ProtoWriter(event).number(kEventType, kSliceEnd).number(kEventTrack, track.uuid);
    packet(at, kTrackEvent, event);
  }
  void value(Track track, base::Nanoseconds at, double value) {
    std::string event;
    ProtoWriter(event)
        .number(kEventType, kCounterValue)
        .number(kEventTrack, track.uuid)
        .real(kEventDouble, value);
    packet(at, kTrackEvent, event);
  }

 private:
  Track declare(std::string_view name, std::optional<Track> parent, std::string_view description,
                const std::string* counter) {
    const Track track{next_uuid()};
    std::string body;
    ProtoWriter writer(body);
    writer.number(kTrackUuid, track.uuid).bytes(kTrackName, name);
    if (parent) {
      writer.number(kTrackParent, parent->uuid).number(kTrackRank, declared_);
    } else {
      writer.number(kTrackChildOrdering, kOrderExplicit);
    }
    if (!description.empty()) writer.bytes(kTrackDescription, description);
    // Two counters of one name stay two; slices of one name that overlap share a row.
    if (counter != nullptr)
      writer.bytes(kTrackCounter, *counter).number(kTrackMerging, kMergeNever);
    packet(std::nullopt, kTrackDescriptor, body);
    return track;
  }

  void packet(std::optional<base::Nanoseconds> at, std::uint32_t field, std::string_view payload) {
    packet_.clear();
    ProtoWriter writer(packet_);
    if (at) {
      const std::int64_t time = std::max<std::int64_t>(0, at->value - zero_);
      writer.number(kTimestamp, static_cast<std::uint64_t>(time));
      if (clock_ != 0) writer.number(kClockId, clock_);
    }
    writer.bytes(field, payload).number(kSequenceId, sequence_);
    if (declared_++ == 0) writer.number(kSequenceFlags, kStateCleared);
    framed_.clear();
    ProtoWriter(framed_).bytes(kTracePacket, packet_);
    sink_(framed_);
  }

  /// Far from the uuids of other writers, which are random or small (splitmix64).
  std::uint64_t next_uuid() {
    std::uint64_t z = (std::uint64_t{sequence_} << 32 | ++uuids_) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  const PacketSink& sink_;
  std::uint32_t sequence_;
  std::uint32_t clock_;
  std::int64_t zero_;  // what counts as time 0
  std::uint64_t declared_ = 0;
  std::uint32_t uuids_ = 0;
  std::string packet_;
  std::string framed_;
};

void write_verdict(Tracks& tracks, Track root, const Analysis& a) {
  const Track track = tracks.add("Tilebound verdict", root, "what limits the analysed part");
  Arguments arguments;
  if (a.verdict.kind) arguments.text("case", analyze::case_name(*a.verdict.kind));
  arguments.text("limiters", fmt::format("{}", fmt::join(a.verdict.limiters, ", ")))
      .real("idle_percent", a.verdict.idle_percent)
      .real("max_gain", a.verdict.max_gain)
      .text("analysed", a.window_text)
      .list("gain", gain_sentences(a))
      .list("evidence", a.evidence);
  tracks.begin(track, a.window.begin, verdict_sentence(a), arguments);
  tracks.end(track, a.window.end);
}

/// Over the analysed part, one below the other.
void write_findings(Tracks& tracks, Track root, const Analysis& a) {
  if (a.findings.empty()) return;
  const Track track = tracks.add("Tilebound findings", root, "what is worth work, and why");
  for (const model::Finding& finding : a.findings) {
    Arguments arguments;
    arguments.text("id", finding.id)
        .text("where", finding.where)
        .real("saving_ms_per_frame", finding.saving.ms_per_frame)
        .real("saving_bytes_per_frame", finding.saving.bytes_per_frame);
    if (!finding.saving.bound.empty()) arguments.text("saving_bound", finding.saving.bound);
    arguments.list("evidence", finding.evidence).list("advice", finding.advice);
    tracks.begin(track, a.window.begin, finding.title, arguments);
  }
  for (std::size_t i = 0; i < a.findings.size(); ++i) tracks.end(track, a.window.end);
}

void write_frames(Tracks& tracks, Track root, const Analysis& a) {
  const std::vector<analyze::Frame>& list = a.frames.list;
  if (list.empty()) return;
  const Track track = tracks.add("Tilebound frames", root,
                                 fmt::format("each from the previous end to its own; {}: {}",
                                             a.frames.method, a.frames.reason));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const base::Nanoseconds begin = i == 0 ? std::min(list[0].begin, list[0].end) : list[i - 1].end;
    Arguments arguments;
    arguments.whole("begin_ns", list[i].begin.value).whole("end_ns", list[i].end.value);
    if (i > 0 && i - 1 < a.frame_results.size()) {
      const analyze::FrameResult& frame = a.frame_results[i - 1];
      arguments.real("gpu_active_ms", frame.gpu_active_ms)
          .real("idle_percent", frame.idle_percent)
          .real("clock_percent", frame.clock_percent)
          .text("limiters", fmt::format("{}", fmt::join(frame.limiters, ", ")));
      for (const analyze::UnitPercent& unit : frame.units) arguments.real(unit.id, unit.percent);
    }
    tracks.begin(track, begin, fmt::format("Frame {}", i + 1), arguments);
    tracks.end(track, list[i].end);
  }
}

/// Spans that overlap go to rows of their own, as slices of a track must nest.
void write_lane(Tracks& tracks, Track root, const analyze::Lane& lane) {
  const std::string name = "Tilebound " + lane.label;
  struct Row {
    Track track;
    base::Nanoseconds end;
  };
  std::vector<Row> rows;
  for (const analyze::Span& span : lane.spans) {
    auto row = std::find_if(rows.begin(), rows.end(),
                            [&](const Row& r) { return r.end <= span.interval.begin; });
    if (row == rows.end()) {
      rows.push_back({tracks.add(name, root), {}});
      row = rows.end() - 1;
    }
    tracks.begin(row->track, span.interval.begin, span.label);
    tracks.end(row->track, span.interval.end);
    row->end = span.interval.end;
  }
}

/// The input shows its own render stages already.
bool is_of_input(const model::Capture& capture, const analyze::Lane& lane) {
  return capture.format == "perfetto" &&
         std::any_of(capture.render_stages.begin(), capture.render_stages.end(),
                     [&lane](const model::RenderStage& stage) {
                       return stage.queue == lane.label ||
                              (stage.queue.empty() && lane.label == "render stages");
                     });
}

void write_units(Tracks& tracks, Track root, const analyze::UnitBins& bins) {
  const std::string_view what = bins.of_elapsed ? "SOL %" : "active %";
  for (const analyze::UnitBins::Unit& unit : bins.units) {
    const Track track =
        tracks.add_counter(fmt::format("Tilebound {} {}", what, unit.label), "%", root,
                           fmt::format("percent of the peak of {}, of {} cycles", unit.id,
                                       bins.of_elapsed ? "elapsed" : "GPU-active"));
    double shown = std::nan("");
    for (std::size_t b = 0; b < bins.size(); ++b) {
      const double percent = unit.percent[b];
      if (!std::isnan(percent) && percent != shown) {
        tracks.value(track, bins.edges[b], percent);
      }
      shown = percent;
    }
  }
}

/// Where counters hold a value though none is known: holes, and what comes after the last sample.
void write_holes(Tracks& tracks, Track root, const analyze::UnitBins& bins) {
  if (bins.units.empty()) return;
  const Track track = tracks.add("Tilebound not recorded", root,
                                 "no unit has a value here; counters show their last one");
  bool open = false;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    const bool hole = std::all_of(bins.units.begin(), bins.units.end(),
                                  [b](const auto& unit) { return std::isnan(unit.percent[b]); });
    if (hole && !open) tracks.begin(track, bins.edges[b], "not recorded");
    if (!hole && open) tracks.end(track, bins.edges[b]);
    open = hole;
  }
  if (!open) tracks.begin(track, bins.edges.back(), "not recorded");
}

void write_counters(Tracks& tracks, const model::Capture& capture) {
  const Track root = tracks.add("Counters", std::nullopt, capture.source);
  for (const model::Counter& counter : capture.counters) {
    if (!counter.sampled()) continue;
    const Track track = tracks.add_counter(counter.name, counter.unit, root, counter.description);
    const model::TimeAxis& axis = capture.axes[*counter.axis];
    counter.values.for_each([&](std::size_t i, double value) {
      const base::Interval sample = axis.interval(i);
      if (!sample.empty() && !std::isnan(value)) tracks.value(track, sample.begin, value);
    });
  }
}

}  // namespace

void perfetto_tracks(const model::Capture& capture, const Analysis& a, const PacketSink& sink,
                     const Passes* passes) {
  const bool of_trace = capture.format == "perfetto";
  const std::int64_t zero = of_trace ? 0 : std::min<std::int64_t>(0, a.span.begin.value);
  Tracks tracks(sink, capture.insertion, zero);
  if (!of_trace) write_counters(tracks, capture);
  const Track root = tracks.add("Tilebound");
  write_verdict(tracks, root, a);
  write_findings(tracks, root, a);
  write_frames(tracks, root, a);
  for (const analyze::Lane& lane : all_lanes(capture, a, passes)) {
    if (!is_of_input(capture, lane)) write_lane(tracks, root, lane);
  }
  const analyze::UnitBins bins = analyze::unit_bins(capture, a);
  write_holes(tracks, root, bins);
  write_units(tracks, root, bins);
}

}  // namespace tilebound::report
