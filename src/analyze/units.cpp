#include "analyze/units.h"

#include <algorithm>
#include <utility>

#include "base/statistics.h"
#include "devices/expression.h"
#include "devices/profile.h"

namespace tilebound::analyze {

namespace {

std::vector<std::string> missing_names(const devices::Expression& work, const Totals& totals) {
  std::vector<std::string> out;
  for (const std::string& name : work.names()) {
    if (name == "ZOOM" || name == "MaliConstantsShaderCoreCount" || totals.find(name)) continue;
    const auto* definition = devices::find_counter(name);
    const std::string& machine = definition != nullptr ? definition->machine_name : name;
    if (std::find(out.begin(), out.end(), machine) == out.end()) out.push_back(machine);
  }
  return out;
}

/// The peak in the basis that the work is known in; nothing where a core count is lacking.
std::optional<model::Peak> peak_in(const model::UnitPath& path, Basis basis, const Cores& cores) {
  if (!path.peak) return std::nullopt;
  model::Peak peak = *path.peak;
  if (peak.per == model::PeakPer::core_cycle && basis == Basis::gpu) {
    if (!cores.count) return std::nullopt;
    peak.value *= *cores.count;
  }
  return peak;
}

}  // namespace

UnitModel::UnitModel(const model::Device& device, const Totals& totals)
    : totals_(totals), core_cycles_counter_(device.core_cycles_counter) {
  for (const std::string_view id : devices::unit_ids()) {
    for (const model::Unit& unit : device.units) {
      if (unit.id != id) continue;
      Unit compiled{unit.id, unit.label, {}};
      for (const model::UnitPath& path : unit.paths) {
        devices::Expression work = devices::Expression::parse(path.work);
        std::vector<std::string> missing = missing_names(work, totals);
        compiled.paths.push_back({path, std::move(work), std::move(missing)});
      }
      units_.push_back(std::move(compiled));
    }
  }
}

std::optional<double> UnitModel::peak_cycles(model::PeakPer per, Basis basis,
                                             const Activity& activity, std::size_t w) const {
  if (per == model::PeakPer::core_cycle) {
    // Newer Malis clock the shader cores apart and count their cycles by core, as they do the work.
    if (core_cycles_counter_) return totals_.total(*core_cycles_counter_, w, basis);
    if (!activity.active) return std::nullopt;
    if (basis == Basis::core) return activity.active->value;
    if (!totals_.cores().count) return std::nullopt;
    return activity.active->value * *totals_.cores().count;
  }
  if (!activity.active) return std::nullopt;
  return activity.active->value;
}

PathLoad UnitModel::path_load(const Path& compiled, const Activity& activity, std::size_t w) const {
  const model::UnitPath& path = compiled.path;
  PathLoad out;
  out.id = path.id;
  out.label = path.label;
  out.work_unit = path.work_unit;
  out.missing = compiled.missing;
  // Without a core count the GPU's total of averaged counters is unknown, but one core's is not,
  // and a peak per core cycle needs no more.
  out.work = compiled.work.evaluate(totals_.lookup(w, Basis::gpu));
  if (!out.work && path.peak && path.peak->per == model::PeakPer::core_cycle) {
    out.basis = Basis::core;
    out.work = compiled.work.evaluate(totals_.lookup(w, Basis::core));
  }
  const auto busy = activity.busy();
  if (path.ready_percent) {
    out.active_percent = out.work;
    if (out.work && busy) out.sol_percent = *out.work * *busy;
    return out;
  }
  out.peak = peak_in(path, out.basis, totals_.cores());
  if (!out.work) return out;
  if (activity.active) out.per_cycle = base::ratio(*out.work, activity.active->value);
  out.per_second = base::ratio(*out.work, base::seconds(activity.covered));
  if (!out.peak) return out;
  if (out.peak->per == model::PeakPer::second) {
    if (out.per_second) out.sol_percent = 100 * *out.per_second / out.peak->value;
    if (const auto seconds = activity.active_seconds()) {
      const auto rate = base::ratio(*out.work, *seconds);
      if (rate) out.active_percent = 100 * *rate / out.peak->value;
    }
    return out;
  }
  const auto cycles = peak_cycles(out.peak->per, out.basis, activity, w);
  const auto used = cycles ? base::ratio(*out.work, *cycles * path.peak->value) : std::nullopt;
  if (used) out.active_percent = 100 * *used;
  // Elapsed cycles are active ones over the busy share, in whichever clock domain.
  if (used && busy) out.sol_percent = 100 * *used * *busy;
  return out;
}

UnitLoad UnitModel::unit_load(const Unit& unit, const Activity& activity, std::size_t w) const {
  UnitLoad out;
  out.id = unit.id;
  out.label = unit.label;
  for (const Path& path : unit.paths) {
    out.paths.push_back(path_load(path, activity, w));
    const PathLoad& load = out.paths.back();
    const auto percent = load.sol_percent ? load.sol_percent : load.active_percent;
    if (percent && (!out.percent() || *percent > *out.percent())) {
      out.busiest = out.paths.size() - 1;
      out.sol_percent = load.sol_percent;
      out.active_percent = load.active_percent;
    }
  }
  // A path judged per second and one judged per cycle rank differently once idle time is left out.
  for (const PathLoad& load : out.paths) {
    if (load.active_percent && out.active_percent) {
      out.active_percent = std::max(*out.active_percent, *load.active_percent);
    }
  }
  return out;
}

std::vector<UnitLoad> UnitModel::loads(const Activity& activity, std::size_t w) const {
  std::vector<UnitLoad> out;
  out.reserve(units_.size());
  for (const Unit& unit : units_) out.push_back(unit_load(unit, activity, w));
  std::stable_sort(out.begin(), out.end(), [](const UnitLoad& a, const UnitLoad& b) {
    return a.percent().value_or(-1) > b.percent().value_or(-1);
  });
  return out;
}

}  // namespace tilebound::analyze
