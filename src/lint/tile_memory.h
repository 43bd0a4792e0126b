#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/api_frame.h"
#include "model/device.h"

/// What a pass needs of a GPU's tile memory, and what tile a GPU gives it.
///
/// Two sums are told apart. `bits_per_pixel` is what people add up in a frame debugger: memory bits
/// of every colour and depth/stencil attachment at one sample. `tile_bits` is what colour takes on
/// the chip: every blendable format takes 4 bytes a sample, other formats their size rounded up to
/// a power of two, times the samples; depth lies in a budget of its own.
namespace tilebound::lint {

/// Both thresholds that are meant when no device is named: low-end and high-end GPUs.
constexpr std::uint32_t kLowBits = 128;
constexpr std::uint32_t kHighBits = 256;

/// Empty members: an attachment's format is not known.
struct TileNeed {
  std::optional<std::uint32_t> bits_per_pixel;
  std::optional<std::uint32_t> tile_bits;
  std::uint32_t samples = 1;   // the highest of any attachment
  std::uint32_t counted = 1;   // samples that the tile holds: 4 for 2 where 2 is not native
  std::uint32_t colors = 0;    // colour attachments counted
  bool depth = false;          // a depth or stencil attachment is bound
  std::uint64_t bin_bits = 0;  // memory bits x samples of everything: what a bin holds a pixel
};

enum class TileScheme : std::uint8_t {
  shrinks,  // Arm: tiles get smaller until the colours fit
  bins,     // Qualcomm: the area is cut into bins that fit the memory
  spills,   // Imagination: what does not fit goes to memory
};

/// A GPU's tile memory, from the facts of its profile. Empty members: the profile lacks the fact.
struct TileHardware {
  TileScheme scheme = TileScheme::shrinks;
  std::string name;  // of the device
  model::Extent full_tile;
  std::optional<std::uint32_t> bits_limit;      // recommended most, a pixel, at full speed
  std::optional<std::uint32_t> bits_limit_low;  // of smaller GPUs of the family
  std::optional<std::uint64_t> color_bytes;     // a tile's
  std::optional<std::uint64_t> depth_bytes;
  std::optional<bool> native_2x;
  std::uint64_t bin_bytes = 0;  // of all the bins' memory, without what caches take
  model::Extent bin_alignment;
  model::Extent bin_max;
};

/// Nothing for a device whose profile, and whose GPU's profile, say nothing of tiles.
std::optional<TileHardware> tile_hardware(const model::Device& device);

TileNeed tile_need(const model::Pass& pass, const std::optional<TileHardware>& hardware);

/// The tile that a pass gets.
struct TileFit {
  std::optional<model::Extent> tile;  // or bin
  bool full = false;                  // as large as the GPU's tiles get
  bool at_least = false;              // the profile gives only a lower bound of the memory
  std::optional<std::uint64_t> bins;  // of the whole area; "at least"
  bool below_16x16 = false;
  bool spills = false;
};

/// Nothing where the need or the hardware is not known.
std::optional<TileFit> tile_fit(const TileNeed& need, const TileHardware& hardware,
                                const model::Pass& pass);

/// "16x8", "at least 3 bins of 800x1088", "32x32, spills"; "unknown".
std::string tile_text(const std::optional<TileFit>& fit);

}  // namespace tilebound::lint
