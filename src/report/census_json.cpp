#include "report/census.h"
#include "report/json.h"
#include "report/lint_report.h"

namespace tilebound::report {

namespace {

Json counts_json(const std::map<std::string, std::uint64_t>& counts) {
  Json out = Json::object();
  for (const auto& [name, count] : counts) out[name] = count;
  return out;
}

Json frame_json(const model::ApiFrame& frame) {
  const Census census = census_of(frame);
  return {{"file", frame.source},
          {"format", frame.format},
          {"frame", or_null(frame.number)},
          {"work", counts_json(census.work)},
          {"commands", counts_json(census.commands)},
          {"labels", counts_json(census.labels)},
          {"areas", counts_json(census.areas)},
          {"ops", counts_json(census.ops)},
          {"attachments", counts_json(census.attachments)},
          {"notes", notes_json(frame.notes)}};
}

}  // namespace

std::string census_json(const model::ApiFrame& frame, const model::ApiFrame* other) {
  Json out;
  out["schema"] = "tilebound.census/1";
  out["census"] = frame_json(frame);
  out["other"] = other == nullptr ? Json(nullptr) : frame_json(*other);
  return dump(out);
}

}  // namespace tilebound::report
