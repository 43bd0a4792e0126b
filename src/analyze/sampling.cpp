#include "analyze/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/statistics.h"

namespace tilebound::analyze {

Sampling sampling_of(const model::TimeAxis& axis) {
  Sampling out;
  out.samples = axis.size();
  std::vector<double> lengths;
  lengths.reserve(axis.size());
  for (std::size_t i = 0; i < axis.size(); ++i) {
    const base::Interval interval = axis.interval(i);
    if (!interval.empty()) lengths.push_back(static_cast<double>(interval.length().value));
  }
  out.intervals = lengths.size();
  if (lengths.empty()) return out;
  out.median_ns = *base::median(lengths);
  const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
  out.shortest_ns = *shortest;
  out.longest_ns = *longest;
  // A source that gives each sample's begin says itself what is covered.
  if (!axis.begins_ns.empty()) return out;
  for (std::size_t i = 0; i < axis.size(); ++i) {
    const std::int64_t length = axis.interval(i).length().value;
    if (static_cast<double>(length) > kHolePeriods * out.median_ns) {
      out.holes.push_back(i);
      out.hole_ns += length;
    }
  }
  return out;
}

std::vector<Sampling> samplings_of(const model::Capture& capture) {
  std::vector<Sampling> out;
  for (const model::TimeAxis& axis : capture.axes) out.push_back(sampling_of(axis));
  return out;
}

std::vector<Cover> cover(const model::TimeAxis& axis, const Sampling& sampling,
                         std::span<const base::Interval> windows) {
  std::vector<Cover> covers(windows.size());
  const auto is_hole = [&sampling](std::size_t i) {
    return std::binary_search(sampling.holes.begin(), sampling.holes.end(), i);
  };
  const auto add = [](Cover& to, std::size_t i, double share) {
    if (!to.pieces.empty() && to.pieces.back().last == i && to.pieces.back().share == share) {
      ++to.pieces.back().last;
    } else {
      to.pieces.push_back({i, i + 1, share});
    }
  };
  std::size_t start = 0;  // first sample that may still matter
  for (std::size_t w = 0; w < windows.size(); ++w) {
    const base::Interval window = windows[w];
    while (start < axis.size() && axis.interval(start).end <= window.begin) ++start;
    for (std::size_t i = start; i < axis.size(); ++i) {
      const base::Interval sample = axis.interval(i);
      if (sample.begin >= window.end) break;
      const base::Interval part = base::overlap(sample, window);
      if (part.empty() || is_hole(i)) continue;
      add(covers[w], i,
          static_cast<double>(part.length().value) / static_cast<double>(sample.length().value));
      covers[w].covered += part.length();
    }
  }
  return covers;
}

std::optional<double> Integral::per_second() const {
  if (covered.value <= 0) return std::nullopt;
  return total / base::seconds(covered);
}

namespace {

/// The values of a column, block by block; short windows visit the same block again and again.
class Blocks {
 public:
  explicit Blocks(const base::Column& column) : column_(column) {}
  std::span<const double> get(std::size_t b) {
    if (b != held_) values_ = column_.block(b, scratch_);
    held_ = b;
    return values_;
  }

 private:
  const base::Column& column_;
  std::size_t held_ = std::numeric_limits<std::size_t>::max();
  std::span<const double> values_;
  double scratch_[base::Column::kBlock];
};

/// Sum over one piece; `weighted` multiplies each value by its interval in seconds.
void integrate_piece(const model::TimeAxis& axis, Blocks& blocks, const Piece& piece, bool weighted,
                     base::Sum& total, Integral& out) {
  for (std::size_t i = piece.first; i < piece.last;) {
    const std::size_t b = i / base::Column::kBlock;
    const std::size_t end = std::min(piece.last, (b + 1) * base::Column::kBlock);
    const std::span<const double> values = blocks.get(b).subspan(i % base::Column::kBlock, end - i);
    double sum = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double v = values[k];
      if (std::isnan(v)) {
        ++out.unavailable;
        const auto lost = static_cast<double>(axis.interval(i + k).length().value) * piece.share;
        out.covered = out.covered - base::Nanoseconds{std::llround(lost)};
      } else {
        sum += weighted ? v * base::seconds(axis.interval(i + k).length()) : v;
      }
    }
    total.add(sum * piece.share);
    i = end;
  }
}

}  // namespace

std::vector<Integral> integrate(const model::Capture& capture, const model::Counter& counter,
                                std::span<const Cover> covers) {
  std::vector<Integral> out(covers.size());
  if (!counter.sampled()) return out;
  const model::TimeAxis& axis = capture.axes[*counter.axis];
  const bool weighted = counter.kind != model::CounterKind::count;
  Blocks blocks(counter.values);
  for (std::size_t w = 0; w < covers.size(); ++w) {
    base::Sum total;
    out[w].covered = covers[w].covered;
    for (const Piece& piece : covers[w].pieces) {
      integrate_piece(axis, blocks, piece, weighted, total, out[w]);
    }
    out[w].total = total.value();
  }
  return out;
}

std::vector<std::optional<double>> weighted_averages(const model::Capture& capture,
                                                     const model::Counter& counter,
                                                     const model::Counter& weights,
                                                     std::span<const Cover> covers) {
  std::vector<std::optional<double>> out;
  out.reserve(covers.size());
  const model::TimeAxis& axis = capture.axes[*counter.axis];
  Blocks values(counter.values);
  Blocks amounts(weights.values);
  for (const Cover& cover : covers) {
    base::Sum sum;
    base::Sum total;
    for (const Piece& piece : cover.pieces) {
      for (std::size_t i = piece.first; i < piece.last; ++i) {
        const std::size_t b = i / base::Column::kBlock;
        const std::size_t k = i % base::Column::kBlock;
        const double value = values.get(b)[k];
        double amount = amounts.get(b)[k] * piece.share;
        if (weights.kind != model::CounterKind::count) {
          amount *= base::seconds(axis.interval(i).length());
        }
        if (std::isnan(value) || std::isnan(amount)) continue;
        sum.add(value * amount);
        total.add(amount);
      }
    }
    out.push_back(base::ratio(sum.value(), total.value()));
  }
  return out;
}

}  // namespace tilebound::analyze
