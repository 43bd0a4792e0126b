#include "align/least_squares.h"

#include <algorithm>
#include <cmath>

namespace tilebound::align {

namespace {

/// Share of the mean diagonal that is added to it: far below what a single row weighs.
constexpr double kRidge = 1e-6;

}  // namespace

NormalEquations::NormalEquations(std::size_t unknowns, std::size_t sides)
    : unknowns_(unknowns),
      sides_(sides),
      matrix_(unknowns * unknowns, 0),
      right_(unknowns * sides, 0) {}

void NormalEquations::add(std::span<const Entry> row, std::span<const double> values) {
  for (const Entry& a : row) {
    for (const Entry& b : row) {
      if (b.unknown <= a.unknown) matrix_[a.unknown * unknowns_ + b.unknown] += a.factor * b.factor;
    }
    for (std::size_t s = 0; s < sides_; ++s) {
      right_[s * unknowns_ + a.unknown] += a.factor * values[s];
    }
  }
}

void NormalEquations::add(const NormalEquations& other) {
  for (std::size_t i = 0; i < matrix_.size(); ++i) matrix_[i] += other.matrix_[i];
  for (std::size_t i = 0; i < right_.size(); ++i) right_[i] += other.right_[i];
}

void NormalEquations::subtract(const NormalEquations& other) {
  for (std::size_t i = 0; i < matrix_.size(); ++i) matrix_[i] -= other.matrix_[i];
  for (std::size_t i = 0; i < right_.size(); ++i) right_[i] -= other.right_[i];
}

std::vector<double> NormalEquations::solve() const {
  const std::size_t n = unknowns_;
  double mean = 0;
  for (std::size_t i = 0; i < n; ++i) mean += weight(i) / static_cast<double>(n);
  std::vector<double> l = matrix_;
  // Cholesky's factor, in place.
  for (std::size_t j = 0; j < n; ++j) {
    double* row = &l[j * n];
    for (std::size_t k = 0; k < j; ++k) {
      const double* other = &l[k * n];
      double value = row[k];
      for (std::size_t m = 0; m < k; ++m) value -= row[m] * other[m];
      row[k] = value / other[k];
    }
    double pivot = row[j] + kRidge * mean;
    for (std::size_t m = 0; m < j; ++m) pivot -= row[m] * row[m];
    row[j] = std::sqrt(std::max(pivot, kRidge * std::max(mean, 1e-300)));
  }
  std::vector<double> out = right_;
  for (std::size_t s = 0; s < sides_; ++s) {
    double* x = &out[s * n];
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] -= l[i * n + k] * x[k];
      x[i] /= l[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
      x[i] /= l[i * n + i];
      for (std::size_t k = 0; k < i; ++k) x[k] -= l[i * n + k] * x[i];
    }
  }
  return out;
}

}  // namespace tilebound::align
