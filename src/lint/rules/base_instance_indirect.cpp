#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

// The driver release that the slow path was seen with.
constexpr std::uint64_t kSlowRelease = 54;

/// Arm's release: "54.1.0" or "v1.r54p1-..." in whatever the source calls the driver.
std::optional<std::uint64_t> release_of(const model::ApiFrame& frame) {
  const auto found = frame.system.find("driver");
  if (found == frame.system.end()) return std::nullopt;
  const std::string& text = found->second;
  std::size_t at = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == 'r' && text[i + 1] >= '0' && text[i + 1] <= '9') {
      at = i + 1;
      break;
    }
  }
  std::uint64_t value = 0;
  const char* begin = text.data() + at;
  const auto read = std::from_chars(begin, text.data() + text.size(), value);
  return read.ec == std::errc() ? std::optional(value) : std::nullopt;
}

struct Count {
  std::uint64_t base = 0;    // draws whose shader reads BaseInstance
  std::uint64_t weaker = 0;  // InstanceIndex with a first instance in the records
};

Count count_draws(const Context& context, std::size_t pass) {
  Count out;
  for (const std::size_t at : context.passes[pass].draws) {
    const model::Draw& draw = context.frame.draws[at];
    if (draw.indirect == model::IndirectSource::direct) continue;
    const model::Shader* shader = context.shader_of(draw, model::Stage::vertex);
    if (shader == nullptr) continue;
    const bool first = std::any_of(draw.records.begin(), draw.records.end(),
                                   [](const auto& record) { return record.first_instance != 0; });
    if (shader->base_instance) {
      ++out.base;
    } else if (shader->instance_index && first) {
      ++out.weaker;
    }
  }
  return out;
}

void check(const Context& context, std::vector<model::Finding>& findings) {
  const std::optional<std::uint64_t> release = release_of(context.frame);
  const bool known = context.target.vendor == "arm" && release == kSlowRelease;
  for (std::size_t p = 0; p < context.passes.size(); ++p) {
    const Count count = count_draws(context, p);
    if (count.base + count.weaker == 0) continue;
    std::vector<std::string> evidence;
    if (count.base > 0) {
      evidence.push_back(fmt::format("{} indirect {} a vertex shader that reads BaseInstance",
                                     count.base, count.base == 1 ? "draw runs" : "draws run"));
    }
    if (count.weaker > 0) {
      evidence.push_back(
          fmt::format("{} indirect {} InstanceIndex with a first instance in the records (weaker "
                      "evidence)",
                      count.weaker, count.weaker == 1 ? "draw reads" : "draws read"));
    }
    evidence.emplace_back(known ? "seen slow with this driver release"
                                : "not verified on this driver");
    model::Finding found =
        finding(kBaseInstanceIndirect, context.pass_name(p), std::move(evidence));
    if (known && count.base > 0) found.severity = model::Severity::error;
    found.saving.bound = "unknown in bytes: the cost is the tiler's time";
    findings.push_back(std::move(found));
  }
}

}  // namespace

const Rule kBaseInstanceIndirect = {
    .id = "base_instance_indirect",
    .title = "A shader takes its object from BaseInstance in an indirect draw",
    .severity = model::Severity::info,
    .applies = "Mali, driver 54.1 known; other drivers not verified",
    .vendors = {"arm"},
    .why =
        "With driver 54.1 on an MTK9500 this put binning on a path that took about 20 ms a frame; "
        "gl_DrawID did not.",
    .fix =
        "Index objects by gl_DrawID, through an index buffer where the list is compacted (it "
        "starts at 0 in each call). Probe: draw the same records both ways and compare tiler time.",
    .source = "report on empty tiler jobs, Bistro scene on an MTK9500 with driver 54.1",
    .check = check,
};

}  // namespace tilebound::lint
