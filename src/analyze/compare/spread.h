#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// How far a mean over frames can be trusted, when neighbouring frames resemble each other.
namespace tilebound::analyze {

/// Integrated autocorrelation time of a series, in steps: 1 for independent values; the mean of n
/// values is as sure as that of n / tau independent ones. Lags count until the first one whose
/// correlation is within the noise of an independent series (2 / sqrt(n)).
double autocorrelation_time(std::span<const double> series);

/// Start positions of the blocks that make resamples of a series: the circular block bootstrap
/// (D. Politis, J. Romano, 1992). All series of a run share it, so that what moves together moves
/// together in the resamples.
class BlockBootstrap {
 public:
  /// Resamples of `length` values in blocks of `block`. The same seed gives the same resamples.
  BlockBootstrap(std::size_t length, std::size_t block, std::size_t resamples, std::uint64_t seed);

  std::size_t resamples() const { return resamples_; }
  std::size_t block() const { return block_; }
  std::size_t blocks() const { return blocks_; }

  /// Mean of each resample; NaN values are left out of it.
  std::vector<double> means(std::span<const double> series) const;

 private:
  std::size_t length_;
  std::size_t block_;
  std::size_t blocks_;  // a resample
  std::size_t resamples_;
  std::vector<std::uint32_t> starts_;
};

/// A pseudo-random sequence that is the same on every machine (splitmix64, S. Vigna).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Uniform in [0, 1).
  double uniform();
  double normal();

 private:
  std::uint64_t state_;
};

/// Two-sided quantile of Student's t: |t| exceeds it with probability `p` at `df` degrees of
/// freedom (G. W. Hill, CACM algorithm 396). df >= 1, 0 < p < 1.
double student_t(double p, double df);

}  // namespace tilebound::analyze
