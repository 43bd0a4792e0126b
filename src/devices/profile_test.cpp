#include "devices/profile.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "base/error.h"
#include "devices/catalogue.h"
#include "devices/gpu.h"

namespace tilebound::devices {
namespace {

std::string failure(std::string_view toml) {
  try {
    read_profile(toml, "my.toml");
  } catch (const base::InputError& e) {
    return e.what();
  }
  return "none";
}

const model::Device& built_in(std::string_view id) {
  static const std::vector<model::Device> all = all_devices();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const model::Device& d) { return d.id == id; });
  if (found == all.end()) throw std::runtime_error("no device " + std::string(id));
  return *found;
}

const model::UnitPath& path(const model::Device& device, std::string_view unit,
                            std::string_view id) {
  for (const model::Unit& u : device.units) {
    for (const model::UnitPath& p : u.paths) {
      if (u.id == unit && p.id == id) return p;
    }
  }
  throw std::runtime_error("no path " + std::string(id));
}

constexpr std::string_view kHead = "id = \"x\"\nname = \"X\"\nvendor = \"arm\"\n";

std::string with(std::string_view rest) {
  return std::string(kHead) + std::string(rest);
}

TEST(Units, IdsAreAContract) {
  std::string all;
  for (const std::string_view id : unit_ids()) all += std::string(id) + " ";
  EXPECT_EQ(all,
            "front_end vertex tiler primitive_cull raster tile_setup early_zs late_zs shader_core "
            "alu message varying texture texture_l2 texture_external load_store l2_read l2_write "
            "tile_write external_memory sm l2 crop zrop ia vaf pcie ");
}

TEST(Units, ByNamesOfTheCalibrationArticle) {
  EXPECT_EQ(unit_by_name("Input primitive throughput"), "tiler");
  EXPECT_EQ(unit_by_name("VPC Culling Throughput"), "primitive_cull");
  EXPECT_EQ(unit_by_name("VPC To Raster Throughput"), "raster");
  EXPECT_EQ(unit_by_name("Early ZTest Throughput"), "early_zs");
  EXPECT_EQ(unit_by_name("Interpolator throughput"), "varying");
  EXPECT_EQ(unit_by_name("Tex filtering throughput"), "texture");
  EXPECT_EQ(unit_by_name("RAM Throughput"), "external_memory");
  EXPECT_EQ(unit_by_name("ALU throughput: FMA pipe"), "alu");
  EXPECT_EQ(unit_by_name("load_store"), "load_store");
  EXPECT_EQ(unit_by_name("Frame rate"), "");
}

TEST(Profiles, AllLoadAndAreSound) {
  const std::vector<model::Device> all = all_devices();
  EXPECT_GE(all.size(), 29u);
  for (const model::Device& device : all) {
    EXPECT_EQ(device.origin, "built in");
    EXPECT_FALSE(device.units.empty()) << device.id;
    for (const std::string& gpu : device.match.gpus) {
      const bool mali = device.vendor == "arm";
      EXPECT_EQ(mali ? gpu_key(gpu) : std::string_view(), device.gpu_key) << gpu;
    }
    for (const model::Unit& unit : device.units) {
      for (const model::UnitPath& p : unit.paths) {
        const Expression work = Expression::parse(p.work);
        EXPECT_FALSE(p.work_unit.empty()) << device.id << " " << p.id;
        for (const std::string& name : work.names()) {
          const CounterDefinition* d = find_counter(name, device.gpu_key);
          ASSERT_NE(d, nullptr) << device.id << ": " << name;
          EXPECT_EQ(d->vendor, device.vendor) << device.id << ": " << name;
          EXPECT_TRUE(d->on(device.gpu_key) || device.gpu_key.empty()) << device.id << ": " << name;
          EXPECT_FALSE(d->constant) << device.id << ": " << name;
        }
      }
    }
  }
}

TEST(Profiles, WriteReadsBackEqual) {
  for (model::Device device : all_devices()) {
    model::Device back = read_profile(write_profile(device), "built in");
    EXPECT_EQ(back, device) << device.id;
    EXPECT_EQ(write_profile(back), write_profile(device));
  }
  model::Device odd = built_in("mali-g77");
  odd.name = "quote \" backslash \\ line\n tab\t \x7f \xc3\xa4";
  odd.facts["key with space"] = {"v", "s"};
  EXPECT_EQ(read_profile(write_profile(odd), "built in"), odd);
}

