#include "lint/tile_memory.h"

#include <gtest/gtest.h>

#include "devices/profile.h"
#include "lint/test_frame.h"

namespace tilebound::lint {

namespace {

using model::LoadOp;
using model::StoreOp;
using test::Builder;

std::optional<TileHardware> hardware(std::string_view id) {
  for (const model::Device& device : devices::all_devices()) {
    if (device.id == id) return tile_hardware(device);
  }
  ADD_FAILURE() << "no device " << id;
  return std::nullopt;
}

model::Pass pass_of(std::initializer_list<const char*> formats, std::uint32_t samples = 1) {
  Builder b(1920, 1080);
  b.pass("Pass");
  for (const char* format : formats) {
    b.attach(b.image(format, samples), LoadOp::clear, StoreOp::dont_care);
  }
  return b.frame.passes.back();
}

std::string tile(std::string_view device, const model::Pass& pass) {
  const std::optional<TileHardware> of = hardware(device);
  if (!of) return "unknown";
  return tile_text(tile_fit(tile_need(pass, of), *of, pass));
}

const model::Pass kGBuffer =
    pass_of({"R16G16B16A16_SFLOAT", "R16G16B16A16_SFLOAT", "R8G8B8A8_UNORM", "D24_UNORM_S8_UINT"});

TEST(TileMemory, GBufferOfTheReference) {
  const TileNeed need = tile_need(kGBuffer, std::nullopt);
  EXPECT_EQ(need.bits_per_pixel, 192U);
  EXPECT_EQ(need.tile_bits, 160U);
  EXPECT_EQ(tile("mali-g71", kGBuffer), "16x8");
  for (const char* id : {"mali-g72", "mali-g31", "mali-g51", "mali-g52", "mali-g57", "mali-g76",
                         "mali-g77", "mali-g78", "mali-g68", "redmi-12"}) {
    EXPECT_EQ(tile(id, kGBuffer), "16x16") << id;
  }
  EXPECT_EQ(tile("mali-g710", kGBuffer), "32x32");
  EXPECT_EQ(tile("mali-g720", kGBuffer), "64x32");
  EXPECT_EQ(tile("powervr", kGBuffer), "32x32");
}

TEST(TileMemory, BlendableTakesFourBytes) {
  EXPECT_EQ(tile_need(pass_of({"R8_UNORM", "R5G6B5_UNORM_PACK16"}), {}).tile_bits, 64U);
  EXPECT_EQ(tile_need(pass_of({"R8_UNORM", "R5G6B5_UNORM_PACK16"}), {}).bits_per_pixel, 24U);
  // Raw formats: the size rounded up to a power of two bytes.
  EXPECT_EQ(tile_need(pass_of({"R8_UINT"}), {}).tile_bits, 8U);
  EXPECT_EQ(tile_need(pass_of({"R16G16B16_SFLOAT"}), {}).tile_bits, 64U);
  EXPECT_EQ(tile_need(pass_of({"R32G32B32_SFLOAT"}), {}).tile_bits, 128U);
}

TEST(TileMemory, TwoSamplesCountAsFourWhereNotNative) {
  const model::Pass pass = pass_of({"R8G8B8A8_UNORM"}, 2);
  EXPECT_EQ(tile_need(pass, hardware("mali-g77")).tile_bits, 128U);
  EXPECT_EQ(tile_need(pass, hardware("mali-g720")).tile_bits, 64U);
  EXPECT_EQ(tile_need(pass, std::nullopt).tile_bits, 64U);
}

TEST(TileMemory, DepthHasItsOwnBudget) {
  EXPECT_EQ(tile("mali-g72", pass_of({"D16_UNORM"}, 4)), "16x16");
  EXPECT_EQ(tile("mali-g72", pass_of({"D16_UNORM"}, 8)), "16x8");
  EXPECT_EQ(tile("mali-g71", pass_of({"R8G8B8A8_UNORM", "D16_UNORM"}, 4)), "16x16");
}

TEST(TileMemory, ResolveTargetsLieOutside) {
  Builder b;
  b.pass("Scene");
  const std::size_t target = b.image("R8G8B8A8_UNORM");
  b.attach(b.image("R8G8B8A8_UNORM", 4), LoadOp::clear, StoreOp::dont_care);
  b.resolve_to(target);
  const TileNeed need = tile_need(b.frame.passes[0], std::nullopt);
  EXPECT_EQ(need.bits_per_pixel, 32U);
  EXPECT_EQ(need.tile_bits, 128U);
}

TEST(TileMemory, BinsOfAdreno) {
  // 24 bytes a pixel in 1152 KiB less 48 KiB: 47104 pixels a bin; 1920x1080 are 2073600.
  const std::string text = tile("adreno-650", kGBuffer);
  EXPECT_TRUE(text.starts_with("at least 4")) << text;
  const std::optional<TileHardware> of = hardware("adreno-650");
  const TileFit fit = tile_fit(tile_need(kGBuffer, of), *of, kGBuffer).value();
  EXPECT_GE(*fit.bins, 45U);
  EXPECT_LE(std::uint64_t{fit.tile->width} * fit.tile->height * 24, of->bin_bytes);
  EXPECT_EQ(fit.tile->width % 96, 0U);
  EXPECT_EQ(fit.tile->height % 16, 0U);
  // 18 MiB hold a bin that is larger than 1080p.
  EXPECT_EQ(*tile_fit(tile_need(pass_of({"R8G8B8A8_UNORM"}), hardware("adreno-840")),
                      *hardware("adreno-840"), pass_of({"R8G8B8A8_UNORM"}))
                 ->bins,
            1U);
}

TEST(TileMemory, EveryFactParses) {
  for (const model::Device& device : devices::all_devices()) {
    const std::optional<TileHardware> of = tile_hardware(device);
    if (device.vendor == "arm") {
      ASSERT_TRUE(of) << device.id;
      EXPECT_TRUE(of->bits_limit) << device.id;
      EXPECT_TRUE(of->native_2x) << device.id;
      for (const char* key : {"colour_tile_bytes", "depth_tile_bytes"}) {
        const auto fact = device.facts.find(key);
        if (fact == device.facts.end()) continue;
        EXPECT_EQ(fact->second.value.find_first_not_of("0123456789"), std::string::npos)
            << device.id;
      }
    }
    if (device.facts.contains("gmem")) {
      ASSERT_TRUE(of) << device.id;
      EXPECT_EQ(of->scheme, TileScheme::bins) << device.id;
      EXPECT_GE(of->bin_bytes, 100U << 10U) << device.id;
    }
  }
  EXPECT_FALSE(hardware("nvidia"));
}

TEST(TileMemory, UnknownFormatIsUnknown) {
  model::Pass pass = kGBuffer;
  pass.attachments[1].format = {};
  const TileNeed need = tile_need(pass, hardware("mali-g71"));
  EXPECT_EQ(need.bits_per_pixel, std::nullopt);
  EXPECT_EQ(need.tile_bits, std::nullopt);
  EXPECT_EQ(tile("mali-g71", pass), "unknown");
}

}  // namespace

}  // namespace tilebound::lint
