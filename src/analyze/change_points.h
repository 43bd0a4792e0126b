#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// Where a series of several values changes: the cut into stretches of nearly constant values that
/// costs least. A stretch costs the weighted sum of squared distances from its weighted mean, a cut
/// costs a penalty. Exact optimal partitioning with the pruning of R. Killick, P. Fearnhead and
/// I. A. Eckley ("Optimal Detection of Changepoints With a Linear Computational Cost", 2012): the
/// number of stretches follows from the penalty, and where they are long against the series the
/// time is near linear.
namespace tilebound::analyze {

/// Rows of `width` values, one after another, with a weight each.
struct Series {
  std::size_t width = 0;
  std::vector<double> values;   // row by row
  std::vector<double> weights;  // a row

  std::size_t size() const { return weights.size(); }
  std::span<const double> row(std::size_t i) const {
    return std::span<const double>(values).subspan(i * width, width);
  }
};

/// First rows of all stretches but the first, ascending. No stretch has fewer than `shortest` rows,
/// so a series of fewer than twice as many has no cut.
std::vector<std::size_t> change_points(const Series& series, double penalty, std::size_t shortest);

/// How much costlier the series [first, last) is in one stretch than cut at `cut`.
double gain_of_cut(const Series& series, std::size_t first, std::size_t cut, std::size_t last);

/// Variance of a row's values around the local level, summed over the row: half the mean square of
/// steps between neighbours, the largest tenth of steps (the changes themselves) left out.
double local_variance(const Series& series);

}  // namespace tilebound::analyze
