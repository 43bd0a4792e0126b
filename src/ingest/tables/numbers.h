#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// Numbers as spreadsheets, locales and tools write them.
namespace tilebound::ingest::tables {

/// What separates decimals and thousands in one file.
struct NumberFormat {
  char decimal = '.';
  char group = 0;  // 0: none seen; ' ' stands for every kind of space

  bool operator==(const NumberFormat&) const = default;
};

enum class CellState : std::uint8_t { number, unavailable, wrong };

struct Cell {
  CellState state = CellState::unavailable;
  double value = 0;
};

/// Reads one cell. A trailing percent sign is allowed. Empty cells, "-", "n/a", "nan", "inf" and
/// their relatives are unavailable, anything else that is no number is wrong.
Cell parse_cell(std::string_view text, const NumberFormat& format);

/// Collects evidence of how a file writes its numbers.
class NumberEvidence {
 public:
  /// Looks at one cell; text that is no number says nothing.
  void add(std::string_view text);

  /// The format that the cells speak for. `delimiter` decides what cells such as "1,234" leave
  /// open: beside commas it can only be a thousands separator, beside semicolons it is taken for a
  /// decimal one.
  NumberFormat decide(char delimiter) const;

  /// Some cells could be read in two ways and none told which.
  bool ambiguous(char delimiter) const;

 private:
  struct Votes {
    std::uint64_t decimal = 0;
    std::uint64_t group = 0;
    std::uint64_t open = 0;  // "1,234": three digits after the only separator
  };
  Votes comma_;
  Votes point_;
  std::uint64_t apostrophe_ = 0;
  std::uint64_t space_ = 0;
};

/// Times lie within +-146 years, so that differences of any two fit in 64 bits.
constexpr std::int64_t kLatestNs = std::int64_t{1} << 62;

/// A plain decimal number times `unit_ns`, exact to the nanosecond (doubles are not, from 104 days
/// on). Nothing when it is no number or lies beyond kLatestNs.
std::optional<std::int64_t> parse_time_ns(std::string_view text, std::int64_t unit_ns,
                                          char decimal = '.');

/// "MM:SS.mmm", "HH:MM:SS.mmm" and the like in nanoseconds. Nothing without a colon.
std::optional<std::int64_t> parse_clock_ns(std::string_view text, char decimal = '.');

}  // namespace tilebound::ingest::tables
