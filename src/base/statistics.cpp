#include "base/statistics.h"

#include <algorithm>
#include <vector>

namespace tilebound::base {

std::optional<double> ratio(double numerator, double denominator) {
  const double r = numerator / denominator;
  if (denominator == 0 || std::isnan(r) || std::isinf(r)) return std::nullopt;
  return r;
}

std::optional<double> quantile(std::span<const double> values, double q) {
  if (values.empty()) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  const double position = std::clamp(q, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(position);
  const auto nth = sorted.begin() + static_cast<std::ptrdiff_t>(low);
  std::nth_element(sorted.begin(), nth, sorted.end());
  const double a = *nth;
  if (low + 1 == sorted.size()) return a;
  const double b = *std::min_element(nth + 1, sorted.end());
  return a + (position - static_cast<double>(low)) * (b - a);
}

std::optional<double> mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  Sum sum;
  for (const double v : values) sum.add(v);
  return sum.value() / static_cast<double>(values.size());
}

double share_at_least(double hits, double count) {
  if (count <= 0) return 0;
  const double share = hits / count;
  const double half = std::sqrt(share * (1 - share) / count + 1 / (4 * count * count));
  return std::max(0.0, (share + 1 / (2 * count) - half) / (1 + 1 / count));
}

std::optional<double> standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const double m = *mean(values);
  Sum squares;
  for (const double v : values) squares.add((v - m) * (v - m));
  return std::sqrt(squares.value() / static_cast<double>(values.size() - 1));
}

}  // namespace tilebound::base
