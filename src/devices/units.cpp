#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/text.h"
#include "devices/profile.h"

namespace tilebound::devices {

namespace {

struct UnitName {
  std::string_view id;
  std::string_view label;
  /// Names of the Streamline calibration document and other common ones, in lower case.
  std::vector<std::string_view> also;
};

const std::vector<UnitName>& names() {
  static const std::vector<UnitName> all = {
      {"front_end", "Front end", {}},
      {"vertex", "Vertex shading", {}},
      {"tiler", "Input primitives", {"input primitive", "input primitives", "tiling"}},
      {"primitive_cull", "Primitive culling", {"vpc culling", "culling"}},
      {"raster", "Primitives to raster", {"vpc to raster", "rasterizer", "rasteriser"}},
      {"tile_setup", "Tile setup", {}},
      {"early_zs", "Early ZS", {"early ztest", "early z", "early z test"}},
      {"late_zs", "Late ZS", {"late ztest", "late z", "late z test"}},
      {"shader_core", "Shader core", {"shader cores"}},
      {"alu", "ALU", {"arithmetic"}},
      {"message", "Message unit", {}},
      {"varying", "Interpolator", {"varyings", "interpolation"}},
      {"texture", "Texture filtering", {"tex filtering", "tex", "texture filter"}},
      {"texture_l2", "Texture from L2", {"tex l2"}},
      {"texture_external", "Texture from external memory", {"tex external"}},
      {"load_store", "Load/store", {"load / store"}},
      {"l2_read", "L2 read", {"l2 reads"}},
      {"l2_write", "L2 write", {"l2 writes"}},
      {"tile_write", "Tile write", {"tile writes"}},
      {"external_memory", "External memory", {"ram", "dram"}},
      {"sm", "SM", {}},
      {"l2", "L2", {"lts"}},
      {"crop", "CROP", {}},
      {"zrop", "ZROP", {}},
      {"ia", "Input assembler", {"pda"}},
      {"vaf", "Vertex attribute fetch", {}},
      {"pcie", "PCIe", {}},
  };
  return all;
}

}  // namespace

std::span<const std::string_view> unit_ids() {
  static const std::vector<std::string_view> ids = [] {
    std::vector<std::string_view> out;
    for (const UnitName& unit : names()) out.push_back(unit.id);
    return out;
  }();
  return ids;
}

std::string_view unit_label(std::string_view unit_id) {
  for (const UnitName& unit : names()) {
    if (unit.id == unit_id) return unit.label;
  }
  return {};
}

std::string_view unit_by_name(std::string_view name) {
  std::string wanted = base::lower(base::trim(name));
  // "ALU Throughput: FMA pipe" and "ALU (FMA pipe) throughput" are about the ALU.
  wanted = wanted.substr(0, wanted.find_first_of(":("));
  for (const std::string_view word : {"throughput", "utilization", "utilisation"}) {
    const std::size_t at = wanted.find(word);
    if (at != std::string::npos) wanted.erase(at, word.size());
  }
  wanted = base::trim(wanted);
  for (const UnitName& unit : names()) {
    if (wanted == unit.id || wanted == base::lower(unit.label) ||
        std::find(unit.also.begin(), unit.also.end(), wanted) != unit.also.end()) {
      return unit.id;
    }
  }
  return {};
}

}  // namespace tilebound::devices
