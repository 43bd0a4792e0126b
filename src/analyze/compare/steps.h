#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/compare/comparison.h"

/// The parts of a comparison, in the order in which they are made.
namespace tilebound::analyze {

/// Counters by what they tell, in every generation's spelling; the first that both sides have.
std::string_view first_key(const Pair& pair, std::span<const char* const> names);

std::string_view active_key(const Pair& pair);
std::string_view fragment_key(const Pair& pair);
std::string_view non_fragment_key(const Pair& pair);

inline constexpr const char* kTriangles = "MaliGeomTrianglePrim";
inline constexpr const char* kVisible = "MaliGeomVisiblePrim";
inline constexpr const char* kPositions = "MaliGeomPosShadTask";
inline constexpr const char* kTiles = "MaliFragTile";
inline constexpr const char* kQuads = "MaliFragRastQd";

std::vector<Guard> guards(const Pair& pair, const CompareOptions& options,
                          std::span<const std::string> only_a, std::span<const std::string> only_b);

struct Reading {
  std::vector<ReadingStep> steps;
  std::vector<GapCause> causes;
};
Reading read_gap(const Pair& pair, const CompareOptions& options);

/// Mean clock of the runs; nothing where one has none that is sure.
std::optional<double> clock_hz(std::span<const Run> runs);

Ablation ablate(const Pair& pair, const std::string& label);

/// Fills in what each cause costs.
Split split_gap(const Pair& pair, std::vector<GapCause>& causes);

}  // namespace tilebound::analyze
