#pragma once

#include <vector>

#include "lint/context.h"
#include "lint/rule.h"

/// Judges a frame: facts of each pass and what the rules find.
namespace tilebound::lint {

struct Result {
  Context context;
  std::vector<model::Finding> findings;  // by severity, then by bytes saved, then by rule and pass
  std::vector<model::Note> notes;        // what limits the judgement
};

/// `frame` must outlive the result.
Result lint(const model::ApiFrame& frame, const Options& options);

}  // namespace tilebound::lint
