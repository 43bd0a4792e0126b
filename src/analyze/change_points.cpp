#include "analyze/change_points.h"

#include <algorithm>
#include <limits>

namespace tilebound::analyze {

namespace {

/// Steps above this quantile count as changes, not as noise.
constexpr double kSteps = 0.9;

/// Costs of stretches from sums over all rows before each.
class Costs {
 public:
  explicit Costs(const Series& series) : width_(series.width) {
    const std::size_t rows = series.size() + 1;
    weight_.assign(rows, 0);
    square_.assign(rows, 0);
    sum_.assign(rows * width_, 0);
    for (std::size_t i = 0; i < series.size(); ++i) {
      const double w = series.weights[i];
      weight_[i + 1] = weight_[i] + w;
      square_[i + 1] = square_[i];
      for (std::size_t k = 0; k < width_; ++k) {
        const double v = series.values[i * width_ + k];
        square_[i + 1] += w * v * v;
        sum_[(i + 1) * width_ + k] = sum_[i * width_ + k] + w * v;
      }
    }
  }

  /// Of rows [first, last).
  double cost(std::size_t first, std::size_t last) const {
    const double weight = weight_[last] - weight_[first];
    if (weight <= 0) return 0;
    double of_mean = 0;
    for (std::size_t k = 0; k < width_; ++k) {
      const double sum = sum_[last * width_ + k] - sum_[first * width_ + k];
      of_mean += sum * sum;
    }
    return std::max(0.0, square_[last] - square_[first] - of_mean / weight);
  }

 private:
  std::size_t width_;
  std::vector<double> weight_;
  std::vector<double> square_;
  std::vector<double> sum_;
};

}  // namespace

std::vector<std::size_t> change_points(const Series& series, double penalty, std::size_t shortest) {
  const std::size_t rows = series.size();
  shortest = std::max<std::size_t>(1, shortest);
  if (rows < 2 * shortest) return {};
  const Costs costs(series);
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::vector<double> best(rows + 1, kNever);  // of the first `end` rows, a penalty a stretch
  std::vector<std::size_t> from(rows + 1, 0);  // where their last stretch begins
  best[0] = -penalty;
  struct Begin {
    std::size_t row = 0;
    std::size_t dead = std::numeric_limits<std::size_t>::max();  // loses at this end and later ones
  };
  std::vector<Begin> begins{{}};
  for (std::size_t end = shortest; end <= rows; ++end) {
    if (end >= 2 * shortest) begins.push_back({end - shortest});
    std::erase_if(begins, [end](const Begin& begin) { return begin.dead <= end; });
    for (const Begin& begin : begins) {
      const double total = best[begin.row] + costs.cost(begin.row, end) + penalty;
      if (total < best[end]) {
        best[end] = total;
        from[end] = begin.row;
      }
    }
    // A stretch that is costlier than one that ends here, without a penalty yet for the cut, stays
    // so however far it reaches, as soon as a stretch that begins here is long enough.
    for (Begin& begin : begins) {
      if (best[begin.row] + costs.cost(begin.row, end) > best[end]) {
        begin.dead = std::min(begin.dead, end + shortest);
      }
    }
  }
  std::vector<std::size_t> cuts;
  for (std::size_t at = from[rows]; at > 0; at = from[at]) cuts.push_back(at);
  std::reverse(cuts.begin(), cuts.end());
  return cuts;
}

double gain_of_cut(const Series& series, std::size_t first, std::size_t cut, std::size_t last) {
  const Costs costs(series);
  return costs.cost(first, last) - costs.cost(first, cut) - costs.cost(cut, last);
}

double local_variance(const Series& series) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < series.size(); ++i) {
    if (series.weights[i] <= 0 || series.weights[i - 1] <= 0) continue;
    double square = 0;
    for (std::size_t k = 0; k < series.width; ++k) {
      const double step = series.row(i)[k] - series.row(i - 1)[k];
      square += step * step;
    }
    steps.push_back(square);
  }
  if (steps.empty()) return 0;
  const auto quiet = static_cast<std::ptrdiff_t>(kSteps * static_cast<double>(steps.size()));
  std::nth_element(steps.begin(), steps.begin() + quiet, steps.end());
  double sum = 0;
  for (auto step = steps.begin(); step != steps.begin() + quiet; ++step) sum += *step;
  return quiet > 0 ? sum / static_cast<double>(quiet) / 2 : 0;
}

}  // namespace tilebound::analyze
