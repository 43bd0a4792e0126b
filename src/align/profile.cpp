#include "align/profile.h"

#include <algorithm>
#include <cmath>

#include "base/statistics.h"

namespace tilebound::align {

namespace {

/// Value of a prefix sum at a place between bins.
double at(const std::vector<double>& prefix, double place) {
  const double within = std::clamp(place, 0.0, static_cast<double>(prefix.size() - 1));
  const auto below = std::min(static_cast<std::size_t>(within), prefix.size() - 2);
  const double share = within - static_cast<double>(below);
  return prefix[below] + share * (prefix[below + 1] - prefix[below]);
}

/// Adds `amount`, spread evenly over [from, to), to bins of a circle.
void spread_over(std::vector<double>& bins, double from, double to, double amount) {
  const auto count = static_cast<double>(bins.size());
  const double length = to - from;
  if (length <= 0 || length > count) return;
  double place = from;
  while (place < to) {
    const double next = std::min(to, std::floor(place) + 1);
    const double wrapped = place - std::floor(place / count) * count;
    const auto bin = std::min(bins.size() - 1, static_cast<std::size_t>(wrapped));
    bins[bin] += amount * (next - place) / length;
    place = next;
  }
}

}  // namespace

Profile::Profile(std::span<const double> position, double start, Run run,
                 std::span<const std::vector<double>* const> columns, double period,
                 std::size_t bins)
    : period_(period), bins_(bins) {
  const double scale = static_cast<double>(bins) / period;
  std::vector<double> progress(bins, 0);
  amounts_.assign(columns.size(), std::vector<double>(bins, 0));
  double from = start;
  for (std::size_t i = run.first; i < run.last; ++i) {
    const double to = position[i];
    spread_over(progress, from * scale, to * scale, to - from);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      spread_over(amounts_[c], from * scale, to * scale, (*columns[c])[i]);
    }
    from = to;
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    double total = 0;
    double covered = 0;
    for (std::size_t b = 0; b < bins; ++b) {
      total += amounts_[c][b];
      covered += progress[b];
    }
    if (total <= 0 || covered <= 0) continue;
    const double mean = total / covered;
    std::vector<double> value(bins);
    for (std::size_t b = 0; b < bins; ++b) {
      value[b] = progress[b] > 0 ? std::log1p(amounts_[c][b] / progress[b] / mean) : 0;
    }
    std::vector<double> steps;
    for (std::size_t b = 0; b < bins; ++b) {
      const double step = value[(b + 1) % bins] - value[b];
      steps.push_back(step * step);
    }
    // The median of squared normal values is 0.455 of their mean; a step is of two.
    noise_ += base::median(steps).value_or(0) / 0.455 / 2;
    Sums sums;
    sums.value.push_back(0);
    sums.square.push_back(0);
    for (std::size_t b = 0; b < 2 * bins; ++b) {
      sums.value.push_back(sums.value.back() + value[b % bins]);
      sums.square.push_back(sums.square.back() + value[b % bins] * value[b % bins]);
    }
    sums_.push_back(std::move(sums));
  }
}

double Profile::spread(double from, double to) const {
  const double shift = std::floor(from / period_) * period_;
  const double begin = (from - shift) / bin();
  const double end = (to - shift) / bin();
  if (end - begin <= 0) return 0;
  double out = 0;
  for (const Sums& sums : sums_) {
    const double value = at(sums.value, end) - at(sums.value, begin);
    const double square = at(sums.square, end) - at(sums.square, begin);
    out += std::max(0.0, square - value * value / (end - begin));
  }
  return out;
}

}  // namespace tilebound::align