TEST(Profiles, GenerationsHaveTheirOwnPaths) {
  EXPECT_EQ(path(built_in("mali-g52"), "alu", "alu").work, "$MaliEngInstr");
  EXPECT_EQ(path(built_in("mali-g77"), "alu", "sfu").peak->value, 0.25);
  EXPECT_EQ(path(built_in("mali-g57"), "alu", "fma").peak->per, model::PeakPer::core_cycle);
  EXPECT_EQ(path(built_in("mali-g710"), "varying", "varying_2").peak->value, 2);
  EXPECT_EQ(path(built_in("mali-g715"), "varying", "varying_4").peak->value, 4);
  EXPECT_EQ(path(built_in("mali-g720"), "texture", "lookup").work, "$MaliTexCacheLookupCy");
  EXPECT_THROW(path(built_in("mali-g77"), "texture", "lookup"), std::runtime_error);
  EXPECT_FALSE(built_in("mali-g77").core_cycles_counter);
  EXPECT_EQ(built_in("mali-g78").core_cycles_counter, "MaliAnyActiveCy");
  EXPECT_EQ(path(built_in("mali-g77"), "external_memory", "external_memory").work,
            "($MaliExtBusRdBt + $MaliExtBusWrBt) * 16");
  EXPECT_FALSE(path(built_in("mali-g77"), "external_memory", "external_memory").peak);
  EXPECT_EQ(built_in("mt6893").cores, 9u);
  EXPECT_EQ(built_in("mt6893").clock_max->value, 836e6);
  EXPECT_FALSE(built_in("mt9500").quirks.empty());
}

TEST(Profiles, GenericDevicesHaveNoPeaks) {
  for (const char* vendor : {"arm", "qualcomm", "imagination", "nvidia"}) {
    const model::Device device = generic_device(vendor);
    EXPECT_FALSE(device.units.empty()) << vendor;
    for (const model::Unit& unit : device.units) {
      for (const model::UnitPath& p : unit.paths) EXPECT_FALSE(p.peak) << unit.id;
    }
  }
  EXPECT_EQ(path(generic_device("arm", "Mali-G77"), "alu", "cvt").work, "$MaliEngCVTInstr");
  EXPECT_TRUE(path(generic_device("qualcomm"), "texture", "texture").ready_percent);
  EXPECT_TRUE(generic_device("nobody").units.empty());
}

TEST(Profiles, OwnUnitsAndPeaksOverTheFamily) {
  const model::Device device = read_profile(
      with("family = \"mali\"\ngpu = \"G77\"\nexternal_beat_bytes = 32\n"
           "[peaks.alu]\nfma = { value = 0.9, per = \"core_cycle\", provenance = \"measured\", "
           "source = \"bench\" }\n"
           "[[unit]]\nid = \"tiler\"\n[[unit.path]]\nid = \"t\"\nwork = "
           "\"$MaliGeomTrianglePrim\"\n"),
      "my.toml");
  EXPECT_EQ(path(device, "alu", "fma").peak->value, 0.9);
  EXPECT_EQ(path(device, "alu", "cvt").peak->value, 1);
  EXPECT_EQ(path(device, "tiler", "t").label, "t");
  EXPECT_EQ(path(device, "external_memory", "external_memory").work,
            "($MaliExtBusRdBt + $MaliExtBusWrBt) * 32");
  EXPECT_TRUE(std::is_sorted(device.units.begin(), device.units.end(),
                             [](const model::Unit& a, const model::Unit& b) {
                               const auto rank = [](const std::string& id) {
                                 return std::find(unit_ids().begin(), unit_ids().end(), id);
                               };
                               return rank(a.id) < rank(b.id);
                             }));
}

