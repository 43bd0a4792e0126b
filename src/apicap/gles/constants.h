#pragma once

#include <cstdint>

/// Numbers of OpenGL ES that the interpreter compares with, from the registry's gl.xml. Sources
/// give the number beside a name, and names of different enums share numbers, so only numbers are
/// read.
namespace tilebound::apicap::gles::gl {

// Masks of glClear and glBlitFramebuffer.
constexpr std::uint64_t kDepthBit = 0x100;
constexpr std::uint64_t kStencilBit = 0x400;
constexpr std::uint64_t kColorBit = 0x4000;

// Capabilities.
constexpr std::uint64_t kDepthTest = 0x0B71;
constexpr std::uint64_t kStencilTest = 0x0B90;
constexpr std::uint64_t kBlend = 0x0BE2;
constexpr std::uint64_t kScissorTest = 0x0C11;

// Faces.
constexpr std::uint64_t kFront = 0x0404;
constexpr std::uint64_t kBack = 0x0405;

// Framebuffers and their attachments; the window's own are named otherwise.
constexpr std::uint64_t kReadFramebuffer = 0x8CA8;
constexpr std::uint64_t kDrawFramebuffer = 0x8CA9;
constexpr std::uint64_t kFramebuffer = 0x8D40;
constexpr std::uint64_t kColorAttachment0 = 0x8CE0;
constexpr std::uint64_t kDepthAttachment = 0x8D00;
constexpr std::uint64_t kStencilAttachment = 0x8D20;
constexpr std::uint64_t kDepthStencilAttachment = 0x821A;
constexpr std::uint64_t kWindowColor = 0x1800;
constexpr std::uint64_t kWindowDepth = 0x1801;
constexpr std::uint64_t kWindowStencil = 0x1802;
constexpr std::uint64_t kDepthStencil = 0x84F9;

// Buffers.
constexpr std::uint64_t kDrawIndirectBuffer = 0x8F3F;
constexpr std::uint64_t kDispatchIndirectBuffer = 0x90EE;
constexpr std::uint64_t kShaderStorageBuffer = 0x90D2;

// Textures.
constexpr std::uint64_t kTexture0 = 0x84C0;
constexpr std::uint64_t kTexture2D = 0x0DE1;
constexpr std::uint64_t kTexture3D = 0x806F;
constexpr std::uint64_t kTextureCube = 0x8513;
constexpr std::uint64_t kCubeFace0 = 0x8515;
constexpr std::uint64_t kTexture2DArray = 0x8C1A;
constexpr std::uint64_t kTextureCubeArray = 0x9009;
constexpr std::uint64_t kTexture2DMultisample = 0x9100;
constexpr std::uint64_t kTexture2DMultisampleArray = 0x9102;
constexpr std::uint64_t kTextureBuffer = 0x8C2A;
constexpr std::uint64_t kTextureExternal = 0x8D65;

// Access of an image that shaders write.
constexpr std::uint64_t kReadOnly = 0x88B8;

// Shader stages.
constexpr std::uint64_t kFragmentShader = 0x8B30;
constexpr std::uint64_t kVertexShader = 0x8B31;
constexpr std::uint64_t kGeometryShader = 0x8DD9;
constexpr std::uint64_t kTessEvaluationShader = 0x8E87;
constexpr std::uint64_t kTessControlShader = 0x8E88;
constexpr std::uint64_t kComputeShader = 0x91B9;

// Types of data.
constexpr std::uint64_t kByte = 0x1400;
constexpr std::uint64_t kUnsignedByte = 0x1401;
constexpr std::uint64_t kShort = 0x1402;
constexpr std::uint64_t kUnsignedShort = 0x1403;
constexpr std::uint64_t kInt = 0x1404;
constexpr std::uint64_t kUnsignedInt = 0x1405;
constexpr std::uint64_t kFloat = 0x1406;
constexpr std::uint64_t kFixed = 0x140C;
constexpr std::uint64_t kHalfFloat = 0x140B;
constexpr std::uint64_t kHalfFloatOes = 0x8D61;
constexpr std::uint64_t kShort4444 = 0x8033;
constexpr std::uint64_t kShort5551 = 0x8034;
constexpr std::uint64_t kShort565 = 0x8363;
constexpr std::uint64_t kInt2_10_10_10Rev = 0x8D9F;
constexpr std::uint64_t kUnsignedInt2_10_10_10Rev = 0x8368;

}  // namespace tilebound::apicap::gles::gl
