#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// Linear least squares with many rows, few unknowns and several right-hand sides.
namespace tilebound::align {

/// One coefficient of a row.
struct Entry {
  std::size_t unknown = 0;
  double factor = 0;
};

/// Sums of rows; those of several groups add up.
class NormalEquations {
 public:
  NormalEquations(std::size_t unknowns, std::size_t sides);

  /// factors . x = values, for each side; weighted alike.
  void add(std::span<const Entry> row, std::span<const double> values);
  void add(const NormalEquations& other);
  void subtract(const NormalEquations& other);

  std::size_t unknowns() const { return unknowns_; }
  std::size_t sides() const { return sides_; }
  /// Sum of squared factors of an unknown: how much the rows say of it.
  double weight(std::size_t unknown) const { return matrix_[unknown * unknowns_ + unknown]; }

  /// Unknowns of every side: side s, unknown u at [s * unknowns() + u]. Unknowns that no row names
  /// are 0. A small ridge keeps unknowns apart that rows do not tell apart.
  std::vector<double> solve() const;

 private:
  std::size_t unknowns_;
  std::size_t sides_;
  std::vector<double> matrix_;  // lower triangle is kept
  std::vector<double> right_;   // side by side
};

}  // namespace tilebound::align
