#pragma once

#include <functional>
#include <string_view>

#include "analyze/analysis.h"
#include "model/capture.h"
#include "report/report.h"

/// Results as tracks of a Perfetto trace, to open in the viewer people already use.
namespace tilebound::report {

/// Takes serialized trace packets, one or several whole ones a call.
using PacketSink = std::function<void(std::string_view)>;

/// Packets to insert into the trace that `capture` was read from, at Capture::insertion: behind the
/// end of a long trace the viewer would drop them, since it reads those in windows of time. Of
/// other formats a trace of its own, with the counters as delivered as tracks, each value from the
/// begin of its sample.
///
/// Under a track "Tilebound": verdict, findings, frames (each from the previous one's end to its
/// own) and lanes as slices, "Tilebound SOL % <unit>" (active % without a clock) as counters, from
/// each bin's begin on. Counters hold their value where there is none; the slices of "Tilebound not
/// recorded" say where. Times are BOOTTIME; those before 0 of other formats are moved to begin at
/// 0.
void perfetto_tracks(const model::Capture& capture, const analyze::Analysis& analysis,
                     const PacketSink& sink, const Passes* passes = nullptr);

}  // namespace tilebound::report
