#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/limiter.h"
#include "analyze/pathologies.h"
#include "analyze/segments.h"

/// What to do about a limiter, and what not to: a catalogue of records, each with its source and
/// with the evidence that calls for it.
namespace tilebound::analyze {

/// What advice is chosen by: a segment of a frame, or the whole analysed range.
struct Situation {
  std::string where;  // for people
  Work work = Work::mixed;
  std::vector<std::string> limiters;
  std::optional<Case> kind;
  std::vector<UnitPercent> units;      // highest first
  std::vector<std::string> not_worth;  // units
  // Of the whole range only:
  std::vector<Cause> causes;
  std::optional<double> idle_percent;
  std::optional<double> clock_percent;
  bool busy_without_work = false;
  /// Segments have their own advice, so the range's leaves out what they say of units and work.
  bool has_segments = false;
};

struct Advice {
  std::string id;
  std::string text;
  std::string source;
  std::string where;
  std::string because;   // the evidence, with its numbers
  bool against = false;  // says what is not worth work
};

/// In the catalogue's order.
std::vector<Advice> advise(const Situation& situation);

struct Analysis;

/// For the whole range and, where frames have segments, for those of the typical frame, the longest
/// first. Each record once; what speaks against work comes last.
std::vector<Advice> choose_advice(const Analysis& analysis);

Situation situation_of(const Segment& segment, std::string where);

struct AdviceText {
  std::string_view id;
  std::string_view text;
  std::string_view source;
};

/// A record of the catalogue; throws std::out_of_range for an id that it does not have.
AdviceText advice_text(std::string_view id);

/// All of them, in order.
std::vector<AdviceText> advice_catalogue();

}  // namespace tilebound::analyze
