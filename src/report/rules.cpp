#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lint/rule.h"
#include "report/json.h"
#include "report/layout.h"
#include "report/lint_report.h"

namespace tilebound::report {

namespace {

std::vector<std::string> ids(const std::array<std::string_view, 3>& list) {
  std::vector<std::string> out;
  for (const std::string_view id : list) {
    if (!id.empty()) out.emplace_back(id);
  }
  return out;
}

}  // namespace

std::string rules_text(const TextOptions& options) {
  std::string out = fmt::format("{} RULES\n", lint::catalogue().size());
  for (const lint::Rule* rule : lint::catalogue()) {
    out += '\n';
    paragraph(out, "", fmt::format("{} ({})", rule->id, severity_name(rule->severity)),
              options.width);
    paragraph(out, "  ", rule->title, options.width);
    paragraph(out, "  Applies  ", rule->applies, options.width);
    paragraph(out, "  Why      ", rule->why, options.width);
    paragraph(out, "  Fix      ", rule->fix, options.width);
    paragraph(out, "  Source   ", rule->source, options.width);
    const std::vector<std::string> related = ids(rule->related);
    if (!related.empty()) {
      paragraph(out, "  Related  ", fmt::format("{}", fmt::join(related, ", ")), options.width);
    }
  }
  return out;
}

std::string rules_json() {
  Json out;
  out["schema"] = "tilebound.rules/1";
  out["rules"] = Json::array();
  for (const lint::Rule* rule : lint::catalogue()) {
    out["rules"].push_back({{"id", rule->id},
                            {"title", rule->title},
                            {"severity", severity_name(rule->severity)},
                            {"applies", rule->applies},
                            {"vendors", ids(rule->vendors)},
                            {"why", rule->why},
                            {"fix", rule->fix},
                            {"source", rule->source},
                            {"related", ids(rule->related)}});
  }
  return dump(out);
}

std::string rules_markdown() {
  std::string out =
      "# Rules\n\n"
      "What `tilebound lint` looks for; this page is the output of `tilebound rules --format "
      "markdown`.\nSeverity `error` is waste in every frame, `warning` most likely waste, `info` "
      "worth a thought. Related\nids are the Vulkan validation layers' best practices on the same "
      "matter.\n";
  for (const lint::Rule* rule : lint::catalogue()) {
    out += fmt::format(
        "\n## {}\n\n{}.\n\n- Severity: {}\n- Applies: {}\n- Why: {}\n- Fix: {}\n"
        "- Source: {}\n",
        rule->id, rule->title, severity_name(rule->severity), rule->applies, rule->why, rule->fix,
        rule->source);
    const std::vector<std::string> related = ids(rule->related);
    if (!related.empty()) out += fmt::format("- Related: {}\n", fmt::join(related, ", "));
  }
  return out;
}

}  // namespace tilebound::report
