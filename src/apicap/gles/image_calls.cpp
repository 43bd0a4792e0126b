#include <algorithm>

#include "apicap/gles/calls.h"
#include "apicap/gles/constants.h"
#include "apicap/gles/formats.h"

/// Storage and contents of textures and renderbuffers.
namespace tilebound::apicap::gles {

namespace {

constexpr std::uint32_t kFaces = 6;
constexpr std::uint32_t kMostMips = 32;

std::uint32_t layers_of(std::uint64_t target, std::uint32_t depth) {
  if (target == gl::kTextureCube ||
      (target >= gl::kCubeFace0 && target < gl::kCubeFace0 + kFaces)) {
    return kFaces;
  }
  return std::max(1U, depth);
}

/// New storage of all mips: what the image held is gone.
ImageObject& give_storage(Context& context, Handle handle, const Call& call) {
  ImageObject& image = context.objects.images[handle];
  image.facts.format = format_of(call["internalformat"].number_or(0));
  image.facts.extent = {std::max(1U, call["width"].u32()), std::max(1U, call["height"].u32())};
  image.facts.samples = std::max(1U, call["samples"].u32(1));
  image.facts.mips = std::clamp(call["levels"].u32(1), 1U, kMostMips);
  image.facts.layers = layers_of(call["target"].number_or(0), call["depth"].u32(1));
  image.fresh = true;
  image.undefined.clear();
  return image;
}

void texture_storage(Context& context, const Call& call) {
  give_storage(context, call["texture"].number_or(0), call);
}

/// One mip, whose number times halved gives the size of the image.
void texture_image(Context& context, const Call& call) {
  const Handle handle = call["texture"].number_or(0);
  const std::uint32_t mip = std::min(call["level"].u32(), kMostMips - 1);
  const std::uint64_t target = call["target"].number_or(0);
  ImageObject& image = context.objects.images[handle];
  if (mip == 0) {
    const std::uint32_t mips = image.facts.mips;
    // The faces of a cube map come one by one.
    const bool fresh = image.fresh || image.facts.extent.width == 0;
    const bool first_face = face_of(target) == 0;
    give_storage(context, handle, call);
    image.facts.format = format_of(call["internalformat"].number_or(0), call["type"].number_or(0));
    image.facts.mips = mips;
    if (!first_face) image.fresh = fresh;
  }
  image.facts.mips = std::max(image.facts.mips, mip + 1);
  const Value pixels = call["pixels"];
  if (pixels.kind() == Kind::blob && pixels.number_or(0) > 0) {
    context.frame.upload({handle, mip, face_of(target)}, pixels.number_or(0));
  }
}

void texture_part(Context& context, const Call& call) {
  const Handle handle = call["texture"].number_or(0);
  const std::uint64_t target = call["target"].number_or(0);
  const Value pixels = call["pixels"];
  const std::uint32_t layer = std::max(call["zoffset"].u32(), face_of(target));
  context.frame.upload({handle, call["level"].u32(), layer},
                       pixels.kind() == Kind::blob ? pixels.number_or(0) : 0);
}

void copy_texture_part(Context& context, const Call& call) {
  const std::uint32_t layer = std::max(call["zoffset"].u32(), face_of(call["target"].number_or(0)));
  const std::uint64_t pixels = std::uint64_t{call["width"].u32()} * call["height"].u32();
  context.frame.copy_out(ImagePart{call["texture"].number_or(0), call["level"].u32(), layer},
                         pixels);
}

void copy_texture_image(Context& context, const Call& call) {
  if (call["level"].u32() == 0) {
    const std::uint32_t mips = context.objects.images[call["texture"].number_or(0)].facts.mips;
    give_storage(context, call["texture"].number_or(0), call).facts.mips = mips;
  }
  copy_texture_part(context, call);
}

void copy_image(Context& context, const Call& call) {
  const std::uint64_t pixels = std::uint64_t{call["srcWidth"].u32()} * call["srcHeight"].u32() *
                               std::max(1U, call["srcDepth"].u32(1));
  context.frame.copy({call["srcName"].number_or(0), call["srcLevel"].u32(), call["srcZ"].u32()},
                     {call["dstName"].number_or(0), call["dstLevel"].u32(), call["dstZ"].u32()},
                     pixels);
}

void generate_mips(Context& context, const Call& call) {
  const Handle handle = call["texture"].number_or(0);
  if (ImageObject* const image = find(context.objects.images, handle)) {
    std::uint32_t mips = 1;
    for (std::uint32_t side = std::max(image->facts.extent.width, image->facts.extent.height);
         side > 1; side /= 2) {
      ++mips;
    }
    image->facts.mips = std::max(image->facts.mips, mips);
  }
  context.frame.generate_mips(handle);
}

void renderbuffer(Context& context, const Call& call) {
  give_storage(context, call["renderbuffer"].number_or(0), call);
}

void renderbuffer_resolved(Context& context, const Call& call) {
  ImageObject& image = give_storage(context, call["renderbuffer"].number_or(0), call);
  image.tile_samples = std::exchange(image.facts.samples, 1);
}

constexpr GlCall kCalls[] = {
    {"glTexStorage1D", texture_storage},
    {"glTexStorage2D", texture_storage},
    {"glTexStorage3D", texture_storage},
    {"glTexStorage2DMultisample", texture_storage},
    {"glTexStorage3DMultisample", texture_storage},
    {"glTexImage2D", texture_image},
    {"glTexImage3D", texture_image},
    {"glTextureImage2D", texture_image},
    {"glTextureImage3D", texture_image},
    {"glCompressedTexImage2D", texture_image},
    {"glCompressedTexImage3D", texture_image},
    {"glTexSubImage2D", texture_part},
    {"glTexSubImage3D", texture_part},
    {"glCompressedTexSubImage2D", texture_part},
    {"glCompressedTexSubImage3D", texture_part},
    {"glCopyTexImage2D", copy_texture_image},
    {"glCopyTexSubImage2D", copy_texture_part},
    {"glCopyTexSubImage3D", copy_texture_part},
    {"glCopyImageSubData", copy_image},
    {"glGenerateMipmap", generate_mips},
    {"glRenderbufferStorage", renderbuffer},
    {"glRenderbufferStorageMultisample", renderbuffer},
    {"glRenderbufferStorageMultisampleEXT", renderbuffer_resolved},
};

}  // namespace

std::uint32_t face_of(std::uint64_t target) {
  const bool face = target >= gl::kCubeFace0 && target < gl::kCubeFace0 + kFaces;
  return face ? static_cast<std::uint32_t>(target - gl::kCubeFace0) : 0;
}

std::span<const GlCall> image_calls() {
  return kCalls;
}

}  // namespace tilebound::apicap::gles
