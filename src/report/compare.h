#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyze/compare/comparison.h"
#include "report/report.h"

/// A comparison for a terminal, for programs, for a pull request, and as a page.
namespace tilebound::report {

struct ComparisonInput {
  std::span<const analyze::Run> a;
  std::span<const analyze::Run> b;
  const analyze::Comparison& comparison;
  /// What a threshold or a guard asked to fail the run for; empty: nothing.
  std::vector<std::string> failures;
};

std::string comparison_text(const ComparisonInput& input, const TextOptions& options);
/// tilebound.compare/1 (docs/json.md).
std::string comparison_json(const ComparisonInput& input);
std::string comparison_markdown(const ComparisonInput& input);
std::string comparison_csv(const ComparisonInput& input);
/// One page without scripts or network: the reading, bars, and the typical frames of both.
std::string comparison_html(const ComparisonInput& input);

}  // namespace tilebound::report
