#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyze/compare/pair.h"
#include "analyze/compare/run.h"

/// Why is B slower than A? Per frame, step by step: table, guards, reading, split. Pure functions
/// of runs.
namespace tilebound::analyze {

struct Screen {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

struct CompareOptions {
  std::optional<Screen> resolution;
  bool same_scene = false;  // the user vouches for it: read on although geometry differs
  std::uint64_t seed = 1;   // of the resamples
  std::string ablation;     // name of what only one side does; empty for an ordinary comparison
};

/// One counter of the table.
struct CounterRow {
  std::string key;
  std::optional<std::uint32_t> id;
  std::string name;
  std::string unit;
  bool derived = false;  // a percentage, rate or level: an average, never summed or judged
  bool per_core = false;
  std::optional<double> a;  // per frame; the average of a derived one
  std::optional<double> b;
  std::optional<Estimate> ratio;  // B / A
  bool significant = false;
};

/// What must hold for the numbers to mean what they seem to.
struct Guard {
  std::string id;
  std::optional<bool> holds;  // nothing: cannot tell
  std::string message;
};

using Numbers = std::vector<std::pair<std::string, std::optional<double>>>;

/// One step of the reading.
struct ReadingStep {
  std::string id;
  std::string title;
  std::optional<bool> applies;  // nothing: cannot tell
  std::string conclusion;
  Numbers numbers;
};

/// Which queue's time a cause is part of.
enum class GapQueue : std::uint8_t { fragment, non_fragment, either };

/// Something that differs and can cost time.
struct GapCause {
  std::string id;
  std::string title;
  GapQueue queue = GapQueue::either;
  std::optional<double> ms;  // per frame, of GPU-active time: B's cost above A's
  std::optional<double> low_ms;
  std::optional<double> high_ms;
  double confidence = 0;  // 0..1
  /// Work that it adds: counter by key, amount per frame.
  std::vector<std::pair<std::string, double>> work;
};

/// GPU-active time of a frame: B's minus A's, as a sum.
struct Split {
  std::optional<double> a_ms;
  std::optional<double> b_ms;
  std::optional<double> gap_ms;
  std::optional<double> remainder_ms;  // of the gap without the causes
};

/// A unit of both, in percent of its own device's peak.
struct UnitPair {
  std::string id;
  std::string label;
  std::optional<double> a_percent;
  std::optional<double> b_percent;
};

/// What a pass or effect costs per frame that one side has and the other has not. Empty members
/// need counters or a clock that the captures lack.
struct Ablation {
  std::string label;
  bool in_a = true;                // the side with more GPU-active time has it
  std::optional<Estimate> gpu_ms;  // of GPU-active time
  std::optional<Estimate> fragment_ms;
  std::optional<Estimate> non_fragment_ms;
};

struct Gap {
  std::optional<Estimate> gpu_active_ratio;  // B / A
  bool gpu_active_significant = false;
  double fps_a = 0;
  double fps_b = 0;
  double fps_ratio = 1;  // A / B: like cycles, above 1 when B is slower
};

struct Comparison {
  bool judged = true;  // enough frames to tell noise from change
  std::size_t counters_judged = 0;
  double critical = 0;  // standard errors a change must exceed
  Gap gap;
  std::vector<CounterRow> counters;  // by A's cost; derived ones last
  std::vector<std::string> only_a;
  std::vector<std::string> only_b;
  std::vector<Guard> guards;
  std::vector<ReadingStep> reading;  // empty when the scenes differ
  std::string no_reading;            // why it is empty
  std::vector<GapCause> causes;      // by ms, largest first
  Split split;
  std::vector<UnitPair> units;
  std::optional<Ablation> ablation;
  std::string summary;  // one sentence
  std::vector<model::Note> notes;
};

/// `a` and `b` hold one run or more.
Comparison compare(std::span<const Run> a, std::span<const Run> b, const CompareOptions& options);

}  // namespace tilebound::analyze
