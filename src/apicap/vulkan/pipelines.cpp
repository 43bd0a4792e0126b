#include <algorithm>
#include <fmt/format.h>

#include "apicap/vulkan/calls.h"
#include "apicap/vulkan/names.h"

/// Shader modules and pipelines, with pipeline libraries merged.
namespace tilebound::apicap::vulkan {

namespace {

// The name that an exporter gives to the bytes of `code`; empty for a pointer's value.
std::string blob_of(Value code) {
  const std::string_view text = code.text();
  if (code.kind() == Kind::blob) return std::string(text);
  return text.ends_with(".bin") ? std::string(text) : std::string{};
}

std::shared_ptr<const ShaderModuleObject> module_of(Handle handle, Value info) {
  ShaderModuleObject module;
  module.id = fmt::format("{}", handle);
  module.handle = handle;
  module.code = blob_of(info["pCode"]);
  module.code_size = info["codeSize"].number_or(0);
  return std::make_shared<const ShaderModuleObject>(std::move(module));
}

void create_shader_module(Objects& objects, const Call& call) {
  const Handle handle = call["pShaderModule"].number_or(0);
  objects.modules[handle] = module_of(handle, call["pCreateInfo"]);
}

void destroy_shader_module(Objects& objects, const Call& call) {
  objects.modules.erase(call["shaderModule"].number_or(0));
}

std::optional<model::Stage> stage_of(std::uint64_t bit) {
  switch (bit) {
    case 0x01:
      return model::Stage::vertex;
    case 0x02:
    case 0x04:
      return model::Stage::tessellation;
    case 0x08:
      return model::Stage::geometry;
    case 0x10:
      return model::Stage::fragment;
    case 0x20:
      return model::Stage::compute;
    case 0x40:
    case 0x80:
      return model::Stage::mesh;
    default:
      return std::nullopt;
  }
}

void take_stage(const Objects& objects, PipelineObject& pipeline, Value stage, Handle owner) {
  const auto kind = stage_of(flags(stage["stage"]).value_or(0));
  if (!kind) return;
  StageObject object;
  object.stage = *kind;
  object.entry = stage["pName"].text();
  const Handle handle = stage["module"].number_or(0);
  if (const auto* module = find(objects.modules, handle)) {
    object.module = *module;
  } else {
    // The code may be in the chain instead of a module, or the module was gone when a trimmed
    // capture began.
    object.module = module_of(handle == 0 ? owner : handle,
                              next_in_chain(stage, "VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO"));
  }
  pipeline.stages.push_back(std::move(object));
}

void take_dynamic_states(DynamicStates& dynamic, Value info) {
  for (const Value state : info["pDynamicStates"].elements()) {
    switch (enumerated(state, UINT64_MAX)) {
      case 0:
        dynamic.viewport = true;
        break;
      case 1:
        dynamic.scissor = true;
        break;
      case 1000267002:
        dynamic.topology = true;
        break;
      case 1000267003:
        dynamic.viewport = true;
        break;  // ..._WITH_COUNT
      case 1000267004:
        dynamic.scissor = true;
        break;
      case 1000267005:
        dynamic.vertex_stride = true;
        break;
      case 1000267006:
        dynamic.depth_test = true;
        break;
      case 1000267007:
        dynamic.depth_write = true;
        break;
      case 1000352000:
        dynamic.vertex_input = true;
        break;
      case 1000455010:
        dynamic.blend_enable = true;
        break;
      case 1000455012:
        dynamic.write_mask = true;
        break;
      default:
        break;
    }
  }
}

void take_vertex_input(model::Pipeline& facts, Value input) {
  for (const Value binding : input["pVertexBindingDescriptions"].elements()) {
    facts.bindings.push_back({binding["binding"].u32(), binding["stride"].u32(),
                              enumerated(binding["inputRate"], 0) == 1});
  }
  for (const Value attribute : input["pVertexAttributeDescriptions"].elements()) {
    facts.attributes.push_back({attribute["location"].u32(), attribute["binding"].u32(),
                                attribute["offset"].u32(), format(attribute["format"])});
  }
  facts.covers_without_geometry = facts.attributes.empty();
}

void take_blends(PipelineObject& pipeline, Value state) {
  for (const Value attachment : state["pAttachments"].elements()) {
    pipeline.facts.blends.push_back(attachment["blendEnable"].boolean());
    pipeline.facts.write_masks.push_back(
        static_cast<std::uint32_t>(flags(attachment["colorWriteMask"]).value_or(0xF)));
  }
}

// What a library holds that the pipeline does not say itself.
void take_library(PipelineObject& pipeline, const PipelineObject& library) {
  pipeline.stages.insert(pipeline.stages.end(), library.stages.begin(), library.stages.end());
  model::Pipeline& facts = pipeline.facts;
  const model::Pipeline& from = library.facts;
  if (facts.bindings.empty()) facts.bindings = from.bindings;
  if (facts.attributes.empty()) facts.attributes = from.attributes;
  if (!facts.covers_without_geometry) facts.covers_without_geometry = from.covers_without_geometry;
  if (!facts.depth_test) facts.depth_test = from.depth_test;
  if (!facts.depth_write) facts.depth_write = from.depth_write;
  if (facts.blends.empty()) facts.blends = from.blends;
  if (facts.write_masks.empty()) facts.write_masks = from.write_masks;
  if (facts.topology.empty()) facts.topology = from.topology;
  if (!pipeline.viewport) pipeline.viewport = library.viewport;
  if (!pipeline.scissor) pipeline.scissor = library.scissor;
  DynamicStates& dynamic = pipeline.dynamic;
  dynamic.vertex_input |= library.dynamic.vertex_input;
  dynamic.vertex_stride |= library.dynamic.vertex_stride;
  dynamic.viewport |= library.dynamic.viewport;
  dynamic.scissor |= library.dynamic.scissor;
  dynamic.depth_test |= library.dynamic.depth_test;
  dynamic.depth_write |= library.dynamic.depth_write;
  dynamic.topology |= library.dynamic.topology;
  dynamic.blend_enable |= library.dynamic.blend_enable;
  dynamic.write_mask |= library.dynamic.write_mask;
}

PipelineObject graphics_pipeline(const Objects& objects, Value info, Handle handle) {
  PipelineObject pipeline;
  model::Pipeline& facts = pipeline.facts;
  facts.id = fmt::format("{}", handle);
  for (const Value stage : info["pStages"].elements()) take_stage(objects, pipeline, stage, handle);
  take_dynamic_states(pipeline.dynamic, info["pDynamicState"]);
  if (const Value input = info["pVertexInputState"]) take_vertex_input(facts, input);
  if (const Value assembly = info["pInputAssemblyState"]) {
    facts.topology =
        short_name("PRIMITIVE_TOPOLOGY_", enumerated(assembly["topology"], UINT64_MAX));
  }
  const Value viewport = info["pViewportState"];
  for (const Value area : viewport["pViewports"].elements()) {
    if (!pipeline.viewport) pipeline.viewport = area_of(area);
  }
  for (const Value area : viewport["pScissors"].elements()) {
    if (!pipeline.scissor) pipeline.scissor = area_of(area);
  }
  if (const Value depth = info["pDepthStencilState"]) {
    facts.depth_test = depth["depthTestEnable"].boolean();
    facts.depth_write = *facts.depth_test && depth["depthWriteEnable"].boolean();
  }
  take_blends(pipeline, info["pColorBlendState"]);
  const Value libraries = next_in_chain(info, "VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR");
  for (const Value library : libraries["pLibraries"].elements()) {
    if (const auto* object = find(objects.pipelines, library.number_or(0))) {
      take_library(pipeline, *object);
    }
  }
  return pipeline;
}

PipelineObject compute_pipeline(const Objects& objects, Value info, Handle handle) {
  PipelineObject pipeline;
  pipeline.facts.id = fmt::format("{}", handle);
  pipeline.facts.compute = true;
  take_stage(objects, pipeline, info["stage"], handle);
  return pipeline;
}

template <typename Make>
void create_pipelines(Objects& objects, const Call& call, Make make) {
  const Value infos = call["pCreateInfos"] ? call["pCreateInfos"] : call["pCreateInfo"];
  const Value handles = call["pPipelines"] ? call["pPipelines"] : call["pPipeline"];
  const Value::Range range = handles.elements();
  Value::Iterator handle = range.begin();
  for (const Value info : infos.elements()) {
    if (!(handle != range.end())) break;
    const Handle id = (*handle).number_or(0);
    objects.pipelines[id] = make(objects, info, id);
    ++handle;
  }
}

void create_graphics_pipelines(Objects& objects, const Call& call) {
  create_pipelines(objects, call, graphics_pipeline);
}

void create_compute_pipelines(Objects& objects, const Call& call) {
  create_pipelines(objects, call, compute_pipeline);
}

void destroy_pipeline(Objects& objects, const Call& call) {
  objects.pipelines.erase(call["pipeline"].number_or(0));
}

constexpr ObjectCall kCalls[] = {
    {"vkCreateShaderModule", create_shader_module},
    {"vkDestroyShaderModule", destroy_shader_module},
    {"vkCreateGraphicsPipelines", create_graphics_pipelines},
    {"vkCreateComputePipelines", create_compute_pipelines},
    {"vkDestroyPipeline", destroy_pipeline},
};

}  // namespace

std::span<const ObjectCall> pipeline_calls() {
  return kCalls;
}

}  // namespace tilebound::apicap::vulkan
