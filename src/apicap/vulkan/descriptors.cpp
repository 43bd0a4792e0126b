#include <algorithm>

#include "apicap/vulkan/calls.h"
#include "apicap/vulkan/names.h"

/// Descriptor set layouts, sets and what is written to them.
namespace tilebound::apicap::vulkan {

namespace {

void create_set_layout(Objects& objects, const Call& call) {
  SetLayoutObject layout;
  for (const Value binding : call["pCreateInfo"]["pBindings"].elements()) {
    layout.bindings[binding["binding"].u32()] = {enumerated(binding["descriptorType"], UINT64_MAX),
                                                 binding["descriptorCount"].u32(),
                                                 flags(binding["stageFlags"]).value_or(UINT64_MAX)};
  }
  objects.set_layouts[call["pSetLayout"].number_or(0)] = std::move(layout);
}

void destroy_set_layout(Objects& objects, const Call& call) {
  objects.set_layouts.erase(call["descriptorSetLayout"].number_or(0));
}

void create_pipeline_layout(Objects& objects, const Call& call) {
  std::vector<Handle> layouts;
  for (const Value layout : call["pCreateInfo"]["pSetLayouts"].elements()) {
    layouts.push_back(layout.number_or(0));
  }
  objects.pipeline_layouts[call["pPipelineLayout"].number_or(0)] = std::move(layouts);
}

void destroy_pipeline_layout(Objects& objects, const Call& call) {
  objects.pipeline_layouts.erase(call["pipelineLayout"].number_or(0));
}

void allocate_sets(Objects& objects, const Call& call) {
  const Value info = call["pAllocateInfo"];
  const Value handles = call["pDescriptorSets"] ? call["pDescriptorSets"] : call["pDescriptorSet"];
  std::vector<Handle>& pool = objects.set_pools[info["descriptorPool"].number_or(0)];
  const Value::Range layouts = info["pSetLayouts"].elements();
  Value::Iterator layout = layouts.begin();
  for (const Value handle : handles.elements()) {
    DescriptorSetObject set;
    if (layout != layouts.end()) {
      set.layout = (*layout).number_or(0);
      ++layout;
    }
    objects.sets[handle.number_or(0)] = std::move(set);
    pool.push_back(handle.number_or(0));
  }
}

void free_sets(Objects& objects, const Call& call) {
  for (const Value handle : call["pDescriptorSets"].elements()) {
    objects.sets.erase(handle.number_or(0));
  }
}

void reset_pool(Objects& objects, const Call& call) {
  const auto pool = objects.set_pools.find(call["descriptorPool"].number_or(0));
  if (pool == objects.set_pools.end()) return;
  for (const Handle set : pool->second) objects.sets.erase(set);
  objects.set_pools.erase(pool);
}

bool is_image(std::uint64_t type) {
  return type <= 3 || type == descriptor::input_attachment;
}
bool is_texel(std::uint64_t type) {
  return type == 4 || type == 5;
}

void copy_descriptors(Objects& objects, Value copy) {
  const DescriptorSetObject* source = find(objects.sets, copy["srcSet"].number_or(0));
  DescriptorSetObject* target = find(objects.sets, copy["dstSet"].number_or(0));
  if (source == nullptr || target == nullptr) return;
  const std::uint32_t first = copy["srcArrayElement"].u32();
  const std::uint32_t count = copy["descriptorCount"].u32();
  const std::uint32_t to = copy["dstArrayElement"].u32();
  const auto binding = source->bindings.find(copy["srcBinding"].u32());
  if (source->unknown) target->unknown = true;
  if (binding == source->bindings.end()) return;
  const auto descriptors = binding->second;  // source and target may be one
  auto& into = target->bindings[copy["dstBinding"].u32()];
  for (const auto& [element, value] : descriptors) {
    if (element >= first && element - first < count) into[to + (element - first)] = value;
  }
}

void update_sets(Objects& objects, const Call& call) {
  for (const Value write : call["pDescriptorWrites"].elements()) {
    if (DescriptorSetObject* set = find(objects.sets, write["dstSet"].number_or(0))) {
      write_descriptors(*set, write);
    }
  }
  for (const Value copy : call["pDescriptorCopies"].elements()) copy_descriptors(objects, copy);
}

void create_template(Objects& objects, const Call& call) {
  std::vector<TemplateEntry> entries;
  for (const Value entry : call["pCreateInfo"]["pDescriptorUpdateEntries"].elements()) {
    entries.push_back({entry["dstBinding"].u32(), entry["dstArrayElement"].u32(),
                       entry["descriptorCount"].u32(),
                       enumerated(entry["descriptorType"], UINT64_MAX)});
  }
  objects.templates[call["pDescriptorUpdateTemplate"].number_or(0)] = std::move(entries);
}

void destroy_template(Objects& objects, const Call& call) {
  objects.templates.erase(call["descriptorUpdateTemplate"].number_or(0));
}

// Handles of a kind ("imageView", "buffer") in the order in which they stand below `value`.
void collect(Value value, std::string_view field, std::vector<Handle>& handles) {
  if (value.kind() == Kind::record) {
    const Value handle = value[field];
    if (handle.kind() != Kind::record && handle.kind() != Kind::list && handle) {
      handles.push_back(handle.number_or(0));
    }
  }
  if (value.kind() == Kind::record || value.kind() == Kind::list) {
    for (const Value child : value.fields()) {
      if (child.kind() == Kind::record || child.kind() == Kind::list)
        collect(child, field, handles);
    }
  }
}

void update_with_template(Objects& objects, const Call& call) {
  DescriptorSetObject* set = find(objects.sets, call["descriptorSet"].number_or(0));
  if (set == nullptr) return;
  if (const Value writes = call["Decoded Writes"]) return write_descriptors(*set, writes);
  const auto* entries = find(objects.templates, call["descriptorUpdateTemplate"].number_or(0));
  std::vector<Handle> images;
  std::vector<Handle> buffers;
  collect(call["pData"], "imageView", images);
  collect(call["pData"], "buffer", buffers);
  if (entries == nullptr) {
    set->unknown = true;
    return;
  }
  std::size_t image = 0;
  std::size_t buffer = 0;
  for (const TemplateEntry& entry : *entries) {
    const bool of_image = is_image(entry.type);
    std::vector<Handle>& handles = of_image ? images : buffers;
    std::size_t& at = of_image ? image : buffer;
    for (std::uint32_t i = 0; i < entry.count; ++i) {
      // Some versions of the converter write null handles for what they cannot decode.
      if (at >= handles.size() || (handles[at] == 0 && entry.type != 0)) {
        set->unknown = set->unknown || (of_image && entry.type != 0);
        break;
      }
      set->bindings[entry.binding][entry.element + i] = {entry.type, handles[at++]};
    }
  }
}

constexpr ObjectCall kCalls[] = {
    {"vkCreateDescriptorSetLayout", create_set_layout},
    {"vkDestroyDescriptorSetLayout", destroy_set_layout},
    {"vkCreatePipelineLayout", create_pipeline_layout},
    {"vkDestroyPipelineLayout", destroy_pipeline_layout},
    {"vkAllocateDescriptorSets", allocate_sets},
    {"vkFreeDescriptorSets", free_sets},
    {"vkResetDescriptorPool", reset_pool},
    {"vkDestroyDescriptorPool", reset_pool},
    {"vkUpdateDescriptorSets", update_sets},
    {"vkCreateDescriptorUpdateTemplate", create_template},
    {"vkDestroyDescriptorUpdateTemplate", destroy_template},
    {"vkUpdateDescriptorSetWithTemplate", update_with_template},
};

}  // namespace

void write_descriptors(DescriptorSetObject& set, Value writes) {
  for (const Value write : writes.elements()) {
    const std::uint64_t type = enumerated(write["descriptorType"], UINT64_MAX);
    std::uint32_t element = write["dstArrayElement"].u32();
    auto& binding = set.bindings[write["dstBinding"].u32()];
    const Value list = is_image(type)   ? write["pImageInfo"]
                       : is_texel(type) ? write["pTexelBufferView"]
                                        : write["pBufferInfo"];
    for (const Value info : list.elements()) {
      const Handle handle = is_image(type)   ? info["imageView"].number_or(0)
                            : is_texel(type) ? info.number_or(0)
                                             : info["buffer"].number_or(0);
      binding[element++] = {type, handle};
    }
  }
}

std::span<const ObjectCall> descriptor_calls() {
  return kCalls;
}

}  // namespace tilebound::apicap::vulkan
