#include "base/column.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/statistics.h"

namespace tilebound::base {

namespace {

/// Largest number of shader cores whose average is looked for.
constexpr std::uint32_t kLargestDivisor = 64;

template <typename Int>
std::unique_ptr<std::byte[]> narrow(std::span<const double> values, double divisor) {
  auto data = std::make_unique_for_overwrite<std::byte[]>(values.size() * sizeof(Int));
  auto* out = reinterpret_cast<Int*>(data.get());
  for (std::size_t i = 0; i < values.size(); ++i) {
    out[i] = static_cast<Int>(std::nearbyint(values[i] * divisor));
  }
  return data;
}

template <typename Int>
void widen(const std::byte* data, double divisor, std::span<double> out) {
  const auto* in = reinterpret_cast<const Int*>(data);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(in[i]) / divisor;
}

}  // namespace

void Column::append(std::span<const double> values) {
  for (const double v : values) push_back(v);
}

bool Column::pack_integers(std::uint32_t divisor, Block& block) const {
  double largest = 0;
  bool exact = true;
  const double d = divisor;
  if (divisor == 1) {
    for (const double v : tail_) {
      exact &= v >= 0 && v <= std::numeric_limits<std::uint32_t>::max() && v == std::nearbyint(v);
      largest = std::max(largest, v);
    }
  } else {
    for (const double v : tail_) {
      const double scaled = std::nearbyint(v * d);
      exact &=
          scaled >= 0 && scaled <= std::numeric_limits<std::uint32_t>::max() && scaled / d == v;
      largest = std::max(largest, scaled);
    }
  }
  if (!exact) return false;
  block.divisor = divisor;
  if (largest <= std::numeric_limits<std::uint8_t>::max()) {
    block.form = Form::u8;
    block.data = narrow<std::uint8_t>(tail_, d);
  } else if (largest <= std::numeric_limits<std::uint16_t>::max()) {
    block.form = Form::u16;
    block.data = narrow<std::uint16_t>(tail_, d);
  } else {
    block.form = Form::u32;
    block.data = narrow<std::uint32_t>(tail_, d);
  }
  return true;
}

void Column::pack() {
  Block block;
  const double first = tail_.front();
  if (std::all_of(tail_.begin(), tail_.end(), [first](double v) { return v == first; })) {
    block.constant = first;
  } else if (!pack_integers(1, block) && (divisor_ == 1 || !pack_integers(divisor_, block))) {
    // A divisor must fit the first value that is no integer, before the whole block is tried.
    const auto odd =
        std::find_if(tail_.begin(), tail_.end(), [](double v) { return v != std::nearbyint(v); });
    bool packed = false;
    for (std::uint32_t d = 2; odd != tail_.end() && d <= kLargestDivisor && !packed; ++d) {
      packed = std::nearbyint(*odd * d) / d == *odd && pack_integers(d, block);
      if (packed) divisor_ = d;
    }
    if (!packed) {
      block.form = Form::f64;
      block.data = std::make_unique_for_overwrite<std::byte[]>(kBlock * sizeof(double));
      std::memcpy(block.data.get(), tail_.data(), kBlock * sizeof(double));
    }
  }
  blocks_.push_back(std::move(block));
  tail_.clear();
}

std::span<const double> Column::block(std::size_t index, std::span<double> scratch) const {
  if (index == blocks_.size()) return tail_;
  const Block& b = blocks_[index];
  const std::span<double> out = scratch.first(kBlock);
  switch (b.form) {
    case Form::constant:
      std::fill(out.begin(), out.end(), b.constant);
      break;
    case Form::u8:
      widen<std::uint8_t>(b.data.get(), b.divisor, out);
      break;
    case Form::u16:
      widen<std::uint16_t>(b.data.get(), b.divisor, out);
      break;
    case Form::u32:
      widen<std::uint32_t>(b.data.get(), b.divisor, out);
      break;
    case Form::f64:
      std::memcpy(out.data(), b.data.get(), kBlock * sizeof(double));
      break;
  }
  return out;
}

double Column::at(std::size_t index) const {
  if (index / kBlock == blocks_.size()) return tail_[index % kBlock];
  double scratch[kBlock];
  return block(index / kBlock, scratch)[index % kBlock];
}

double Column::sum() const {
  Sum total;
  for_each([&total](std::size_t, double v) {
    if (!std::isnan(v)) total.add(v);
  });
  return total.value();
}

std::vector<double> Column::to_vector() const {
  std::vector<double> out;
  out.reserve(size());
  for_each([&out](std::size_t, double v) { out.push_back(v); });
  return out;
}

std::size_t Column::memory() const {
  std::size_t total = blocks_.capacity() * sizeof(Block) + tail_.capacity() * sizeof(double);
  for (const Block& b : blocks_) {
    switch (b.form) {
      case Form::constant:
        break;
      case Form::u8:
        total += kBlock;
        break;
      case Form::u16:
        total += kBlock * 2;
        break;
      case Form::u32:
        total += kBlock * 4;
        break;
      case Form::f64:
        total += kBlock * 8;
        break;
    }
  }
  return total;
}

}  // namespace tilebound::base
