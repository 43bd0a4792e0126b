#include "analyze/unit_bins.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "analyze/timeline.h"
#include "analyze/totals.h"
#include "devices/catalogue.h"

namespace tilebound::analyze {

UnitBins unit_bins(const model::Capture& capture, const Analysis& analysis, std::size_t most) {
  UnitBins out;
  const devices::Binding binding = devices::bind(capture, analysis.gpu);
  out.edges = bin_edges(capture, binding, most);
  out.of_elapsed = analysis.clock.known();
  std::map<std::string, std::size_t> place;
  for (const UnitLoad& unit : analysis.units) {
    place.emplace(unit.id, out.units.size());
    out.units.push_back({unit.id, unit.label, {}});
    out.units.back().percent.assign(out.size(), std::numeric_limits<double>::quiet_NaN());
  }
  std::vector<base::Interval> bins;
  for (std::size_t b = 0; b < out.size(); ++b) bins.push_back({out.edges[b], out.edges[b + 1]});
  const std::vector<Sampling> samplings = samplings_of(capture);
  const Totals totals(capture, binding, analysis.cores, samplings, std::move(bins));
  const UnitModel model(analysis.device, totals);
  std::vector<bool> seen(out.units.size(), false);
  for (std::size_t w = 0; w < totals.window_count(); ++w) {
    for (const UnitLoad& load : model.loads(activity(totals, analysis.clock, w), w)) {
      const auto& percent = out.of_elapsed ? load.sol_percent : load.active_percent;
      const auto at = place.find(load.id);
      if (!percent || at == place.end()) continue;
      out.units[at->second].percent[w] = *percent;
      seen[at->second] = true;
    }
  }
  std::vector<UnitBins::Unit> kept;
  for (std::size_t u = 0; u < out.units.size(); ++u) {
    if (seen[u]) kept.push_back(std::move(out.units[u]));
  }
  out.units = std::move(kept);
  return out;
}

}  // namespace tilebound::analyze
