#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "analyze/totals.h"
#include "base/units.h"

/// Counters sample by sample, on the samples of one axis.
namespace tilebound::analyze {

/// Amounts of counters in the samples of an axis, computed when first asked for. Holes and samples
/// of unknown length are left out, so that each column is parallel to intervals().
class Columns {
 public:
  /// Keeps a reference to `totals`.
  Columns(const Totals& totals, std::size_t axis);

  std::size_t size() const { return kept_.size(); }
  std::size_t axis() const { return axis_; }
  const std::vector<base::Interval>& intervals() const { return intervals_; }
  double period_ns() const { return period_ns_; }  // median length of a sample

  /// As delivered: the amount of a count or rate, the average of the others. NaN where unavailable.
  /// A counter of another axis is spread evenly over each of its own samples.
  const std::vector<double>& delivered(std::size_t counter);

  /// delivered() of the counter with that machine name; null where this axis does not sample it.
  const std::vector<double>* on_axis(std::string_view machine_name);

 private:
  std::vector<double> read(std::size_t counter) const;

  const Totals& totals_;
  std::size_t axis_;
  double period_ns_ = 0;
  std::vector<std::size_t> kept_;
  std::vector<base::Interval> intervals_;
  std::map<std::size_t, std::vector<double>> columns_;
};

}  // namespace tilebound::analyze
