#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/compare/run.h"

/// Two sides, one or more runs each, and how sure any number made of their counters is.
namespace tilebound::analyze {

/// Chance that a table of counters, all of them unchanged, shows any as changed.
inline constexpr double kFamilyError = 0.01;
/// Smaller changes are never claimed: capture edges and rounding make them.
inline constexpr double kLeastChange = 0.005;

/// Key of the length of a frame in ms, beside those of counters.
inline constexpr std::string_view kFrameKey = "frame_ms";

/// A number with its interval of 95 %.
struct Estimate {
  double value = 0;
  double error = 0;  // standard error
  double low = 0;
  double high = 0;
};

/// Per-frame values of one moment: the measured ones, or those of one resample.
class Draw {
 public:
  using Column = std::map<std::string, std::vector<double>, std::less<>>;
  Draw(const Column& a, const Column& b, std::size_t row) : a_(a), b_(b), row_(row) {}
  /// Of a counter by key; NaN for one that the side lacks.
  double a(std::string_view key) const { return at(a_, key); }
  double b(std::string_view key) const { return at(b_, key); }

 private:
  double at(const Column& columns, std::string_view key) const {
    const auto found = columns.find(key);
    return found == columns.end() ? std::nan("") : found->second[row_];
  }
  const Column& a_;
  const Column& b_;
  std::size_t row_;
};

/// How one quantity changed from A to B.
struct Change {
  bool known = false;  // both sides have it
  double a = 0;
  double b = 0;
  std::optional<Estimate> ratio;  // B / A; nothing where A is 0
  bool significant = false;       // beyond the noise of the whole table, and kLeastChange
  bool rose() const { return significant && b > a; }
  bool fell() const { return significant && b < a; }
  /// Known, and not changed by more than `share`.
  bool equal(double share = 0.01) const;
};

class Pair {
 public:
  /// Keeps references to the runs. `seed` decides the resamples.
  Pair(std::span<const Run> a, std::span<const Run> b, std::uint64_t seed);

  std::span<const Run> a() const { return a_; }
  std::span<const Run> b() const { return b_; }

  /// Per frame, mean over runs; nothing where a run of the side lacks the counter.
  bool has(std::string_view key) const;
  double mean_a(std::string_view key) const { return point().a(key); }
  double mean_b(std::string_view key) const { return point().b(key); }

  /// Is there enough to judge noise by?
  bool judged() const { return judged_; }

  /// Any function of per-frame values, with its spread over resamples.
  Estimate estimate(const std::function<double(const Draw&)>& f) const;

  /// A counter's change.
  Change change(std::string_view key) const;
  /// The change of a quantity that both sides have: f(true) is A's value, f(false) B's. `scaled`
  /// says that an error of the frame rate moves it.
  using Quantity = std::function<double(const Draw&, bool of_a)>;
  Change change_of(const Quantity& quantity, bool scaled) const;
  /// Change of numerator / denominator.
  Change share(std::string_view numerator, std::string_view denominator) const;

  /// How many standard errors a change must exceed.
  double critical() const { return critical_; }
  /// How far per-frame values of both sides may be off because frame rates were given rounded.
  double rate_uncertainty() const { return rate_uncertainty_; }
  std::size_t counters_judged() const { return judged_counters_; }

 private:
  Draw point() const { return {columns_a_, columns_b_, 0}; }
  Draw row(std::size_t i) const { return {columns_a_, columns_b_, i}; }

  std::span<const Run> a_;
  std::span<const Run> b_;
  /// By key: the measured value first, then the resamples'.
  Draw::Column columns_a_;
  Draw::Column columns_b_;
  std::size_t rows_ = 1;
  double critical_ = 0;
  double interval_ = 2;  // standard errors of a 95 % interval
  double rate_uncertainty_ = 0;
  std::size_t judged_counters_ = 0;
  bool judged_ = false;
};

}  // namespace tilebound::analyze
