#pragma once

#include <string>
#include <vector>

#include "report/compare.h"
#include "report/sentences.h"

/// What every report of a comparison says in the same words.
namespace tilebound::report {

/// Each run: file, frames, rate, clock, build.
std::vector<Fact> side_facts(const ComparisonInput& input);

/// Frame rates beside the cycles.
std::string rate_sentence(const analyze::Comparison& comparison);

/// "1.464"; "n/a" where there is none, "new" where A has 0 and B not.
std::string ratio_text(const analyze::CounterRow& row);

/// Do the sides run on devices with different peaks?
bool other_devices(const ComparisonInput& input);

/// What a capture says of the build it was made of; empty where it says nothing.
std::string build_of(const analyze::Run& run);

}  // namespace tilebound::report
