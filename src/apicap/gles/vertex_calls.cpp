#include "apicap/gles/calls.h"
#include "apicap/gles/formats.h"

/// Vertex arrays: where attributes come from.
namespace tilebound::apicap::gles {

namespace {

VertexArrayObject& array_of(Context& context, const Call& call) {
  return context.objects.vertex_arrays[call["vaobj"].number_or(0)];
}

/// The format's own size, which a stride of 0 stands for.
std::uint32_t packed_stride(model::Format format) {
  const model::FormatFacts* const facts = model::facts_of(format);
  return facts == nullptr ? 0 : facts->bits() / 8;
}

template <bool kEnabled>
void enable(Context& context, const Call& call) {
  array_of(context, call).attributes[call["index"].u32()].enabled = kEnabled;
}

template <bool kInteger>
void pointer(Context& context, const Call& call) {
  const std::uint32_t index = call["index"].u32();
  VertexArrayObject& array = array_of(context, call);
  VertexAttribute& attribute = array.attributes[index];
  attribute.binding = index;
  attribute.offset = 0;
  attribute.format = attribute_format(call["type"].number_or(0), call["size"].u32(),
                                      call["normalized"].boolean(), kInteger);
  const std::uint32_t stride = call["stride"].u32();
  array.bindings[index].stride = stride != 0 ? stride : packed_stride(attribute.format);
}

template <bool kInteger>
void format(Context& context, const Call& call) {
  VertexAttribute& attribute = array_of(context, call).attributes[call["attribindex"].u32()];
  attribute.offset = call["relativeoffset"].u32();
  attribute.format = attribute_format(call["type"].number_or(0), call["size"].u32(),
                                      call["normalized"].boolean(), kInteger);
}

void bind_attribute(Context& context, const Call& call) {
  array_of(context, call).attributes[call["attribindex"].u32()].binding =
      call["bindingindex"].u32();
}

void bind_buffer(Context& context, const Call& call) {
  array_of(context, call).bindings[call["bindingindex"].u32()].stride = call["stride"].u32();
}

void binding_divisor(Context& context, const Call& call) {
  array_of(context, call).bindings[call["bindingindex"].u32()].per_instance =
      call["divisor"].u32() != 0;
}

/// Also ties the attribute to the binding of its own number.
void attribute_divisor(Context& context, const Call& call) {
  const std::uint32_t index = call["index"].u32();
  VertexArrayObject& array = array_of(context, call);
  array.attributes[index].binding = index;
  array.bindings[index].per_instance = call["divisor"].u32() != 0;
}

constexpr GlCall kCalls[] = {
    {"glEnableVertexAttribArray", enable<true>}, {"glDisableVertexAttribArray", enable<false>},
    {"glVertexAttribPointer", pointer<false>},   {"glVertexAttribIPointer", pointer<true>},
    {"glVertexAttribFormat", format<false>},     {"glVertexAttribIFormat", format<true>},
    {"glVertexAttribBinding", bind_attribute},   {"glBindVertexBuffer", bind_buffer},
    {"glVertexBindingDivisor", binding_divisor}, {"glVertexAttribDivisor", attribute_divisor},
};

}  // namespace

std::span<const GlCall> vertex_calls() {
  return kCalls;
}

}  // namespace tilebound::apicap::gles
