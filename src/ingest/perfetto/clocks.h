#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilebound::ingest::perfetto {

/// Index of a clock in Clocks. Clocks 64..127 of each sequence are clocks of their own.
using ClockIndex = std::uint32_t;
inline constexpr ClockIndex kBoottimeIndex = 0;
inline constexpr ClockIndex kUntrackedClock = 1;  // stands for all clocks beyond the limit

/// Moments later than this (146 years after boot) are damage; within, differences cannot overflow.
inline constexpr std::int64_t kLatestTime = std::int64_t{1} << 62;

/// The clocks of a trace and the snapshots that tie them together.
///
/// Stamps are kept in the units of their own clock while reading, since a snapshot may come later
/// than the samples, and converted to BOOTTIME nanoseconds at the end.
class Clocks {
 public:
  Clocks();

  /// The clock with this id as a packet of `sequence` means it.
  ClockIndex index(std::uint32_t clock_id, std::uint32_t sequence);

  /// Takes in a ClockSnapshot of a packet of `sequence`. False when it is damaged.
  bool snapshot(std::string_view bytes, std::uint32_t sequence);

  /// A packet's timestamp as a reading of its clock: for an incremental clock the sum so far.
  /// Must see every timestamped packet, in order. Nothing for one that no clock can show.
  std::optional<std::int64_t> reading(ClockIndex clock, std::uint64_t timestamp) {
    if (clock == kBoottimeIndex) [[likely]] {
      if (timestamp > static_cast<std::uint64_t>(kLatestTime)) return std::nullopt;
      return static_cast<std::int64_t>(timestamp);
    }
    return other_reading(clock, timestamp);
  }

  /// Call once after the last packet, before convert().
  void settle();

  /// Readings to BOOTTIME nanoseconds in place. False, and in the clock's own nanoseconds, when no
  /// snapshot ties the clock to BOOTTIME.
  bool convert(ClockIndex clock, std::span<std::int64_t> stamps) const;

  /// "MONOTONIC", "clock 64 of sequence 3".
  std::string name(ClockIndex clock) const;

 private:
  struct Tie {
    std::int64_t own_ns;
    std::int64_t boottime_ns;
  };
  struct Clock {
    std::uint32_t id = 0;
    std::uint32_t sequence = 0;  // 0 unless sequence-scoped
    std::uint64_t multiplier = 1;
    bool incremental = false;
    std::uint64_t base = 0;  // sum so far, of an incremental clock
    bool tied = false;
    std::vector<Tie> ties;  // by own time, settled
  };
  struct Reading {
    std::uint32_t snapshot;
    ClockIndex clock;
    std::uint64_t value;
  };

  std::optional<std::int64_t> other_reading(ClockIndex clock, std::uint64_t timestamp);
  std::int64_t own_ns(const Clock& clock, std::uint64_t reading) const;
  std::int64_t to_boottime(const Clock& clock, std::int64_t own) const;
  bool tie_round();

  std::vector<Clock> clocks_;
  std::unordered_map<std::uint64_t, ClockIndex> by_key_;
  std::vector<Reading> readings_;
  std::uint32_t snapshots_ = 0;
  std::uint32_t primary_ = 0;
};

}  // namespace tilebound::ingest::perfetto
