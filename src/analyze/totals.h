#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/cores.h"
#include "analyze/sampling.h"
#include "devices/catalogue.h"
#include "devices/expression.h"
#include "model/capture.h"

/// Totals of a capture's counters over windows, as the whole GPU's or as one core's.
namespace tilebound::analyze {

/// Whose work a total is.
enum class Basis : std::uint8_t {
  gpu,   // the whole GPU: averaged shader-core counters times the cores
  core,  // one shader core on average; counters of other blocks stay the GPU's
};

class Totals {
 public:
  /// `windows` ascend and do not overlap; `samplings` is parallel to the capture's axes. Keeps
  /// references to all but the windows.
  Totals(const model::Capture& capture, const devices::Binding& binding, const Cores& cores,
         std::span<const Sampling> samplings, std::vector<base::Interval> windows);

  std::size_t window_count() const { return windows_.size(); }
  base::Interval window(std::size_t w) const { return windows_[w]; }

  const model::Capture& capture() const { return capture_; }
  const devices::Binding& binding() const { return binding_; }
  const Cores& cores() const { return cores_; }

  /// One of the capture's counters, as delivered.
  const Integral& integral(std::size_t counter, std::size_t w) const;

  /// The covers of an axis by the windows.
  std::span<const Cover> covers(std::size_t axis) const;

  /// Total of a counter by any spelling; a percent or level counter gives its time average.
  /// Time of covered(w) without a value of this counter is made up for by its mean. Nothing where
  /// the capture has no such counter, where more than half of its samples' time is missing, or
  /// where its basis needs a core count that is unknown.
  std::optional<double> total(std::string_view name, std::size_t w, Basis basis) const;

  /// total() of one of the capture's counters before its core factor; a percent or level counter
  /// gives its time average, or that over busy time (of_busy_time).
  std::optional<double> delivered(std::size_t counter, std::size_t w) const;

  /// Whether a percentage is of GPU-busy time. Its average is then weighted by GPU-active cycles,
  /// so that idle samples, which read 0, do not count against it.
  bool of_busy_time(std::size_t counter) const;

  /// What delivered() is multiplied by: 1 but for totals of shader-core counters. Nothing where the
  /// basis needs a core count that is unknown.
  std::optional<double> factor(std::size_t counter, Basis basis) const;

  /// total() as a function for expressions; $ZOOM is the covered time of the window in seconds.
  devices::Expression::Lookup lookup(std::size_t w, Basis basis) const;

  /// Time of the window that the sampled axes cover: the longest of them.
  base::Nanoseconds covered(std::size_t w) const;

  /// Index of a counter by any spelling, sampled and of this GPU.
  std::optional<std::size_t> find(std::string_view name) const;

 private:
  const model::Capture& capture_;
  const devices::Binding& binding_;
  std::optional<double> busy_average(std::size_t counter, std::size_t w) const;

  const Cores& cores_;
  std::vector<base::Interval> windows_;
  std::optional<std::size_t> active_;                     // counter of GPU-active cycles
  std::vector<std::vector<Cover>> covers_;                // by axis
  mutable std::vector<std::vector<Integral>> integrals_;  // by counter, filled on first use
  mutable std::vector<std::vector<std::optional<double>>> busy_averages_;  // likewise
  mutable std::map<std::string, std::optional<std::size_t>, std::less<>> found_;
};

}  // namespace tilebound::analyze
