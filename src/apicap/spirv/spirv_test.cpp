#include "apicap/spirv/spirv.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

namespace tilebound::apicap::spirv {
namespace {

std::string module(const char* name) {
  std::ifstream file(std::string(TILEBOUND_SOURCE) + "/tests/fuzz/corpus/spirv_fuzz/" + name,
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

model::Shader facts(const std::string& bytes, model::Stage stage, const char* entry = "main") {
  model::Shader shader;
  shader.stage = stage;
  shader.entry = entry;
  if (const auto words = words_of(bytes)) analyse(*words, shader);
  return shader;
}

// By glslangValidator from:
//   layout(location=0) in vec3 p;
//   layout(location=0) out vec4 c; layout(location=1) out mediump vec2 uv;
//   void main() { gl_Position = vec4(p * float(gl_BaseInstance), 1);
//                 c = vec4(p, 1) * 2.0 + vec4(gl_DrawID); uv = p.xy; }
TEST(Spirv, AVertexShader) {
  const model::Shader s = facts(module("vert.spv"), model::Stage::vertex);
  ASSERT_TRUE(s.analysed);
  EXPECT_TRUE(s.base_instance);
  EXPECT_TRUE(s.draw_index);
  EXPECT_FALSE(s.instance_index);
  EXPECT_FALSE(s.discards);
  EXPECT_EQ(s.varying_components_32, 4U);
  EXPECT_EQ(s.varying_components_16, 2U);
  EXPECT_EQ(s.float_operations, 3U);
  EXPECT_EQ(s.texture_samples, 0U);
}

//   layout(location=0) in vec4 c; layout(location=1) in mediump vec2 uv;
//   layout(binding=0) uniform sampler2D t; layout(location=0) out vec4 o;
//   void main() { vec4 s = texture(t, uv); if (s.a < 0.5) discard; o = s * c; gl_FragDepth = s.x; }
TEST(Spirv, AFragmentShader) {
  const model::Shader s = facts(module("frag.spv"), model::Stage::fragment);
  ASSERT_TRUE(s.analysed);
  EXPECT_TRUE(s.discards);
  EXPECT_TRUE(s.writes_depth);
  EXPECT_FALSE(s.writes_sample_mask);
  EXPECT_FALSE(s.early_fragment_tests);
  EXPECT_EQ(s.texture_samples, 1U);
  EXPECT_EQ(s.varying_components_32, 4U);
  EXPECT_EQ(s.varying_components_16, 2U);
}

TEST(Spirv, OtherByteOrder) {
  std::string bytes = module("frag.spv");
  for (std::size_t i = 0; i + 3 < bytes.size(); i += 4) {
    std::swap(bytes[i], bytes[i + 3]);
    std::swap(bytes[i + 1], bytes[i + 2]);
  }
  EXPECT_TRUE(facts(bytes, model::Stage::fragment).discards);
}

TEST(Spirv, WhatIsDamagedIsNotAnalysed) {
  const std::string whole = module("frag.spv");
  EXPECT_FALSE(facts(whole, model::Stage::vertex).analysed);  // no such stage
  EXPECT_FALSE(facts(whole, model::Stage::fragment, "other").analysed);
  EXPECT_FALSE(words_of("").has_value());
  EXPECT_FALSE(words_of(std::string(64, 'x')).has_value());
  for (std::size_t size = 20; size < whole.size(); size += 4) {
    facts(whole.substr(0, size), model::Stage::fragment);  // does not read past the end
  }
}

}  // namespace
}  // namespace tilebound::apicap::spirv
