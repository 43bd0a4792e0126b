#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analyze/analysis.h"
#include "analyze/trust.h"
#include "model/capture.h"
#include "model/device.h"
#include "model/finding.h"
#include "model/note.h"
#include "report/report.h"

/// Parts that several JSON reports share. Keys keep the order in which they are set.
namespace tilebound::report {

using Json = nlohmann::ordered_json;

/// The value, or null: unavailable is not 0.
template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

const char* severity_name(model::Severity severity);
const char* kind_name(model::CounterKind kind);
const char* provenance_name(model::Provenance provenance);
const char* per_name(model::PeakPer per);

Json notes_json(const std::vector<model::Note>& notes);

Json findings_json(const std::vector<model::Finding>& findings);

/// The "capture" member of every report.
Json capture_json(const model::Capture& capture, const analyze::TrustReport& trust,
                  const std::vector<model::Note>& notes);

/// [{id,percent}], in the order given.
Json units_percent_json(const std::vector<analyze::UnitPercent>& units);

/// The "frames" member of every report.
Json frames_json(const analyze::Analysis& analysis);

/// All of tilebound.analyze/1 (docs/json.md).
Json analysis_document(const model::Capture& capture, const analyze::TrustReport& trust,
                       const analyze::Analysis& analysis, const Passes* passes);

/// Indented text with a final newline. Bytes that are not UTF-8 are replaced.
std::string dump(const Json& json);

}  // namespace tilebound::report
