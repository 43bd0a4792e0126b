#pragma once

#include <compare>
#include <cstdint>

namespace tilebound::base {

/// A number with a meaning: values of different `Tag` do not mix.
template <typename Tag, typename Rep>
struct Quantity {
  Rep value{};

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity other) {
    value += other.value;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
};

/// A moment on the capture's clock, or a length of time: nanoseconds.
using Nanoseconds = Quantity<struct NanosecondsTag, std::int64_t>;
/// Clock cycles of the GPU; fractional, since windows cut samples.
using Cycles = Quantity<struct CyclesTag, double>;
/// Cycles per second.
using Hertz = Quantity<struct HertzTag, double>;

constexpr double seconds(Nanoseconds t) {
  return static_cast<double>(t.value) * 1e-9;
}
constexpr double milliseconds(Nanoseconds t) {
  return static_cast<double>(t.value) * 1e-6;
}

/// Cycles that a clock of `f` makes in `t`.
constexpr Cycles cycles_in(Hertz f, Nanoseconds t) {
  return {f.value * seconds(t)};
}

/// A half-open stretch of time (begin, end]: a counter sample, a frame, a range the user named.
struct Interval {
  Nanoseconds begin;
  Nanoseconds end;

  constexpr Nanoseconds length() const { return end - begin; }
  constexpr bool empty() const { return end <= begin; }
  constexpr bool operator==(const Interval&) const = default;
};

/// The common part of two intervals; empty() when they do not meet.
constexpr Interval overlap(Interval a, Interval b) {
  return {a.begin > b.begin ? a.begin : b.begin, a.end < b.end ? a.end : b.end};
}

}  // namespace tilebound::base
