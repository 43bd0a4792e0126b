#pragma once

#include <vector>

#include "analyze/clock.h"
#include "analyze/sampling.h"
#include "devices/catalogue.h"
#include "model/capture.h"

/// The counters that show frames, as shares and rates of each sample.
namespace tilebound::analyze {

/// Parallel vectors, an entry for each usable sample in time order. Samples in holes, without an
/// interval or without a value are left out.
struct FrameSignals {
  std::vector<base::Interval> interval;
  /// GPU-active cycles since the first sample, at the sample's end; lost samples are made up for.
  std::vector<double> position;
  std::vector<double> amount;             // GPU-active cycles of the sample
  std::vector<double> busy;               // 0..1 of the clock's cycles
  std::vector<double> geometry;           // 0..1: tiler or vertex queue active
  std::vector<double> fragment;           // 0..1: fragment queue active
  std::vector<std::vector<double>> work;  // other counters, a vector each: amounts in the sample
  std::size_t geometry_work = 0;          // how many of them, at the front, count geometry
  bool has_geometry = false;
  bool has_fragment = false;
  double period_ns = 0;  // median

  std::size_t size() const { return interval.size(); }
};

/// Samples inside `window` of the axis of `active`, the counter of GPU-active cycles.
FrameSignals frame_signals(const model::Capture& capture, const devices::Binding& binding,
                           const model::Counter& active, const Clock& clock, base::Interval window);

}  // namespace tilebound::analyze
