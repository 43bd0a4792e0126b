#include <fmt/format.h>

#include "lint/rules/rules.h"

namespace tilebound::lint {

namespace {

constexpr std::uint64_t kEnough = 50;  // operations that could have been relaxed

bool from_gles(const model::ApiFrame& frame) {
  if (frame.api == model::Api::gles) return true;
  const auto engine = frame.system.find("engine");
  return engine != frame.system.end() && engine->second.find("ANGLE") != std::string::npos;
}

void check(const Context& context, std::vector<model::Finding>& findings) {
  if (!from_gles(context.frame)) return;
  std::uint64_t operations = 0;
  std::uint64_t shaders = 0;
  for (const model::Shader& shader : context.frame.shaders) {
    if (shader.stage != model::Stage::fragment || !shader.analysed) continue;
    if (shader.relaxed_operations > 0) return;
    operations += shader.float_operations;
    ++shaders;
  }
  if (operations < kEnough) return;
  findings.push_back(finding(
      kNoRelaxedPrecision, "whole frame",
      {fmt::format("none of {} float operations in {} fragment shaders", operations, shaders)}));
}

}  // namespace

const Rule kNoRelaxedPrecision = {
    .id = "no_relaxed_precision",
    .title = "No shader uses relaxed precision",
    .severity = model::Severity::info,
    .applies = "OpenGL ES and what was made from it",
    .why =
        "Shaders written with mediump should show it; where nothing does, a translator has lost "
        "it, and 16-bit arithmetic stays unused.",
    .fix = "Keep the precision qualifiers when shaders are translated.",
    .source = "Arm best practices on shader precision",
    .check = check,
};

}  // namespace tilebound::lint
