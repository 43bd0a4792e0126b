#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace tilebound::base {

/// A long column of doubles kept small and exact.
///
/// Values are kept in blocks of kBlock, each in the narrowest form that gives every one of its
/// values back: all equal, unsigned integers of 8, 16 or 32 bits, such integers divided by
/// a small number (a counter averaged over n shader cores is k/n), or plain doubles. Counter
/// captures take a third to a half of the memory of doubles that way.
///
/// NaN stands for "unavailable" and is kept.
class Column {
 public:
  static constexpr std::size_t kBlock = 1024;

  void push_back(double value) {
    tail_.push_back(value);
    if (tail_.size() == kBlock) pack_tail();
  }
  /// Fastest in multiples of kBlock on a column whose size is one.
  void append(std::span<const double> values);

  std::size_t size() const { return blocks_.size() * kBlock + tail_.size(); }
  bool empty() const { return size() == 0; }
  std::size_t block_count() const { return blocks_.size() + (tail_.empty() ? 0 : 1); }

  /// The values of block `index`: kBlock of them, fewer in the last block. `scratch` must hold
  /// kBlock doubles; the span points into it or into the column.
  std::span<const double> block(std::size_t index, std::span<double> scratch) const;

  /// One value. Decodes one element; use block() or for_each to visit many.
  double at(std::size_t index) const;

  /// Calls f(index, value) for each value, in order.
  template <typename F>
  void for_each(F&& f) const {
    double scratch[kBlock];
    for (std::size_t b = 0; b < block_count(); ++b) {
      std::size_t i = b * kBlock;
      for (const double value : block(b, scratch)) f(i++, value);
    }
  }

  /// Sum of the available values: exact within a block of integers, Neumaier-compensated else.
  double sum() const;

  struct Range {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
  };
  /// Bounds of the available values, `least` > `most` when there are none. `least` may be 0 though
  /// the smallest value is larger; `most` is exact.
  Range range() const;

  std::vector<double> to_vector() const;

  /// Bytes of heap memory in use.
  std::size_t memory() const;

 private:
  enum class Form : std::uint8_t { constant, u8, u16, u32, f64 };
  struct Block {
    Form form = Form::constant;
    std::uint32_t divisor = 1;  // integers are stored as value * divisor
    double constant = 0;        // the value, or the largest one of a block of integers
    std::unique_ptr<std::byte[]> data;
  };
  void pack_tail();
  void pack(std::span<const double> values);

  std::vector<Block> blocks_;
  std::vector<double> tail_;
  std::uint32_t divisor_ = 1;  // that worked for the last block
};

}  // namespace tilebound::base
