#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lint/lint.h"
#include "model/api_frame.h"
#include "report/report.h"

/// What `lint`, `census` and `rules` print. Pure functions: the same input gives the same bytes.
namespace tilebound::report {

std::string lint_text(const lint::Result& result, const TextOptions& options);
/// The findings alone, as part of a text.
void add_findings(std::string& out, const std::vector<model::Finding>& findings, std::size_t width);
/// tilebound.lint/1 (docs/json.md).
std::string lint_json(const lint::Result& result);
/// SARIF 2.1.0: the catalogue as rules, the findings as results. `version` is the program's.
std::string lint_sarif(const lint::Result& result, std::string_view version);
/// One page that needs nothing else: passes drawn as load, tile, store; data flow; findings.
std::string lint_html(const lint::Result& result);

/// Counts of one frame; with `other`, both and their difference.
std::string census_text(const model::ApiFrame& frame, const model::ApiFrame* other,
                        const TextOptions& options);
/// tilebound.census/1.
std::string census_json(const model::ApiFrame& frame, const model::ApiFrame* other);

std::string rules_text(const TextOptions& options);
/// tilebound.rules/1.
std::string rules_json();
/// docs/rules.md is exactly this.
std::string rules_markdown();

/// "LOAD", "STORE", "DONT_CARE"; "unknown".
std::string_view load_name(model::LoadOp op);
std::string_view store_name(model::StoreOp op);
/// Of an attachment's aspects: "CLEAR", "CLEAR, stencil LOAD".
std::string load_words(const model::Attachment& attachment);
std::string store_words(const model::Attachment& attachment);
/// "R8G8B8A8_UNORM 4x": the samples only where there are several.
std::string format_words(const model::Attachment& attachment);
std::string_view pass_kind_name(model::PassKind kind);

}  // namespace tilebound::report