TEST(Profiles, ErrorsSayFileAndKey) {
  EXPECT_EQ(failure("id = \"x"), failure("id = \"x"));
  EXPECT_NE(failure("id = \"x\nname = 1").find("my.toml: line 1, column"), std::string::npos);
  EXPECT_EQ(failure(""), "my.toml: id: is missing or empty");
  EXPECT_EQ(failure("id = \"X y\""),
            "my.toml: id: may hold lower-case letters, digits and hyphens");
  EXPECT_EQ(failure(with("colour = 1")), "my.toml: colour: unknown key");
  EXPECT_EQ(failure(with("cores = 0")), "my.toml: cores: must be a whole number above 0");
  EXPECT_EQ(failure(with("cores = 1000001")), "my.toml: cores: is too large to be meant");
  EXPECT_EQ(failure(with("clock_max_hz = 5e-324")),
            "my.toml: clock_max_hz: is too small or too large to be meant");
  EXPECT_EQ(failure(with("[match]\ndriver_min = 9\ndriver_max = 8")),
            "my.toml: [match]: driver_max: is below driver_min");
  EXPECT_EQ(failure(with("cores = 1.5")), "my.toml: cores: must be a whole number above 0");
  EXPECT_EQ(failure(with("clock_max_hz = 1e9")),
            "my.toml: clock_max_source: a clock needs its source");
  EXPECT_EQ(failure(with("family = \"x\"")), "my.toml: family: unknown family");
  EXPECT_EQ(failure(with("gpu = \"Mali-G77\"")),
            "my.toml: gpu: must be a key of the counter catalogue, such as \"G77\"");
  EXPECT_EQ(failure(with("[match]\ngpu = []")), "my.toml: [match]: gpu: unknown key");
  EXPECT_EQ(failure(with("[facts]\na = { value = \"1\" }")),
            "my.toml: fact a: source: is missing or empty");
  EXPECT_EQ(failure(with("[facts]\na = 1")), "my.toml: [facts]: a: must be a table");
  EXPECT_EQ(failure(with("[[unit]]\nid = \"warp\"")),
            "my.toml: [[unit]]: id: unknown unit \"warp\"");
  EXPECT_EQ(failure(with("[[unit]]\nid = \"alu\"")),
            "my.toml: [[unit]]: path: a unit needs at least one path");
  const std::string unit = with("[[unit]]\nid = \"alu\"\n[[unit.path]]\nid = \"a\"\n");
  EXPECT_EQ(failure(unit + "work = \"$a +\""),
            "my.toml: unit alu: work: expression: column 5: the expression ends where a number, "
            "$Name or '(' is expected");
  const std::string work = unit + "work = \"$a\"\n";
  EXPECT_EQ(failure(work + "peak = { value = -1.0 }"),
            "my.toml: unit alu: peak: value: must be a number above 0");
  EXPECT_EQ(failure(work + "peak = { value = nan }"),
            "my.toml: unit alu: peak: value: must be a number above 0");
  EXPECT_EQ(failure(work + "peak = { value = 1, per = \"frame\" }"),
            "my.toml: unit alu: peak: per: must be one of \"core_cycle\", \"gpu_cycle\", "
            "\"second\"");
  EXPECT_EQ(failure(work + "ready_percent = true\npeak = { value = 1, per = \"second\", provenance "
                           "= \"measured\", source = \"s\" }"),
            "my.toml: unit alu: peak: a ready percentage has none");
  EXPECT_EQ(failure(with("[peaks.alu]\nfma = {}")),
            "my.toml: [peaks]: alu: the profile has no such unit");
}

model::Capture capture_of(std::string gpu, std::map<std::string, std::string> system = {}) {
  model::Capture capture;
  if (!gpu.empty()) capture.gpu_names = {std::move(gpu)};
  capture.system = std::move(system);
  return capture;
}

std::string matched(const model::Capture& capture) {
  const auto device = match_device(capture, 0, all_devices());
  return device ? device->id : "none";
}

