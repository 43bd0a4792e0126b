#pragma once

#include "analyze/analysis.h"
#include "analyze/totals.h"

/// What a verdict rests on, what it lacks, and what follows from it. Steps of analyze().
namespace tilebound::analyze {

/// Fills Analysis::evidence from window 0 of `totals`.
void find_evidence(const Totals& totals, Analysis& out);

/// Fills missing_counters and record_next.
void list_missing(const Totals& totals, Analysis& out);

/// Fills findings, sorted by what they save.
void collect_findings(const Totals& totals, const Options& options, Analysis& out);

}  // namespace tilebound::analyze
