#include <algorithm>

#include "apicap/gles/calls.h"
#include "apicap/gles/constants.h"

/// Shaders, programs and the texture units that their uniforms name.
namespace tilebound::apicap::gles {

namespace {

model::Stage stage_of(std::uint64_t type) {
  switch (type) {
    case gl::kFragmentShader:
      return model::Stage::fragment;
    case gl::kGeometryShader:
      return model::Stage::geometry;
    case gl::kTessControlShader:
    case gl::kTessEvaluationShader:
      return model::Stage::tessellation;
    case gl::kComputeShader:
      return model::Stage::compute;
    default:
      return model::Stage::vertex;
  }
}

void create_shader(Context& context, const Call& call) {
  context.objects.shaders[call["Shader"].number_or(0)].stage = stage_of(call["type"].number_or(0));
}

/// A program of one stage, whose shader has no name of its own.
void create_stage(Context& context, const Call& call) {
  const Handle handle = call["Program"].number_or(0);
  context.objects.shaders[handle].stage = stage_of(call["type"].number_or(0));
  context.objects.programs[handle].shaders = {handle};
}

void create_program(Context& context, const Call& call) {
  context.objects.programs[call["Program"].number_or(0)];
}

void attach_shader(Context& context, const Call& call) {
  std::vector<Handle>& shaders = context.objects.programs[call["program"].number_or(0)].shaders;
  const Handle shader = call["shader"].number_or(0);
  if (std::find(shaders.begin(), shaders.end(), shader) == shaders.end()) shaders.push_back(shader);
}

void link(Context& context, const Call& call) {
  // Uniforms of a program that is linked anew are others.
  context.objects.programs[call["program"].number_or(0)].units.reset();
}

void use_stages(Context& context, const Call& call) {
  std::vector<Handle>& programs = context.objects.pipelines[call["pipeline"].number_or(0)];
  const Handle program = call["program"].number_or(0);
  const bool known = std::find(programs.begin(), programs.end(), program) != programs.end();
  if (program != 0 && !known) programs.push_back(program);
}

void set_units(Context& context, const Call& call) {
  ProgramObject* const program = find(context.objects.programs, call["Program"].number_or(0));
  if (program == nullptr || !program->units) return;
  std::uint64_t location = call["location"].number_or(0);
  for (const Value value : call["values"].elements()) {
    const auto uniform = program->units->find(location++);
    if (uniform != program->units->end()) uniform->second.unit = value.u32();
  }
}

constexpr GlCall kCalls[] = {
    {"glCreateShader", create_shader},
    {"glCreateShaderProgramv", create_stage},
    {"glCreateProgram", create_program},
    {"glAttachShader", attach_shader},
    {"glLinkProgram", link},
    {"glUseProgramStages", use_stages},
    {"glUniform1i", set_units},
    {"glUniform1iv", set_units},
    {"glProgramUniform1i", set_units},
    {"glProgramUniform1iv", set_units},
};

}  // namespace

std::span<const GlCall> program_calls() {
  return kCalls;
}

}  // namespace tilebound::apicap::gles
