#include "report/json.h"
#include "report/lint_report.h"

namespace tilebound::report {

namespace {

const char* level(model::Severity severity) {
  switch (severity) {
    case model::Severity::info:
      return "note";
    case model::Severity::warning:
      return "warning";
    case model::Severity::error:
      return "error";
  }
  return "none";
}

Json rule_json(const lint::Rule& rule) {
  return {{"id", rule.id},
          {"shortDescription", {{"text", rule.title}}},
          {"fullDescription", {{"text", rule.why}}},
          {"help", {{"text", rule.fix}}},
          {"defaultConfiguration", {{"level", level(rule.severity)}}}};
}

std::size_t index_of(std::string_view id) {
  std::size_t at = 0;
  while (at < lint::catalogue().size() && lint::catalogue()[at]->id != id) ++at;
  return at;
}

Json result_json(const model::Finding& finding) {
  std::string text = finding.title + ": " + finding.where;
  for (const std::string& line : finding.evidence) text += "; " + line;
  Json properties = {{"bytesPerFrame", or_null(finding.saving.bytes_per_frame)},
                     {"msPerFrame", or_null(finding.saving.ms_per_frame)},
                     {"advice", finding.advice},
                     {"related", finding.related}};
  return {{"ruleId", finding.id},
          {"ruleIndex", index_of(finding.id)},
          {"level", level(finding.severity)},
          {"message", {{"text", text}}},
          {"locations", Json::array({{{"physicalLocation", {{"artifactLocation", {{"index", 0}}}}},
                                      {"logicalLocations",
                                       Json::array({{{"fullyQualifiedName", finding.where}}})}}})},
          {"partialFingerprints", {{"tilebound/v1", finding.id + "|" + finding.where}}},
          {"properties", std::move(properties)}};
}

/// A file name as a URI reference: everything but the unreserved characters and "/" is escaped.
std::string uri(std::string_view path) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~' || c == '/';
    if (plain) {
      out += c;
    } else {
      out += '%';
      out += kHex[byte >> 4U];
      out += kHex[byte & 15U];
    }
  }
  return out;
}

}  // namespace

std::string lint_sarif(const lint::Result& result, std::string_view version) {
  const model::ApiFrame& frame = result.context.frame;
  Json rules = Json::array();
  for (const lint::Rule* rule : lint::catalogue()) rules.push_back(rule_json(*rule));
  Json results = Json::array();
  for (const model::Finding& finding : result.findings) {
    results.push_back(result_json(finding));
  }
  Json run = {
      {"tool",
       {{"driver", {{"name", "Tilebound"}, {"version", version}, {"rules", std::move(rules)}}}}},
      {"artifacts", Json::array({{{"location", {{"uri", uri(frame.source)}}}}})},
      {"columnKind", "unicodeCodePoints"},
      {"results", std::move(results)}};
  Json out;
  out["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  out["version"] = "2.1.0";
  out["runs"] = Json::array({std::move(run)});
  return dump(out);
}

}  // namespace tilebound::report
