#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "analyze/clock.h"
#include "analyze/totals.h"
#include "analyze/units.h"
#include "base/units.h"
#include "model/device.h"

/// How units are loaded sample by sample: what a person sees in a timeline.
namespace tilebound::analyze {

/// Samples of the axis of GPU-active cycles; holes and samples of unknown length are left out.
struct UnitSeries {
  std::vector<base::Interval> interval;
  std::vector<double> active_ns;  // time that the GPU worked
  /// Share of that time in which a queue was busy, 0..1. Empty where it is not recorded.
  std::vector<double> fragment;
  std::vector<double> non_fragment;
  std::vector<std::string> units;  // ids, in the order of devices::unit_ids()
  /// Percent of peak while busy, by unit and sample; NaN where unavailable.
  std::vector<std::vector<float>> percent;
  /// Amounts of fragment work by sample, as delivered, so that only their ratios mean something.
  /// Empty where not recorded.
  std::vector<double> quads;       // rasterised
  std::vector<double> warps;       // of fragment shaders
  std::vector<double> primitives;  // that entered tiles
  double period_ns = 0;            // median length of a sample

  std::size_t size() const { return interval.size(); }
};

/// `loads` are those of any window of the capture, for the basis and peak that each path is judged
/// in; units without a percentage are left out. Empty without a counter of GPU-active cycles.
UnitSeries unit_series(const Totals& totals, const Clock& clock, const model::Device& device,
                       std::span<const UnitLoad> loads);

}  // namespace tilebound::analyze
