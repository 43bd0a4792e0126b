#include "base/column.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/statistics.h"

namespace tilebound::base {

namespace {

/// Largest number of shader cores whose average is looked for.
constexpr std::uint32_t kLargestDivisor = 64;

/// Adding this to an integer of magnitude below 2^51 puts it into the low bits of the double.
constexpr double kShift = 6755399441055744.0;  // 1.5 * 2^52

/// Nearest integer for magnitudes below 2^51; larger ones come back as something else. Plain
/// additions, which compilers vectorise on every processor, unlike std::nearbyint.
inline double rounded(double v) {
  return (v + kShift) - kShift;
}

/// Whether each value times `divisor` is an unsigned integer of 32 bits that gives the value back;
/// then `largest` is the largest such integer.
bool fit_integers(std::span<const double> values, double divisor, double& largest) {
  constexpr std::size_t kStep = 64;  // a misfit mostly shows in the first few values
  constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
  double most = 0;
  for (std::size_t begin = 0; begin < values.size(); begin += kStep) {
    const std::span<const double> step =
        values.subspan(begin, std::min(kStep, values.size() - begin));
    // Counted, as comparisons that add up vectorise better than ones that are and-ed.
    int misfits = 0;
    for (const double v : step) {
      const double scaled = rounded(v * divisor);
      misfits += static_cast<int>(scaled / divisor != v) + static_cast<int>(!(scaled >= 0)) +
                 static_cast<int>(!(scaled <= kMost));
      most = scaled > most ? scaled : most;
    }
    if (misfits != 0) return false;
  }
  largest = most;
  return true;
}

template <typename Int>
std::unique_ptr<std::byte[]> narrow(std::span<const double> values, double divisor) {
  auto data = std::make_unique_for_overwrite<std::byte[]>(values.size() * sizeof(Int));
  auto* out = reinterpret_cast<Int*>(data.get());
  for (std::size_t i = 0; i < values.size(); ++i) {
    out[i] = static_cast<Int>(std::bit_cast<std::uint64_t>(values[i] * divisor + kShift));
  }
  return data;
}

template <typename Int>
void widen(const std::byte* data, double divisor, std::span<double> out) {
  const auto* in = reinterpret_cast<const Int*>(data);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(in[i]) / divisor;
}

template <typename Int>
std::uint64_t add_up(const std::byte* data) {
  const auto* in = reinterpret_cast<const Int*>(data);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < Column::kBlock; ++i) total += in[i];
  return total;
}

}  // namespace

void Column::append(std::span<const double> values) {
  while (tail_.empty() && values.size() >= kBlock) {
    pack(values.first(kBlock));
    values = values.subspan(kBlock);
  }
  while (!values.empty()) {
    const std::size_t count = std::min(values.size(), kBlock - tail_.size());
    tail_.insert(tail_.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
    values = values.subspan(count);
    if (tail_.size() == kBlock) pack_tail();
  }
}

void Column::pack_tail() {
  pack(tail_);
  tail_.clear();
}

void Column::pack(std::span<const double> values) {
  Block block;
  const auto fits = [&](std::uint32_t divisor) {
    if (!fit_integers(values, divisor, block.constant)) return false;
    block.divisor = divisor;
    return true;
  };
  const double first = values.front();
  const auto differs = [first](double v) {
    return v != first && !(std::isnan(v) && std::isnan(first));
  };
  if (std::none_of(values.begin(), values.end(), differs)) {
    block.constant = first;
    blocks_.push_back(std::move(block));
    return;
  }
  bool integers = fits(1) || (divisor_ != 1 && fits(divisor_));
  if (!integers) {
    // A divisor must fit the first value that is no integer, before the whole block is tried.
    const auto odd =
        std::find_if(values.begin(), values.end(), [](double v) { return v != rounded(v); });
    for (std::uint32_t d = 2; odd != values.end() && d <= kLargestDivisor && !integers; ++d) {
      integers = rounded(*odd * d) / d == *odd && fits(d);
      if (integers) divisor_ = d;
    }
  }
  if (!integers) {
    block.form = Form::f64;
    block.data = std::make_unique_for_overwrite<std::byte[]>(kBlock * sizeof(double));
    std::memcpy(block.data.get(), values.data(), kBlock * sizeof(double));
  } else if (block.constant <= std::numeric_limits<std::uint8_t>::max()) {
    block.form = Form::u8;
    block.data = narrow<std::uint8_t>(values, block.divisor);
  } else if (block.constant <= std::numeric_limits<std::uint16_t>::max()) {
    block.form = Form::u16;
    block.data = narrow<std::uint16_t>(values, block.divisor);
  } else {
    block.form = Form::u32;
    block.data = narrow<std::uint32_t>(values, block.divisor);
  }
  if (integers) block.constant /= block.divisor;
  blocks_.push_back(std::move(block));
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
  const auto add_each = [&total](std::span<const double> values) {
    for (const double v : values) {
      if (!std::isnan(v)) total.add(v);
    }
  };
  double scratch[kBlock];
  for (const Block& b : blocks_) {
    const auto add_integers = [&](std::uint64_t sum) {
      total.add(static_cast<double>(sum) / static_cast<double>(b.divisor));
    };
    switch (b.form) {
      case Form::constant:
        if (!std::isnan(b.constant)) total.add(b.constant * kBlock);
        break;
      case Form::u8:
        add_integers(add_up<std::uint8_t>(b.data.get()));
        break;
      case Form::u16:
        add_integers(add_up<std::uint16_t>(b.data.get()));
        break;
      case Form::u32:
        add_integers(add_up<std::uint32_t>(b.data.get()));
        break;
      case Form::f64:
        std::memcpy(scratch, b.data.get(), sizeof scratch);
        add_each(scratch);
        break;
    }
  }
  add_each(tail_);
  return total.value();
}

Column::Range Column::range() const {
  Range range;
  const auto widen_to = [&range](double v) {
    range.least = std::min(range.least, v);
    range.most = std::max(range.most, v);
  };
  double scratch[kBlock];
  for (std::size_t i = 0; i < block_count(); ++i) {
    const bool integers = i < blocks_.size() && blocks_[i].form != Form::f64;
    if (integers) {
      if (std::isnan(blocks_[i].constant)) continue;
      widen_to(blocks_[i].constant);
      if (blocks_[i].form != Form::constant) widen_to(0);
    } else {
      for (const double v : block(i, scratch)) {
        if (!std::isnan(v)) widen_to(v);
      }
    }
  }
  return range;
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
