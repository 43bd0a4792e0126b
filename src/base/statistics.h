#pragma once

#include <cmath>
#include <optional>
#include <span>

namespace tilebound::base {

/// A running sum that does not lose small terms (Neumaier's variant of Kahan's summation).
class Sum {
 public:
  void add(double v) {
    const double t = total_ + v;
    lost_ += std::abs(total_) >= std::abs(v) ? (total_ - t) + v : (v - t) + total_;
    total_ = t;
  }
  double value() const { return total_ + lost_; }

 private:
  double total_ = 0;
  double lost_ = 0;
};

/// Numerator over denominator; nothing where the denominator is 0 or either is not a number.
std::optional<double> ratio(double numerator, double denominator);

/// The q-quantile (0..1) by linear interpolation between order statistics (Hyndman and Fan's
/// definition 7); nothing for an empty sample. Values need not be sorted.
std::optional<double> quantile(std::span<const double> values, double q);

inline std::optional<double> median(std::span<const double> values) {
  return quantile(values, 0.5);
}

/// Mean; nothing for an empty sample.
std::optional<double> mean(std::span<const double> values);

/// What a share of which `hits` of `count` were seen is at least, one standard error down: the
/// lower end of Wilson's interval (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927). 0 for a count of 0.
double share_at_least(double hits, double count);

/// Sample standard deviation (n - 1); nothing for fewer than two values.
std::optional<double> standard_deviation(std::span<const double> values);

}  // namespace tilebound::base
