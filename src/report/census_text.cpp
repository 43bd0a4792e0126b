#include <fmt/format.h>
#include <set>

#include "base/text.h"
#include "report/census.h"
#include "report/layout.h"
#include "report/lint_report.h"

namespace tilebound::report {

namespace {

using Counts = std::map<std::string, std::uint64_t>;

constexpr std::size_t kNumberWidth = 12;

std::uint64_t count_of(const Counts& counts, const std::string& name) {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

void section(std::string& out, const char* title, const Counts& a, const Counts* b,
             std::size_t width) {
  std::set<std::string> names;
  for (const auto& [name, count] : a) names.insert(name);
  if (b != nullptr) {
    for (const auto& [name, count] : *b) names.insert(name);
  }
  if (names.empty()) return;
  const std::size_t columns = b == nullptr ? 1 : 3;
  const std::size_t name_width = width - columns * kNumberWidth - 2;
  out += fmt::format("\n{}", left(title, name_width + 2));
  if (b != nullptr) {
    out += right("first", kNumberWidth) + right("second", kNumberWidth) +
           right("difference", kNumberWidth);
  }
  while (out.ends_with(' ')) out.pop_back();
  out += '\n';
  for (const std::string& name : names) {
    const std::uint64_t first = count_of(a, name);
    out +=
        "  " + left(base::printable(name), name_width) + right(std::to_string(first), kNumberWidth);
    if (b != nullptr) {
      const std::uint64_t second = count_of(*b, name);
      const auto change = static_cast<std::int64_t>(second) - static_cast<std::int64_t>(first);
      out += right(std::to_string(second), kNumberWidth) +
             right(change == 0 ? "=" : fmt::format("{:+}", change), kNumberWidth);
    }
    out += '\n';
  }
}

}  // namespace

std::string census_text(const model::ApiFrame& frame, const model::ApiFrame* other,
                        const TextOptions& options) {
  std::string out;
  paragraph(out, "CENSUS  ", fmt::format("{} ({})", frame.source, frame.format), options.width);
  if (other != nullptr) {
    paragraph(out, "against ", fmt::format("{} ({})", other->source, other->format), options.width);
  }
  const Census a = census_of(frame);
  const Census b = other == nullptr ? Census{} : census_of(*other);
  const auto add = [&](const char* title, Counts Census::*member) {
    section(out, title, a.*member, other == nullptr ? nullptr : &(b.*member), options.width);
  };
  add("WORK", &Census::work);
  add("COMMANDS", &Census::commands);
  add("DRAWS AND DISPATCHES BY LABEL", &Census::labels);
  add("RENDER PASSES BY AREA", &Census::areas);
  add("ATTACHMENTS BY OPS", &Census::ops);
  add("ATTACHMENTS BY FORMAT", &Census::attachments);
  if (!frame.notes.empty()) notes(out, frame.notes, options.width);
  return out;
}

}  // namespace tilebound::report