TEST(Match, ByChipThenGpu) {
  EXPECT_EQ(matched(capture_of("Mali-G77", {{"soc_model", "MT6893Z/CZA"}})), "mt6893");
  EXPECT_EQ(matched(capture_of("Mali-G77 MC9")), "mali-g77");
  EXPECT_EQ(matched(capture_of("ARM Mali-G57 MC2")), "mali-g57");
  EXPECT_EQ(matched(capture_of("Immortalis-G715")), "mali-g715");
  EXPECT_EQ(matched(capture_of("Immortalis-G925 MC12")), "mali-g725");
  EXPECT_EQ(matched(capture_of("Mali-G1-Ultra")), "mali-g1");
  EXPECT_EQ(matched(capture_of("Mali-G1-Ultra MC12", {{"soc_model", "MT6993"}})), "mt9500");
  EXPECT_EQ(matched(capture_of("Adreno (TM) 650")), "adreno-650");
  EXPECT_EQ(matched(capture_of("Adreno (TM) 999")), "adreno");
  EXPECT_EQ(matched(capture_of("PowerVR Rogue GE8320")), "powervr");
  EXPECT_EQ(matched(capture_of("IMG BXM-8-256")), "powervr");
  EXPECT_EQ(matched(capture_of("Mali-T880")), "none");
  EXPECT_EQ(matched(capture_of("", {{"soc_model", "SIM77"}})), "none");
  EXPECT_EQ(matched(capture_of("")), "none");
}

TEST(Match, ACalibratedPhoneNeedsItsBuild) {
  EXPECT_EQ(matched(capture_of("Mali-G52 MC2")), "mali-g52");
  EXPECT_EQ(
      matched(capture_of("Mali-G52 MC2", {{"build_fingerprint", "Redmi/fire_global/fire:13/x"}})),
      "redmi-12");
}

TEST(Match, ByCounterNames) {
  model::Capture capture;
  model::Counter counter;
  counter.name = "% Texture Pipes Busy";
  capture.counters.push_back(std::move(counter));
  EXPECT_EQ(matched(capture), "adreno");
}

TEST(Match, FailuresSayWhy) {
  const auto why = [](std::string_view id, const model::Capture& capture,
                      std::optional<std::uint32_t> cores = {}) {
    return match_failure(built_in(id), capture, 0, cores);
  };
  EXPECT_EQ(why("mali-g77", capture_of("")), "");
  EXPECT_EQ(why("mali-g77", capture_of("Mali-G77 MC9")), "");
  EXPECT_EQ(why("redmi-12", capture_of("Mali-G52")), "");
  EXPECT_EQ(why("mali-g77", capture_of("Mali-G57")),
            "mali-g77 is a profile for the GPU Mali-G77, and the capture is of Mali-G57");
  EXPECT_EQ(why("mali-g77", capture_of("Adreno (TM) 650")),
            "mali-g77 is a profile for GPUs of arm, and the capture is of qualcomm");
  EXPECT_EQ(why("mt6893", capture_of("Mali-G77", {{"soc_model", "Exynos 990"}})),
            "mt6893 is a profile for the SoC MT6893, and the capture is of Exynos 990");
  EXPECT_EQ(why("mt6893", capture_of("Mali-G77 MC11")),
            "mt6893 is a profile for 9 shader cores, and the capture is of 11");
  EXPECT_EQ(why("redmi-12", capture_of("Mali-G52"), 4),
            "redmi-12 is a profile for 2 shader cores, and the capture is of 4");
  EXPECT_EQ(why("redmi-12", capture_of("Mali-G52", {{"build_fingerprint", "Other/phone"}})),
            "redmi-12 is a profile for the build Redmi/fire, and the capture is of Other/phone");
  model::Device device = built_in("mali-g77");
  device.match.driver_min = 38;
  EXPECT_EQ(match_failure(device, capture_of("", {{"gpu_driver_version", "r32p1"}}), 0, {}),
            "mali-g77 is a profile for drivers r38 to any, and the capture is of r32p1");
  EXPECT_EQ(match_failure(device, capture_of("", {{"gpu_driver_version", "54.1"}}), 0, {}), "");
}

TEST(Match, UserFilesComeFirst) {
  model::Device own = built_in("mali-g77");
  own.name = "mine";
  const std::vector<model::Device> files = {own};
  const std::vector<model::Device> all = all_devices(files);
  EXPECT_EQ(all.front().name, "mine");
  EXPECT_EQ(all.size(), all_devices().size());
}

}  // namespace
}  // namespace tilebound::devices
