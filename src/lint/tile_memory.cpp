#include "lint/tile_memory.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <fmt/format.h>

#include "base/text.h"
#include "devices/profile.h"

namespace tilebound::lint {

using model::Attachment;
using model::AttachmentRole;
using model::Extent;

namespace {

// A tile never gets smaller than this; Mesa's Mali driver.
constexpr std::uint64_t kSmallestTile = 16;
constexpr std::uint64_t kFullSpeedTile = 256;  // 16x16

const std::string* fact(const model::Device& device, const char* key) {
  const auto found = device.facts.find(key);
  return found == device.facts.end() ? nullptr : &found->second.value;
}

/// The whole number that a fact starts with.
std::optional<std::uint64_t> number(const model::Device& device, const char* key) {
  const std::string* text = fact(device, key);
  if (text == nullptr) return std::nullopt;
  std::uint64_t value = 0;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), value);
  return read.ec == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<std::uint32_t> bits(const model::Device& device, const char* key) {
  const std::optional<std::uint64_t> value = number(device, key);
  constexpr std::uint64_t kMost = 1 << 20;
  if (!value || *value == 0 || *value > kMost) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

/// "16x16".
std::optional<Extent> extent(const model::Device& device, const char* key) {
  const std::string* text = fact(device, key);
  if (text == nullptr) return std::nullopt;
  const std::vector<std::string_view> sides = base::split(*text, 'x');
  if (sides.size() != 2) return std::nullopt;
  const std::optional<double> width = base::parse_number(sides[0]);
  const std::optional<double> height = base::parse_number(sides[1]);
  constexpr double kMost = 1 << 16;
  if (!width || !height || *width < 1 || *height < 1 || *width > kMost || *height > kMost) {
    return std::nullopt;
  }
  return Extent{static_cast<std::uint32_t>(*width), static_cast<std::uint32_t>(*height)};
}

/// "1152 KiB", "1.5 MiB".
std::optional<std::uint64_t> bytes(const model::Device& device, const char* key) {
  const std::string* text = fact(device, key);
  if (text == nullptr) return std::nullopt;
  const std::vector<std::string_view> parts = base::split(*text, ' ');
  if (parts.size() != 2) return std::nullopt;
  const std::optional<double> value = base::parse_number(parts[0]);
  const double unit = parts[1] == "KiB" ? 1024.0 : parts[1] == "MiB" ? 1048576.0 : 0.0;
  constexpr double kMost = 1e12;
  if (!value || *value * unit < 1 || *value * unit > kMost) return std::nullopt;
  return static_cast<std::uint64_t>(*value * unit);
}

/// A profile of a phone or chip says nothing of tiles; that of its GPU does.
const model::Device* gpu_profile(const model::Device& device) {
  static const std::vector<model::Device> built_in = devices::all_devices();
  for (const std::string& gpu : device.match.gpus) {
    for (const model::Device& other : built_in) {
      const bool named =
          std::any_of(other.match.gpus.begin(), other.match.gpus.end(),
                      [&](const std::string& g) { return base::lower(g) == base::lower(gpu); });
      if (named && (other.facts.contains("tile_max_pixels") || other.facts.contains("gmem"))) {
        return &other;
      }
    }
  }
  // Chips whose GPU has no profile of its own name share the tiles of their counters' generation.
  for (const model::Device& other : built_in) {
    if (!device.gpu_key.empty() && other.gpu_key == device.gpu_key &&
        other.facts.contains("tile_max_pixels")) {
      return &other;
    }
  }
  return nullptr;
}

std::uint64_t next_power_of_two(std::uint64_t value) {
  return std::bit_ceil(value);
}

std::uint64_t tile_bytes_of(const model::FormatFacts& facts) {
  constexpr std::uint64_t kBlendableBytes = 4;
  if (facts.blendable) return kBlendableBytes;
  return next_power_of_two((facts.color_bits + 7) / 8);
}

bool in_tile(const Attachment& attachment) {
  return !attachment.is_resolve_target && (attachment.role == AttachmentRole::color ||
                                           attachment.role == AttachmentRole::depth_stencil);
}

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

std::uint64_t align(std::uint64_t value, std::uint64_t to) {
  return ceil_div(value, std::max<std::uint64_t>(1, to)) * std::max<std::uint64_t>(1, to);
}

/// Squares and rectangles twice as wide as high: 256 is 16x16, 128 is 16x8.
Extent tile_of_pixels(std::uint64_t pixels) {
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  while (std::uint64_t{width} * height * 2 <= pixels) {
    if (width == height) {
      width *= 2;
    } else {
      height *= 2;
    }
  }
  return {width, height};
}

TileFit shrunk(const TileNeed& need, const TileHardware& hardware) {
  TileFit fit;
  const std::uint64_t most = std::uint64_t{hardware.full_tile.width} * hardware.full_tile.height;
  std::uint64_t color_bytes = hardware.color_bytes.value_or(0);
  if (!hardware.color_bytes) {
    // The recommended bits fill a 16x16 tile; larger GPUs hold more than that.
    color_bytes = hardware.bits_limit.value_or(kLowBits) / 8 * kFullSpeedTile;
    fit.at_least = true;
  }
  std::uint64_t pixels = most;
  if (*need.tile_bits > 0) {
    pixels = std::min(pixels, color_bytes / next_power_of_two(ceil_div(*need.tile_bits, 8)));
  }
  if (need.depth && hardware.depth_bytes) {
    constexpr std::uint64_t kDepthBytes = 4;  // a 32-bit float a sample, whatever the format
    pixels =
        std::min(pixels, *hardware.depth_bytes / next_power_of_two(kDepthBytes * need.counted));
  }
  pixels = std::bit_floor(std::max(pixels, kSmallestTile));
  fit.tile = tile_of_pixels(pixels);
  fit.full = pixels >= most;
  if (fit.full) fit.at_least = false;
  fit.below_16x16 = pixels < kFullSpeedTile;
  return fit;
}

/// The fewest bins of one size that cover the area and fit; their sides are aligned.
std::optional<TileFit> binned(const TileNeed& need, const TileHardware& hardware,
                              const model::Pass& pass) {
  const std::uint64_t width = pass.area.width;
  const std::uint64_t height = pass.area.height;
  if (need.bin_bits == 0 || width == 0 || height == 0) return std::nullopt;
  const std::uint64_t fitting = hardware.bin_bytes * 8 / need.bin_bits;
  TileFit fit;
  fit.at_least = true;
  constexpr std::uint64_t kMostColumns = 256;
  for (std::uint64_t columns = 1; columns <= kMostColumns; ++columns) {
    const std::uint64_t bin_width = align(ceil_div(width, columns), hardware.bin_alignment.width);
    if (bin_width > hardware.bin_max.width) continue;
    const std::uint64_t step = std::max<std::uint64_t>(1, hardware.bin_alignment.height);
    std::uint64_t bin_height = fitting / bin_width / step * step;
    bin_height = std::min<std::uint64_t>(bin_height, hardware.bin_max.height / step * step);
    if (bin_height == 0) continue;
    const std::uint64_t rows = ceil_div(height, bin_height);
    const std::uint64_t bins = ceil_div(width, bin_width) * rows;
    if (fit.bins && bins >= *fit.bins) continue;
    fit.bins = bins;
    fit.tile = Extent{static_cast<std::uint32_t>(bin_width),
                      static_cast<std::uint32_t>(align(ceil_div(height, rows), step))};
    if (bins == 1) break;
  }
  fit.full = fit.bins == 1;
  return fit.bins ? std::optional(fit) : std::nullopt;
}

}  // namespace

std::optional<TileHardware> tile_hardware(const model::Device& device) {
  const bool own = device.facts.contains("tile_max_pixels") || device.facts.contains("gmem");
  const model::Device* profile = own ? &device : gpu_profile(device);
  if (profile == nullptr) return std::nullopt;
  TileHardware hardware;
  hardware.name = device.name;
  const std::string* native = fact(*profile, "msaa_2x_native");
  if (native != nullptr) hardware.native_2x = native->starts_with("yes");
  if (const std::optional<std::uint64_t> gmem = bytes(*profile, "gmem")) {
    hardware.scheme = TileScheme::bins;
    const std::uint64_t cache = bytes(*profile, "gmem_color_cache").value_or(0);
    hardware.bin_bytes = *gmem > cache ? *gmem - cache : *gmem;
    hardware.bin_alignment = extent(*profile, "bin_alignment").value_or(Extent{32, 16});
    hardware.bin_max = extent(*profile, "bin_max").value_or(Extent{1024, 1024});
    return hardware;
  }
  const std::optional<Extent> full = extent(*profile, "tile_max_pixels");
  if (!full) return std::nullopt;
  hardware.full_tile = *full;
  hardware.scheme = profile->vendor == "imagination" ? TileScheme::spills : TileScheme::shrinks;
  hardware.bits_limit = bits(*profile, "tile_bits_per_pixel");
  hardware.bits_limit_low = bits(*profile, "tile_bits_per_pixel_low_end");
  hardware.color_bytes = number(*profile, "colour_tile_bytes");
  hardware.depth_bytes = number(*profile, "depth_tile_bytes");
  return hardware;
}

TileNeed tile_need(const model::Pass& pass, const std::optional<TileHardware>& hardware) {
  TileNeed need;
  std::uint64_t memory_bits = 0;
  std::uint64_t color_bits = 0;
  bool known = true;
  const bool as_four = hardware && hardware->native_2x == false;
  for (const Attachment& attachment : pass.attachments) {
    if (!in_tile(attachment)) continue;
    const std::uint32_t samples = std::max(1U, attachment.samples);
    const std::uint32_t counted = samples == 2 && as_four ? 4 : samples;
    need.samples = std::max(need.samples, samples);
    need.counted = std::max(need.counted, counted);
    const model::FormatFacts* facts = model::facts_of(attachment.format);
    if (facts == nullptr || facts->bits() == 0) {
      known = false;
      continue;
    }
    memory_bits += facts->bits();
    need.bin_bits += std::uint64_t{facts->bits()} * samples;
    if (attachment.role == AttachmentRole::color) {
      ++need.colors;
      color_bits += tile_bytes_of(*facts) * 8 * counted;
    } else {
      need.depth = true;
    }
  }
  if (!known) {
    need.bin_bits = 0;
  } else {
    need.bits_per_pixel = static_cast<std::uint32_t>(memory_bits);
    need.tile_bits = static_cast<std::uint32_t>(color_bits);
  }
  return need;
}

std::optional<TileFit> tile_fit(const TileNeed& need, const TileHardware& hardware,
                                const model::Pass& pass) {
  if (!need.tile_bits) return std::nullopt;
  switch (hardware.scheme) {
    case TileScheme::shrinks:
      return shrunk(need, hardware);
    case TileScheme::bins:
      return binned(need, hardware, pass);
    case TileScheme::spills: {
      TileFit fit;
      fit.tile = hardware.full_tile;
      fit.full = true;
      fit.spills = hardware.bits_limit && *need.tile_bits > *hardware.bits_limit;
      return fit;
    }
  }
  return std::nullopt;
}

std::string tile_text(const std::optional<TileFit>& fit) {
  if (!fit || !fit->tile) return "unknown";
  const std::string size = fmt::format("{}x{}", fit->tile->width, fit->tile->height);
  if (fit->bins) {
    return fmt::format("at least {} {} of {}", *fit->bins, *fit->bins == 1 ? "bin" : "bins", size);
  }
  return (fit->at_least ? "at least " : "") + size + (fit->spills ? ", spills" : "");
}

}  // namespace tilebound::lint
