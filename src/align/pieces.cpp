#include "align/pieces.h"

#include <algorithm>

namespace tilebound::align {

Pieces::Pieces(const Placement& placement, double period)
    : Pieces(placement, period, std::vector<std::vector<double>>(placement.passes.size())) {}

Pieces::Pieces(const Placement& placement, double period, std::span<const std::vector<double>> cuts)
    : period_(period) {
  // A gap between passes that is nothing but rounding is no piece.
  const double least = 1e-9 * period;
  double at = 0;
  for (std::size_t k = 0; k < placement.passes.size(); ++k) {
    const Stretch& pass = placement.passes[k];
    if (pass.from - at > least) {
      pieces_.push_back({{at, pass.from}, kNoPass});
      at = pass.from;
    }
    const double length = pass.to - at;
    double from = at;
    for (const double cut : cuts[k]) {
      pieces_.push_back({{from, at + cut * length}, k});
      from = pieces_.back().at.to;
    }
    pieces_.push_back({{from, pass.to}, k});
    at = pass.to;
  }
  if (period - at > least) {
    pieces_.push_back({{at, period}, kNoPass});
  } else {
    pieces_.back().at.to = period;
  }
}

std::size_t Pieces::piece_at(double place) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), place,
                                      [](double p, const Piece& piece) { return p < piece.at.to; });
  return after == pieces_.end() ? pieces_.size() - 1
                                : static_cast<std::size_t>(after - pieces_.begin());
}

}  // namespace tilebound::align
