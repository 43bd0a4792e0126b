#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "apicap/capture.h"
#include "base/error.h"

namespace tilebound::apicap {
namespace {

model::ApiFrame read_text(std::string_view text, const ReadOptions& options = {}) {
  base::ByteSource source = base::ByteSource::from_memory("input", text);
  return read_api_capture(source, options);
}

/// A line of GFXReconstruct's; single quotes stand for double ones.
std::string line(std::string name, std::string arguments, const char* key = "function") {
  std::string text = "{'index':1,'" + std::string(key) + "':{'name':'" + std::move(name) +
                     "','args':{" + std::move(arguments) + "}}}\n";
  for (char& c : text) {
    if (c == '\'') c = '"';
  }
  return text;
}

std::string begin_dynamic(int buffer, const char* flags, const char* load = "CLEAR") {
  return line("vkCmdBeginRendering",
              "'commandBuffer':" + std::to_string(buffer) + ",'pRenderingInfo':{'flags':" + flags +
                  ",'renderArea':{'offset':{'x':0,'y':0},'extent':{'width':64,'height':32}},"
                  "'layerCount':1,'viewMask':0,'pColorAttachments':[{'imageView':5,"
                  "'imageLayout':2,'resolveMode':0,'loadOp':'VK_ATTACHMENT_LOAD_OP_" +
                  load + "','storeOp':'VK_ATTACHMENT_STORE_OP_STORE'}]}");
}

std::string prologue() {
  return "{\"header\":{\"gfxrecon-version\":\"1.0\"}}\n" +
         line("vkCreateImage",
              "'pCreateInfo':{'format':'VK_FORMAT_R8G8B8A8_UNORM','extent':{'width':64,"
              "'height':32,'depth':1},'mipLevels':1,'arrayLayers':1,"
              "'samples':'VK_SAMPLE_COUNT_1_BIT','usage':20},'pImage':4") +
         line("vkCreateImageView",
              "'pCreateInfo':{'image':4,'format':'VK_FORMAT_R8G8B8A8_UNORM',"
              "'subresourceRange':{'baseMipLevel':0,'levelCount':1,'baseArrayLayer':0,"
              "'layerCount':1}},'pView':5");
}

std::string draw(int buffer) {
  return line("vkCmdDraw", "'commandBuffer':" + std::to_string(buffer) +
                               ",'vertexCount':3,'instanceCount':1,'firstInstance':0");
}

std::string end_dynamic(int buffer) {
  return line("vkCmdEndRendering", "'commandBuffer':" + std::to_string(buffer));
}

std::string submit(int buffer) {
  return line("vkQueueSubmit",
              "'queue':2,'pSubmits':[{'pCommandBuffers':[" + std::to_string(buffer) + "]}]");
}

TEST(ApiFrames, OnlySubmittedCommandBuffersCount) {
  const std::string text = prologue() + begin_dynamic(7, "0") + draw(7) + end_dynamic(7) +
                           begin_dynamic(8, "0") + draw(8) + draw(8) + end_dynamic(8) + submit(8);
  const model::ApiFrame frame = read_text(text);
  ASSERT_EQ(frame.passes.size(), 1U);
  EXPECT_EQ(frame.draws.size(), 2U);
  const model::Attachment& color = frame.passes[0].attachments.at(0);
  EXPECT_EQ(color.load, model::LoadOp::clear);
  EXPECT_EQ(color.store, model::StoreOp::store);
  EXPECT_EQ(model::format_name(color.format), "R8G8B8A8_UNORM");
  EXPECT_FALSE(frame.device_has_lazy_memory);  // the source does not say
}

TEST(ApiFrames, BothNamesOfACallAreRead) {
  std::string text = prologue() + begin_dynamic(7, "0") + draw(7) + end_dynamic(7) + submit(7);
  for (std::size_t at = 0; (at = text.find("\"function\"", at)) != std::string::npos;) {
    text.replace(at, 10, "\"vkFunc\"");
  }
  EXPECT_EQ(read_text(text).draws.size(), 1U);
}

TEST(ApiFrames, AResumedPassGoesOn) {
  const std::string text = prologue() + begin_dynamic(7, "2") + draw(7) + end_dynamic(7) +
                           begin_dynamic(7, "4", "LOAD") + draw(7) + end_dynamic(7) + submit(7);
  const model::ApiFrame frame = read_text(text);
  ASSERT_EQ(frame.passes.size(), 1U);
  EXPECT_EQ(frame.draws.size(), 2U);
  EXPECT_EQ(frame.draws[1].pass, 0U);
  EXPECT_EQ(frame.passes[0].attachments.at(0).load, model::LoadOp::clear);
}

TEST(ApiFrames, ACommandBufferThatExecutesItselfIsRefused) {
  const std::string text = prologue() +
                           line("vkCmdExecuteCommands",
                                "'commandBuffer':7,'commandBufferCount':1,'pCommandBuffers':[7]") +
                           submit(7);
  EXPECT_THROW(read_text(text), base::InputError);
}

TEST(ApiFrames, AFrameThatIsNotThereIsRefused) {
  ReadOptions options;
  options.frame = 3;
  const std::string text =
      prologue() + begin_dynamic(7, "0") + draw(7) + end_dynamic(7) + submit(7);
  EXPECT_THROW(read_text(text, options), base::InputError);
}

TEST(ApiFrames, SetsBoundBeforeReadInEveryPassThatDraws) {
  const std::string sampled =
      line("vkAllocateDescriptorSets",
           "'pAllocateInfo':{'descriptorPool':1,'descriptorSetCount':1,'pSetLayouts':[3]},"
           "'pDescriptorSets':[9]") +
      line("vkUpdateDescriptorSets",
           "'pDescriptorWrites':[{'dstSet':9,'dstBinding':0,'dstArrayElement':0,"
           "'descriptorCount':1,'descriptorType':'VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE',"
           "'pImageInfo':[{'sampler':0,'imageView':5,'imageLayout':5}]}]") +
      line("vkCmdBindDescriptorSets",
           "'commandBuffer':7,'pipelineBindPoint':'VK_PIPELINE_BIND_POINT_GRAPHICS','layout':1,"
           "'firstSet':0,'descriptorSetCount':1,'pDescriptorSets':[9]");
  const std::string text = prologue() + sampled + begin_dynamic(7, "0") + draw(7) + draw(7) +
                           end_dynamic(7) + begin_dynamic(7, "0") + draw(7) + end_dynamic(7) +
                           submit(7);
  std::vector<std::optional<std::size_t>> readers;
  for (const model::ImageUse& use : read_text(text).uses) {
    if (use.kind == model::UseKind::sampled) readers.push_back(use.pass);
  }
  EXPECT_EQ(readers, (std::vector<std::optional<std::size_t>>{0, 1}));
}

TEST(ApiFrames, MoreDrawsThanAnyFrameHasAreOnlyCounted) {
  std::string text = prologue() + begin_dynamic(7, "0");
  const std::string one = draw(7);
  constexpr std::size_t kDraws = 201'000;
  for (std::size_t i = 0; i < kDraws; ++i) text += one;
  text += end_dynamic(7) + submit(7);
  const model::ApiFrame frame = read_text(text);
  EXPECT_EQ(frame.draws.size(), 200'000U);
  EXPECT_EQ(frame.calls.at("vkCmdDraw"), kDraws);
  ASSERT_EQ(frame.notes.size(), 2U);
  EXPECT_EQ(frame.notes[0].id, "too_many_commands");
  EXPECT_EQ(frame.notes[0].count, 1000U);
}

TEST(ApiFrames, ACutFileIsReadAsFarAsItGoes) {
  const std::string text = prologue() + begin_dynamic(7, "0") + draw(7) + end_dynamic(7) +
                           submit(7) + R"({"index":9,"function":{"name":"vkQueue)";
  const model::ApiFrame frame = read_text(text);
  EXPECT_EQ(frame.draws.size(), 1U);
  EXPECT_TRUE(std::any_of(frame.notes.begin(), frame.notes.end(),
                          [](const model::Note& note) { return note.id == "truncated"; }));
}

TEST(ApiFrames, WhatIsNoApiCaptureIsRefused) {
  EXPECT_THROW(read_text("time,GPU active\n0,1\n"), base::InputError);
  EXPECT_THROW(read_text("<?xml version=\"1.0\"?><rdc><header><driver id=\"8\">Vulkan"),
               base::InputError);
}

struct Expected {
  const char* file;
  std::size_t passes;
  std::size_t loading;
  std::size_t draws;
  std::size_t dispatches;
};

class RealCaptures : public testing::TestWithParam<Expected> {};

// Counted by hand in the captures' text.
TEST_P(RealCaptures, HaveThePassesAndDrawsOfTheirText) {
  const Expected& expected = GetParam();
  const char* set = std::getenv("TILEBOUND_EXTRA_DATA");
  const std::filesystem::path root = set != nullptr ? set : TILEBOUND_EXTRA_DATA;
  std::ifstream file(root / "data" / expected.file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.empty()) GTEST_SKIP() << "no " << expected.file;
  const model::ApiFrame frame = read_text(text);
  std::size_t passes = 0;
  std::size_t loading = 0;
  for (const model::Pass& pass : frame.passes) {
    if (pass.kind != model::PassKind::render) continue;
    ++passes;
    loading += std::any_of(pass.attachments.begin(), pass.attachments.end(),
                           [](const auto& a) { return a.load == model::LoadOp::load; })
                   ? 1U
                   : 0U;
  }
  EXPECT_EQ(passes, expected.passes);
  EXPECT_EQ(loading, expected.loading);
  EXPECT_EQ(frame.draws.size(), expected.draws);
  EXPECT_EQ(frame.dispatches.size(), expected.dispatches);
}

INSTANTIATE_TEST_SUITE_P(
    Files, RealCaptures,
    testing::Values(Expected{"renderdoc/vkcube_frame21.zip.xml", 1, 0, 1, 0},
                    Expected{"gfxreconstruct/vkcube_frame_3.jsonl", 1, 0, 1, 0},
                    Expected{"gfxreconstruct/vkcube_frames_1-10.jsonl", 1, 0, 1, 0},
                    Expected{"renderdoc/vkd3dgears_frame550.zip.xml", 3, 1, 6, 0},
                    Expected{"gfxreconstruct/vkd3dgears_frame_20.jsonl", 3, 1, 6, 0},
                    Expected{"renderdoc/glmark_desktop_blur_frame47.zip.xml", 11, 10, 14, 0},
                    Expected{"gfxreconstruct/glmark_desktop_blur_frame_20.jsonl", 11, 10, 14, 0},
                    Expected{"renderdoc/qtquick3d_small_markers.zip.xml", 13, 0, 44, 0},
                    Expected{"gfxreconstruct/qtquick3d_small_frame_10.jsonl", 13, 0, 44, 0},
                    Expected{"renderdoc/headless_indirect.zip.xml", 1, 0, 2, 1},
                    Expected{"gfxreconstruct/headless_indirect.jsonl", 1, 0, 2, 1},
                    Expected{"renderdoc/rdccli_gles_android_mali.xml", 1, 0, 1, 0}),
    [](const auto& test) {
      std::string name = test.param.file;
      for (char& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
      }
      return name;
    });

}  // namespace
}  // namespace tilebound::apicap
