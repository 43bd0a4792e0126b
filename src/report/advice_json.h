#pragma once

#include <vector>

#include "analyze/analysis.h"
#include "report/json.h"

/// Segments and advice of an analysis as docs/json.md describes them.
namespace tilebound::report {

/// Of one frame.
Json segments_json(const std::vector<analyze::Segment>& segments);

Json advice_json(const std::vector<analyze::Advice>& advice);

/// Texts of the advice that segments name by id only.
Json advice_texts_json(const analyze::Analysis& analysis);

}  // namespace tilebound::report
