#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyze/activity.h"
#include "analyze/totals.h"
#include "devices/expression.h"
#include "model/device.h"

/// Percent of peak of each hardware unit.
namespace tilebound::analyze {

/// One path of a unit over a window.
struct PathLoad {
  std::string id;
  std::string label;
  std::string work_unit;
  std::optional<double> work;  // in work_unit, for `basis`
  Basis basis = Basis::gpu;
  std::optional<double> per_cycle;       // work per GPU-active cycle
  std::optional<double> per_second;      // work per second of covered time
  std::optional<model::Peak> peak;       // of the whole GPU, or of one core when basis is core
  std::optional<double> sol_percent;     // of peak x elapsed cycles: idle counts
  std::optional<double> active_percent;  // of peak x GPU-active cycles
  std::vector<std::string> missing;      // counters that the expression needs and the capture lacks
};

struct UnitLoad {
  std::string id;
  std::string label;
  std::vector<PathLoad> paths;
  /// Of the busiest path; nothing when no path could be judged.
  std::optional<double> sol_percent;
  std::optional<double> active_percent;
  std::optional<std::size_t> busiest;  // index into paths

  /// What the unit is judged by: sol_percent, active_percent without a clock.
  std::optional<double> percent() const { return sol_percent ? sol_percent : active_percent; }
};

/// A device's units with their expressions parsed and checked against what a capture holds, to be
/// evaluated over any number of windows.
class UnitModel {
 public:
  /// Keeps a reference to `totals`.
  UnitModel(const model::Device& device, const Totals& totals);

  /// All units over window `w`, by percent(), highest first; equal ones and those without a
  /// percentage in the order of devices::unit_ids(), the latter last.
  std::vector<UnitLoad> loads(const Activity& activity, std::size_t w) const;

 private:
  struct Path {
    model::UnitPath path;
    devices::Expression work;
    std::vector<std::string> missing;
  };
  struct Unit {
    std::string id;
    std::string label;
    std::vector<Path> paths;
  };
  PathLoad path_load(const Path& path, const Activity& activity, std::size_t w) const;
  UnitLoad unit_load(const Unit& unit, const Activity& activity, std::size_t w) const;

  /// GPU-active cycles that a peak of `per` is counted against, in the same basis as the work.
  std::optional<double> peak_cycles(model::PeakPer per, Basis basis, const Activity& activity,
                                    std::size_t w) const;

  const Totals& totals_;
  std::optional<std::string> core_cycles_counter_;
  std::vector<Unit> units_;
};

}  // namespace tilebound::analyze
