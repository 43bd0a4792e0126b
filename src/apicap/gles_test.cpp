#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <string_view>

#include "apicap/capture.h"
#include "base/error.h"

/// Passes that a tile-based GPU makes of OpenGL ES calls, from RenderDoc's XML.
namespace tilebound::apicap {
namespace {

using model::LoadOp;
using model::StoreOp;

constexpr int kColor = 36064;
constexpr int kColor1 = 36065;
constexpr int kDepthStencil = 33306;
constexpr int kColorBit = 16384;
constexpr int kDepthBit = 256;

/// A chunk whose arguments are words: name=5 a number, name='text', name=[1,2] a list, name=@7:40
/// forty bytes called 7.
std::string chunk(std::string_view name, const std::string& arguments = "") {
  std::string out = fmt::format("<chunk id=\"1\" name=\"{}\">", name);
  std::istringstream words(arguments);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string field = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    const std::string inside = value.substr(1, value.size() - 2);
    if (value.front() == '\'') {
      out += fmt::format("<string name=\"{}\">{}</string>", field, inside);
    } else if (value.front() == '@') {
      const std::size_t colon = value.find(':');
      out += fmt::format("<buffer name=\"{}\" byteLength=\"{}\">{}</buffer>", field,
                         value.substr(colon + 1), value.substr(1, colon - 1));
    } else if (value.front() == '[') {
      out += fmt::format("<array name=\"{}\">", field);
      std::istringstream items(inside);
      for (std::string item; std::getline(items, item, ',');) {
        out += fmt::format("<uint>{}</uint>", item);
      }
      out += "</array>";
    } else {
      out += fmt::format("<uint name=\"{}\">{}</uint>", field, value);
    }
  }
  return out + "</chunk>\n";
}

std::string of(const char* format, int value) {
  return std::string(format) + std::to_string(value);
}

std::string texture(int id, const char* format, int width = 64, int height = 32) {
  return chunk("glTexStorage2D", of("texture=", id) + " target=3553 levels=1 internalformat=" +
                                     format + of(" width=", width) + of(" height=", height));
}

std::string attach(int framebuffer, int point, int image) {
  return chunk("glFramebufferTexture2D", of("framebuffer=", framebuffer) +
                                             of(" attachment=", point) + " textarget=3553" +
                                             of(" texture=", image) + " level=0");
}

std::string bind(int framebuffer, int target = 36160) {
  return chunk("glBindFramebuffer", of("target=", target) + of(" framebuffer=", framebuffer));
}

std::string clear(int mask) {
  return chunk("glClear", of("mask=", mask));
}

std::string draw() {
  return chunk("glDrawArrays", "mode=4 first=0 count=3");
}

std::string invalidate(int framebuffer, const std::string& points) {
  return chunk("glInvalidateFramebuffer",
               of("framebuffer=", framebuffer) + " numAttachments=1 attachments=[" + points + "]");
}

const std::string kDepthTest = chunk("glEnable", "cap=2929");
const std::string kSwap = chunk("eglSwapBuffers");

/// Framebuffers: 10 of textures 1 (RGBA8) and 2 (D24S8), 20 of texture 3 (RGBA8), 0 the window with
/// depth. `made` stands before the frame, `frame` in it.
std::string capture(const std::string& frame, const std::string& made = "") {
  return "<?xml version=\"1.0\"?><rdc><header><driver id=\"9\">OpenGLES</driver></header>"
         "<chunks version=\"35\">\n" +
         texture(1, "32856") + texture(2, "35056") + texture(3, "32856") + attach(10, kColor, 1) +
         attach(10, kDepthStencil, 2) + attach(20, kColor, 3) + made +
         "<chunk id=\"4\" name=\"Internal::Beginning of Capture\"><struct name=\"state\">"
         "<uint name=\"GL_DEPTH_WRITEMASK\">1</uint><uint name=\"GL_STENCIL_WRITEMASK\">255</uint>"
         "<array name=\"GL_COLOR_WRITEMASK\">"
         "<struct><uint name=\"red\">1</uint><uint name=\"green\">1</uint><uint "
         "name=\"blue\">1</uint>"
         "<uint name=\"alpha\">1</uint></struct><struct><uint name=\"red\">1</uint>"
         "<uint name=\"green\">1</uint><uint name=\"blue\">1</uint><uint "
         "name=\"alpha\">1</uint></struct>"
         "</array></struct></chunk>\n"
         "<chunk id=\"5\" name=\"Internal::Context Configuration\"><uint name=\"FBO\">9</uint>"
         "<struct name=\"InitParams\"><uint name=\"colorBits\">32</uint><uint "
         "name=\"depthBits\">24</uint>"
         "<uint name=\"multiSamples\">1</uint><uint name=\"width\">64</uint><uint "
         "name=\"height\">32</uint>"
         "</struct></chunk>\n" +
         frame + "</chunks></rdc>\n";
}

model::ApiFrame read(const std::string& frame, const std::string& made = "",
                     const BlobReader& blobs = {}) {
  const std::string text = capture(frame, made);
  base::ByteSource source = base::ByteSource::from_memory("input", text);
  ReadOptions options;
  options.blobs = blobs;
  return read_api_capture(source, options);
}

std::string ops(const model::Attachment& a) {
  const auto load = [](LoadOp op) {
    return op == LoadOp::load    ? "load"
           : op == LoadOp::clear ? "clear"
           : op == LoadOp::none  ? "none"
                                 : "any";
  };
  const auto store = [](StoreOp op) {
    return op == StoreOp::store ? "store" : op == StoreOp::none ? "none" : "drop";
  };
  std::string out = std::string(load(a.load)) + "-" + store(a.store);
  if (a.stencil_load != LoadOp::none || a.stencil_store != StoreOp::none) {
    out += std::string(" ") + load(a.stencil_load) + "-" + store(a.stencil_store);
  }
  return out;
}

/// The ops of every attachment of every render pass: "clear-store|load-none, any-store".
std::string passes(const model::ApiFrame& frame) {
  std::string out;
  for (const model::Pass& pass : frame.passes) {
    if (!out.empty()) out += ", ";
    if (pass.kind == model::PassKind::compute) out += "compute";
    if (pass.kind == model::PassKind::transfer) out += "transfer";
    for (std::size_t i = 0; i < pass.attachments.size(); ++i) {
      out += (i > 0 ? "|" : "") + ops(pass.attachments[i]);
    }
  }
  return out;
}

TEST(Gles, APassBeginsWithWorkAndEndsWithWorkElsewhere) {
  const auto frame = read(bind(20) + clear(kColorBit) + draw() + bind(10) + bind(20) + draw() +
                          bind(0) + draw() + kSwap);
  EXPECT_EQ(passes(frame), "clear-store, any-store|none-none");
  EXPECT_EQ(frame.draws.size(), 3U);
  EXPECT_EQ(frame.draws[1].pass, 0U);
  EXPECT_EQ(frame.api, model::Api::gles);
  ASSERT_EQ(frame.presents.size(), 1U);
  EXPECT_TRUE(frame.images[*frame.presents[0].image].swapchain);
}

TEST(Gles, WhatIsNotClearedIsLoaded) {
  const auto frame = read(kDepthTest + bind(10) + clear(kDepthBit) + draw() + kSwap);
  EXPECT_EQ(passes(frame), "load-store|clear-store");
}

TEST(Gles, APartialClearIsNoLoadOp) {
  const std::string masked =
      chunk("glColorMask", "red=1 green=1 blue=0 alpha=1") + bind(20) + clear(kColorBit) + draw();
  auto frame = read(masked);
  EXPECT_EQ(passes(frame), "load-store");
  ASSERT_EQ(frame.clears.size(), 1U);
  EXPECT_TRUE(frame.clears[0].masked);
  EXPECT_TRUE(frame.clears[0].first_in_subpass);
  const std::string scissored =
      chunk("glEnable", "cap=3089") + chunk("glScissor", "x=0 y=0 width=32 height=32");
  frame = read(scissored + bind(20) + clear(kColorBit) + draw());
  EXPECT_EQ(passes(frame), "load-store");
  ASSERT_EQ(frame.clears.size(), 1U);
  EXPECT_EQ(frame.clears[0].area, (model::Area{0, 0, 32, 32}));
  const std::string covering =
      chunk("glEnable", "cap=3089") + chunk("glScissor", "x=0 y=0 width=64 height=32");
  EXPECT_EQ(passes(read(covering + bind(20) + clear(kColorBit) + draw())), "clear-store");
}

TEST(Gles, AClearAfterADrawIsInThePass) {
  const auto frame = read(bind(20) + draw() + clear(kColorBit) + draw());
  EXPECT_EQ(passes(frame), "load-store");
  ASSERT_EQ(frame.clears.size(), 1U);
  EXPECT_FALSE(frame.clears[0].first_in_subpass);
}

TEST(Gles, InvalidatedAttachmentsAreNotStored) {
  const std::string work = kDepthTest + bind(10) + clear(kColorBit | kDepthBit) + draw();
  const std::string other = bind(20) + draw() + kSwap;
  EXPECT_EQ(passes(read(work + invalidate(10, "36096") + other)),
            "clear-store|clear-drop, load-store");
  EXPECT_EQ(passes(read(work + invalidate(10, "36096,36064") + draw() + other)),
            "clear-store|clear-store, load-store");
  // Too late: the other framebuffer's work has begun.
  EXPECT_EQ(passes(read(work + bind(20) + draw() + invalidate(10, "36096") + kSwap)),
            "clear-store|clear-store, load-store");
}

TEST(Gles, WhatWasGivenUpIsNotLoaded) {
  const auto frame =
      read(bind(20) + draw() + invalidate(20, "36064") + bind(0) + draw() + bind(20) + draw());
  EXPECT_EQ(passes(frame), "load-drop, any-store|none-none, any-store");
  EXPECT_TRUE(frame.passes[2].attachments[0].undefined_before);
}

TEST(Gles, AnInvalidationAfterTheResolveKeepsWhatTheResolveRead) {
  const std::string blit =
      chunk("glBlitFramebuffer",
            "readFramebuffer=10 drawFramebuffer=20 srcX0=0 srcY0=0 srcX1=64 srcY1=32 "
            "dstX0=0 dstY0=32 dstX1=64 dstY1=0 mask=16384");
  const auto frame = read(kDepthTest + bind(10) + clear(kColorBit | kDepthBit) + draw() + blit +
                          invalidate(10, "36064,36096") + bind(10) + draw());
  EXPECT_EQ(passes(frame), "clear-store|clear-drop, transfer, any-store|load-store");
  ASSERT_EQ(frame.transfers.size(), 1U);
  EXPECT_EQ(frame.transfers[0].kind, model::TransferKind::blit);
  EXPECT_EQ(frame.transfers[0].bytes, 64U * 32 * 4);
}

TEST(Gles, DepthThatIsOnlyTestedIsNotWritten) {
  const auto frame = read(kDepthTest + chunk("glDepthMask", "flag=0") + bind(10) + draw());
  EXPECT_EQ(passes(frame), "load-store|load-none");
  EXPECT_TRUE(frame.passes[0].attachments[1].read_only);
}

TEST(Gles, TheWindowLosesItsDepthAtTheSwapOnly) {
  const std::string work = kDepthTest + bind(0) + clear(kColorBit | kDepthBit) + draw();
  EXPECT_EQ(passes(read(work + kSwap)), "clear-store|clear-drop");
  EXPECT_EQ(passes(read(work + bind(20) + draw() + bind(9) + draw() + kSwap)),
            "clear-store|clear-store, load-store, load-store|load-drop");
}

TEST(Gles, SamplesThatOnlyTheTileHoldsAreResolvedInThePass) {
  const std::string made =
      chunk("glFramebufferTexture2DMultisampleEXT",
            "framebuffer=30 attachment=36064 textarget=3553 texture=3 level=0 samples=4");
  auto frame = read(bind(30) + clear(kColorBit) + draw(), made);
  EXPECT_EQ(passes(frame), "clear-drop|any-store");
  const model::Pass& pass = frame.passes[0];
  EXPECT_EQ(pass.attachments[0].samples, 4U);
  EXPECT_FALSE(pass.attachments[0].range);
  EXPECT_TRUE(pass.attachments[1].is_resolve_target);
  EXPECT_EQ(pass.attachments[0].resolve_target, 1U);
  frame = read(bind(30) + draw(), made);
  EXPECT_EQ(passes(frame), "any-drop|load-store");
}

TEST(Gles, CopiesOfAnAttachmentEndItsPass) {
  const std::string upload_3 =
      chunk("glTexSubImage2D",
            "texture=3 target=3553 level=0 xoffset=0 yoffset=0 width=1 height=1 pixels=@1:4");
  const std::string upload_2 =
      chunk("glTexSubImage2D",
            "texture=1 target=3553 level=0 xoffset=0 yoffset=0 width=1 height=1 pixels=@1:4");
  EXPECT_EQ(passes(read(bind(20) + draw() + upload_3 + draw())),
            "load-store, transfer, load-store");
  const auto elsewhere = read(bind(20) + draw() + upload_2 + draw());
  EXPECT_EQ(passes(elsewhere), "load-store");
  EXPECT_EQ(elsewhere.transfers.at(0).bytes, 4U);
  EXPECT_EQ(
      passes(read(bind(20) + draw() + chunk("glGenerateMipmap", "texture=3 target=3553") + draw())),
      "load-store, transfer, load-store");
  EXPECT_EQ(
      passes(read(bind(20) + draw() + chunk("glReadPixels", "x=0 y=0 width=2 height=2") + draw())),
      "load-store, transfer, load-store");
  EXPECT_EQ(passes(read(bind(20) + draw() + chunk("glFlush") + draw())), "load-store, load-store");
}

TEST(Gles, OutputsGoToTheAttachmentsOfDrawBuffers) {
  const std::string made = texture(4, "32856") + attach(20, kColor1, 4);
  EXPECT_EQ(passes(read(bind(20) + draw(), made)), "load-store");
  const std::string both = chunk("glDrawBuffers", "framebuffer=20 n=2 bufs=[36064,36065]");
  EXPECT_EQ(passes(read(bind(20) + draw(), made + both)), "load-store|load-store");
  EXPECT_EQ(
      passes(read(chunk("glColorMaski", "buf=1 red=0 green=0 blue=0 alpha=0") + bind(20) + draw(),
                  made + both)),
      "load-store|none-none");
  const std::string second = chunk("glClearBufferfv", "framebuffer=20 buffer=6144 drawbuffer=1");
  EXPECT_EQ(passes(read(bind(20) + second + draw(), made + both)), "load-store|clear-store");
}

TEST(Gles, ProgramsReadTheTexturesOfTheirSamplers) {
  const std::string units =
      "<chunk id=\"3\" name=\"Internal::Initial Contents\"><uint name=\"id\">50</uint>"
      "<enum name=\"Type\" string=\"Program\">9</enum><struct name=\"ProgramUniforms\">"
      "<array name=\"ValueUniforms\"><struct><array name=\"Values\"><struct>"
      "<enum name=\"Type\" string=\"GL_SAMPLER_2D\">35678</enum><uint name=\"Location\">4</uint>"
      "<array name=\"data\"><int>0</int></array></struct></array></struct></array>"
      "<array name=\"SSBOBindings\"/></struct></chunk>\n";
  const std::string textures = chunk("glBindTexture", "target=3553 texture=1") +
                               chunk("glActiveTexture", "texture=33985") +
                               chunk("glBindTexture", "target=3553 texture=2") +
                               chunk("glUseProgram", "program=50") + bind(20);
  const auto sampled = [](const model::ApiFrame& frame) {
    std::string out;
    for (const model::ImageUse& use : frame.uses) {
      if (use.kind == model::UseKind::sampled) out += frame.images[use.range.image].id + " ";
    }
    return out;
  };
  EXPECT_EQ(sampled(read(textures + draw(), units)), "1 ");
  const std::string moved = chunk("glUniform1i", "Program=50 location=4 values=[1]");
  EXPECT_EQ(sampled(read(textures + moved + draw(), units)), "2 ");
  // Where its uniforms are not known, whatever is bound may be read.
  EXPECT_EQ(sampled(read(textures + draw())), "1 2 ");
}

/// Records of glDrawElementsIndirect: 6 indices of 2 instances, then of none.
std::optional<std::string> records(std::string_view name, std::uint64_t offset,
                                   std::uint64_t size) {
  if (name != "7") return std::nullopt;
  std::string bytes;
  for (const unsigned word : {6U, 2U, 0U, 0U, 0U, 6U, 0U, 0U, 0U, 0U}) {
    for (unsigned i = 0; i < 4; ++i) bytes += static_cast<char>(word >> (8 * i));
  }
  return bytes.substr(offset, size);
}

TEST(Gles, IndirectDrawsAreReadFromTheirBuffer) {
  const std::string made = chunk("glBufferData", "buffer=60 bytesize=40 data=@7:40");
  const std::string call = chunk("glBindBuffer", "target=36671 buffer=60") + bind(20) +
                           chunk("glDrawElementsIndirect", "mode=4 type=5123 offset=20");
  auto frame = read(call, made, records);
  ASSERT_EQ(frame.draws.size(), 1U);
  EXPECT_EQ(frame.draws[0].indirect, model::IndirectSource::known);
  ASSERT_EQ(frame.draws[0].records.size(), 1U);
  EXPECT_EQ(frame.draws[0].records[0].vertices, 6U);
  EXPECT_EQ(frame.draws[0].records[0].instances, 0U);
  EXPECT_EQ(frame.draws[0].index_bits, 16U);
  // Without the bytes, and written by a shader, they are unknown.
  EXPECT_EQ(read(call, made).draws[0].indirect, model::IndirectSource::not_captured);
  const std::string written =
      chunk("glBindBufferBase", "target=37074 index=0 buffer=60") +
      chunk("glUseProgram", "program=50") +
      chunk("glDispatchCompute", "num_groups_x=1 num_groups_y=2 num_groups_z=3");
  frame = read(written + call, made, records);
  EXPECT_EQ(frame.draws[0].indirect, model::IndirectSource::gpu_written);
  ASSERT_EQ(frame.dispatches.size(), 1U);
  EXPECT_EQ(frame.dispatches[0].groups[1], 2U);
}

TEST(Gles, LabelsAndNames) {
  const auto frame =
      read(chunk("glPushDebugGroup", "message='Frame'") +
               chunk("glPushGroupMarkerEXT", "message='Post'") + bind(20) + draw() +
               chunk("glPopGroupMarkerEXT") + chunk("glPopDebugGroup") + bind(0) + draw(),
           chunk("glObjectLabel", "Resource=3 Label='bloom'") +
               chunk("glObjectLabel", "Resource=20 Label='Bloom'"));
  EXPECT_EQ(frame.passes[0].label, "Frame/Post");
  EXPECT_EQ(frame.passes[0].name, "Bloom");
  EXPECT_EQ(frame.passes[1].label, "");
  EXPECT_EQ(frame.images[frame.passes[0].attachments[0].range->image].name, "bloom");
}

TEST(Gles, FormatsOfUnsizedTextures) {
  const std::string image =
      chunk("glTexImage2D",
            "texture=3 target=3553 level=0 internalformat=6407 width=8 height=4 type=33635");
  const auto frame = read(bind(20) + draw(), image);
  EXPECT_EQ(model::format_name(frame.passes[0].attachments[0].format), "R5G6B5_UNORM_PACK16");
  EXPECT_EQ(frame.passes[0].framebuffer, (model::Extent{8, 4}));
}

TEST(Gles, WhatTheCaptureDoesNotHoldIsSaid) {
  const auto frame = read(bind(99) + draw());
  ASSERT_EQ(frame.notes.size(), 2U);
  EXPECT_EQ(frame.notes[0].id, "unknown_framebuffer");
  EXPECT_EQ(frame.notes[1].id, "no_present");
  EXPECT_THROW(read(bind(20)), base::InputError);
}

TEST(Gles, MorePassesThanAnyFrameHasAreOnlyCounted) {
  std::string calls;
  for (int i = 0; i < 3000; ++i) calls += bind(20) + draw() + bind(10) + draw();
  const auto frame = read(calls);
  EXPECT_EQ(frame.passes.size(), 5000U);
  EXPECT_EQ(frame.calls.at("glDrawArrays"), 6000U);
  EXPECT_EQ(frame.notes[0].id, "too_many_commands");
  EXPECT_FALSE(frame.uses_complete);
}

}  // namespace
}  // namespace tilebound::apicap
