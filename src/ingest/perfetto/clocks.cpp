#include "ingest/perfetto/clocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "base/proto_reader.h"
#include "ingest/perfetto/wire.h"

namespace tilebound::ingest::perfetto {

namespace {

using base::bytes_tag;
using base::varint_tag;

constexpr std::size_t kMostClocks = 1024;
/// Ties between clocks are followed this many snapshots deep.
constexpr int kDeepestTie = 8;
/// Two snapshots whose offsets differ by less than this part of their distance tell of drift, which
/// is interpolated; more is a step (suspend, a set clock), after which the later offset holds.
constexpr double kLargestDrift = 1e-3;

std::int64_t clamp_time(std::int64_t t) {
  return std::clamp(t, -kLatestTime, kLatestTime);
}

/// Both within +-kLatestTime, so the sum does not overflow.
std::int64_t add(std::int64_t a, std::int64_t b) {
  return clamp_time(a + b);
}

}  // namespace

Clocks::Clocks() {
  clocks_.resize(2);
  clocks_[kBoottimeIndex].id = wire::kBoottime;
  clocks_[kBoottimeIndex].tied = true;
  by_key_.emplace(wire::kBoottime, kBoottimeIndex);
}

ClockIndex Clocks::index(std::uint32_t clock_id, std::uint32_t sequence) {
  if (clock_id == 0 || clock_id == wire::kBoottime) return kBoottimeIndex;
  const bool scoped = clock_id >= wire::kFirstSequenceClock && clock_id <= wire::kLastSequenceClock;
  const std::uint64_t key = clock_id | (scoped ? std::uint64_t{sequence} << 32 : 0);
  const auto found = by_key_.find(key);
  if (found != by_key_.end()) return found->second;
  if (clocks_.size() >= kMostClocks) return kUntrackedClock;
  Clock clock;
  clock.id = clock_id;
  clock.sequence = scoped ? sequence : 0;
  clocks_.push_back(std::move(clock));
  return by_key_[key] = static_cast<ClockIndex>(clocks_.size() - 1);
}

bool Clocks::snapshot(std::string_view bytes, std::uint32_t sequence) {
  base::ProtoReader reader(bytes);
  const std::size_t before = readings_.size();
  while (reader.next()) {
    if (reader.tag() == varint_tag(wire::kSnapshotPrimaryClock)) {
      primary_ = static_cast<std::uint32_t>(reader.number());
    }
    if (reader.tag() != bytes_tag(wire::kSnapshotClocks)) continue;
    std::uint32_t id = 0;
    std::uint64_t value = 0;
    std::uint64_t multiplier = 1;
    bool incremental = false;
    base::ProtoReader entry(reader.bytes());
    while (entry.next()) {
      switch (entry.tag()) {
        case varint_tag(wire::kClockId):
          id = static_cast<std::uint32_t>(entry.number());
          break;
        case varint_tag(wire::kClockTimestamp):
          value = entry.number();
          break;
        case varint_tag(wire::kClockIsIncremental):
          incremental = entry.number() != 0;
          break;
        case varint_tag(wire::kClockUnitMultiplier):
          multiplier = std::max<std::uint64_t>(1, entry.number());
          break;
        default:
          break;
      }
    }
    if (!entry.intact() || id == 0) continue;
    const ClockIndex at = index(id, sequence);
    if (at == kUntrackedClock) continue;
    Clock& clock = clocks_[at];
    if (at != kBoottimeIndex) {
      clock.multiplier = multiplier;
      clock.incremental = incremental;
      clock.base = value;
    }
    readings_.push_back({snapshots_, at, value});
  }
  if (readings_.size() > before) ++snapshots_;
  return reader.intact();
}

std::optional<std::int64_t> Clocks::other_reading(ClockIndex index, std::uint64_t timestamp) {
  Clock& clock = clocks_[index];
  if (clock.incremental) {
    if (timestamp > static_cast<std::uint64_t>(kLatestTime)) return std::nullopt;
    clock.base = std::min(clock.base, static_cast<std::uint64_t>(kLatestTime)) + timestamp;
    timestamp = clock.base;
  }
  if (timestamp > static_cast<std::uint64_t>(kLatestTime)) return std::nullopt;
  return static_cast<std::int64_t>(timestamp);
}

std::int64_t Clocks::own_ns(const Clock& clock, std::uint64_t reading) const {
  const auto most = static_cast<std::uint64_t>(kLatestTime);
  if (reading > most / clock.multiplier) return kLatestTime;
  return static_cast<std::int64_t>(reading * clock.multiplier);
}

std::int64_t Clocks::to_boottime(const Clock& clock, std::int64_t own) const {
  if (clock.ties.empty()) return own;
  const auto after =
      std::upper_bound(clock.ties.begin(), clock.ties.end(), own,
                       [](std::int64_t t, const Tie& tie) { return t < tie.own_ns; });
  const auto offset = [](const Tie& tie) { return clamp_time(tie.boottime_ns - tie.own_ns); };
  if (after == clock.ties.begin()) return add(own, offset(*after));
  const Tie& left = *(after - 1);
  if (after == clock.ties.end()) return add(own, offset(left));
  const auto drift = static_cast<double>(after->boottime_ns - after->own_ns) -
                     static_cast<double>(left.boottime_ns - left.own_ns);
  const double distance = static_cast<double>(after->own_ns) - static_cast<double>(left.own_ns);
  if (std::abs(drift) > kLargestDrift * distance) return add(own, offset(left));
  const double part = static_cast<double>(own - left.own_ns) / distance;
  return add(add(own, offset(left)), static_cast<std::int64_t>(drift * part));
}

/// Ties every clock that shares a snapshot with a tied one; true when that added a clock.
bool Clocks::tie_round() {
  std::vector<std::uint8_t> was_tied(clocks_.size());
  for (std::size_t i = 0; i < clocks_.size(); ++i) was_tied[i] = clocks_[i].tied ? 1 : 0;
  bool added = false;
  for (std::size_t begin = 0; begin < readings_.size();) {
    std::size_t end = begin;
    const Reading* anchor = nullptr;
    for (; end < readings_.size() && readings_[end].snapshot == readings_[begin].snapshot; ++end) {
      const ClockIndex clock = readings_[end].clock;
      if (was_tied[clock] == 0) continue;
      if (anchor == nullptr || clock == kBoottimeIndex) anchor = &readings_[end];
    }
    if (anchor != nullptr) {
      const Clock& known = clocks_[anchor->clock];
      const std::int64_t boottime = to_boottime(known, own_ns(known, anchor->value));
      for (std::size_t i = begin; i < end; ++i) {
        Clock& clock = clocks_[readings_[i].clock];
        if (was_tied[readings_[i].clock] != 0) continue;
        clock.ties.push_back({own_ns(clock, readings_[i].value), boottime});
        clock.tied = added = true;
      }
    }
    begin = end;
  }
  for (std::size_t i = 0; i < clocks_.size(); ++i) {
    if (was_tied[i] != 0) continue;
    std::vector<Tie>& ties = clocks_[i].ties;
    std::stable_sort(ties.begin(), ties.end(),
                     [](const Tie& a, const Tie& b) { return a.own_ns < b.own_ns; });
    ties.erase(std::unique(ties.begin(), ties.end(),
                           [](const Tie& a, const Tie& b) { return a.own_ns == b.own_ns; }),
               ties.end());
  }
  return added;
}

void Clocks::settle() {
  const auto tie_all = [this] {
    for (int round = 0; round < kDeepestTie && tie_round(); ++round) {
    }
  };
  tie_all();
  // A trace of a machine that never says BOOTTIME counts on its primary clock.
  const auto primary = by_key_.find(primary_);
  if (primary != by_key_.end() && !clocks_[primary->second].tied) {
    clocks_[primary->second].tied = true;
    tie_all();
  }
}

bool Clocks::convert(ClockIndex index, std::span<std::int64_t> stamps) const {
  if (index == kBoottimeIndex) return true;
  const Clock& clock = clocks_[index];
  for (std::int64_t& stamp : stamps) {
    const std::int64_t own = own_ns(clock, static_cast<std::uint64_t>(stamp));
    stamp = std::max<std::int64_t>(0, clock.tied ? to_boottime(clock, own) : own);
  }
  return clock.tied;
}

std::string Clocks::name(ClockIndex index) const {
  static constexpr std::array<std::string_view, 12> kNames = {"",
                                                              "REALTIME",
                                                              "REALTIME_COARSE",
                                                              "MONOTONIC",
                                                              "MONOTONIC_COARSE",
                                                              "MONOTONIC_RAW",
                                                              "BOOTTIME",
                                                              "",
                                                              "",
                                                              "TSC",
                                                              "PERF",
                                                              "TRACE_FILE"};
  const Clock& clock = clocks_[index];
  if (clock.id < kNames.size() && !kNames[clock.id].empty()) return std::string(kNames[clock.id]);
  if (clock.sequence != 0) return fmt::format("clock {} of sequence {}", clock.id, clock.sequence);
  return fmt::format("clock {}", clock.id);
}

}  // namespace tilebound::ingest::perfetto
