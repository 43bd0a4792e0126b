#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "align/placement.h"

/// A frame's axis cut into pieces: passes, parts of long passes, and what lies between passes.
namespace tilebound::align {

inline constexpr std::size_t kNoPass = SIZE_MAX;

struct Piece {
  Stretch at;                  // from the frame's origin
  std::size_t pass = kNoPass;  // into Placement::passes
};

class Pieces {
 public:
  /// Passes whole.
  Pieces(const Placement& placement, double period);
  /// `cuts` holds, for each pass, the ascending shares of it, between 0 and 1, where it is cut.
  Pieces(const Placement& placement, double period, std::span<const std::vector<double>> cuts);

  std::size_t size() const { return pieces_.size(); }
  const Piece& operator[](std::size_t i) const { return pieces_[i]; }
  double period() const { return period_; }

  /// Calls f(piece, share of that piece) for what lies in [from, to), places relative to the origin
  /// of any frame; the axis is a circle, and the stretch may wrap.
  template <typename F>
  void for_shares(double from, double to, F&& f) const {
    if (!(to > from)) return;
    double base = std::floor(from / period_) * period_;
    std::size_t i = piece_at(from - base);
    while (base + pieces_[i].at.from < to) {
      const Stretch& at = pieces_[i].at;
      const double first = std::max(from, base + at.from);
      const double last = std::min(to, base + at.to);
      if (last > first) f(i, (last - first) / at.length());
      if (++i == pieces_.size()) {
        i = 0;
        base += period_;
      }
    }
  }

 private:
  std::size_t piece_at(double place) const;

  double period_;
  std::vector<Piece> pieces_;
};

}  // namespace tilebound::align
