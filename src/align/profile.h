#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "align/queue_track.h"

/// A frame's mix of work along an axis that every frame runs through: all frames laid on one.
namespace tilebound::align {

/// Samples [first, last) of a track.
struct Run {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Rates of a track's counters along [0, period), in bins of equal length; the axis is a circle.
class Profile {
 public:
  /// `position` holds the place on the axis where each sample ends, not wrapped; `start` that where
  /// the run's first sample begins. Columns are amounts by sample, parallel to the track.
  Profile(std::span<const double> position, double start, Run run,
          std::span<const std::vector<double>* const> columns, double period, std::size_t bins);

  double period() const { return period_; }
  std::size_t bins() const { return bins_; }
  double bin() const { return period_ / static_cast<double>(bins_); }

  /// Sum over counters of squared deviations of the bins in [from, to) from their mean; log scale,
  /// each counter against its own mean. `to` may be up to one period beyond `from`.
  double spread(double from, double to) const;

  /// Amounts of a column by bin, in the order of the columns given.
  std::span<const double> amounts(std::size_t column) const { return amounts_[column]; }

  /// What one bin deviates by through noise alone.
  double noise() const { return noise_; }

 private:
  struct Sums {
    std::vector<double> value;   // prefix sums over two periods
    std::vector<double> square;  // likewise
  };
  double period_;
  std::size_t bins_;
  std::vector<std::vector<double>> amounts_;  // by column
  std::vector<Sums> sums_;
  double noise_ = 0;
};

}  // namespace tilebound::align
