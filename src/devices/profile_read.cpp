#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "base/error.h"
#include "devices/catalogue.h"
#include "devices/embedded.h"
#include "devices/family.h"
#include "devices/gpu.h"
#include "devices/profile.h"
#include "devices/table.h"
#include "devices/toml_reader.h"

namespace tilebound::devices {

using model::Device;
using model::Peak;
using model::PeakPer;
using model::Provenance;
using model::Unit;
using model::UnitPath;

namespace {

template <typename T>
T one_of(TomlReader& in, std::string_view key, const std::map<std::string_view, T>& choices) {
  const std::string text = in.required_text(key);
  const auto found = choices.find(text);
  if (found != choices.end()) return found->second;
  std::string names;
  for (const auto& [name, value] : choices)
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name);
  in.fail(key, "must be one of " + names);
}

Peak read_peak(const toml::table& table, const std::string& where) {
  static const std::map<std::string_view, PeakPer> kPer = {{"gpu_cycle", PeakPer::gpu_cycle},
                                                           {"core_cycle", PeakPer::core_cycle},
                                                           {"second", PeakPer::second}};
  static const std::map<std::string_view, Provenance> kProvenance = {
      {"measured", Provenance::measured},
      {"theoretical", Provenance::theoretical},
      {"estimated", Provenance::estimated}};
  TomlReader in(table, where);
  Peak peak;
  const std::optional<double> value = in.number("value");
  if (!value) in.fail("value", "is missing");
  peak.value = *value;
  peak.per = one_of(in, "per", kPer);
  peak.provenance = one_of(in, "provenance", kProvenance);
  peak.source = in.required_text("source");
  in.finish();
  return peak;
}

/// A path with the GPUs it is for (empty: all).
struct FamilyPath {
  UnitPath path;
  std::vector<std::string> gpus;
};
struct FamilyUnit {
  std::string id;
  std::string label;
  std::vector<FamilyPath> paths;
};

FamilyPath read_path(const toml::table& table, const std::string& where, bool in_family) {
  TomlReader in(table, where);
  FamilyPath out;
  UnitPath& path = out.path;
  path.id = in.required_text("id");
  path.label = in.text("label");
  if (path.label.empty()) path.label = path.id;
  path.work = in.required_text("work");
  path.work_unit = in.text("work_unit");
  path.ready_percent = in.flag("ready_percent");
  if (in_family) out.gpus = in.texts("gpus");
  if (const toml::table* peak = in.table("peak")) path.peak = read_peak(*peak, where + ": peak");
  if (path.ready_percent && path.peak) in.fail("peak", "a ready percentage has none");
  if (path.ready_percent && !path.work_unit.empty() && path.work_unit != "percent") {
    in.fail("work_unit", "a ready percentage is in percent");
  }
  if (path.ready_percent) path.work_unit = "percent";
  try {
    Expression::parse(path.work);
  } catch (const ExpressionError& e) {
    in.fail("work", e.what());
  }
  in.finish();
  return out;
}

std::vector<FamilyUnit> read_units(TomlReader& in, bool in_family) {
  std::vector<FamilyUnit> out;
  for (const toml::table* table : in.tables("unit")) {
    TomlReader unit_in(*table, in.where() + ": [[unit]]");
    FamilyUnit unit;
    unit.id = unit_in.required_text("id");
    if (unit_label(unit.id).empty())
      unit_in.fail("id", fmt::format("unknown unit \"{}\"", unit.id));
    unit.label = unit_in.text("label");
    if (unit.label.empty()) unit.label = unit_label(unit.id);
    const std::string where = fmt::format("{}: unit {}", in.where(), unit.id);
    for (const FamilyUnit& other : out) {
      if (other.id == unit.id)
        unit_in.fail("id", fmt::format("unit \"{}\" is there twice", unit.id));
    }
    for (const toml::table* path : unit_in.tables("path")) {
      unit.paths.push_back(read_path(*path, where, in_family));
      const auto same = [&](const FamilyPath& p) { return p.path.id == unit.paths.back().path.id; };
      if (std::count_if(unit.paths.begin(), unit.paths.end(), same) > 1) {
        unit_in.fail("path", fmt::format("path \"{}\" is there twice", unit.paths.back().path.id));
      }
    }
    if (unit.paths.empty()) unit_in.fail("path", "a unit needs at least one path");
    unit_in.finish();
    out.push_back(std::move(unit));
  }
  return out;
}

struct Family {
  std::string vendor;
  std::vector<FamilyUnit> units;
};

Family read_family(const EmbeddedFile& file) {
  const toml::table table = parse_toml(file.bytes, file.name);
  TomlReader in(table, std::string(file.name));
  Family family;
  in.required_text("family");
  family.vendor = in.required_text("vendor");
  family.units = read_units(in, true);
  in.finish();
  return family;
}

const std::map<std::string, Family, std::less<>>& families() {
  static const std::map<std::string, Family, std::less<>> all = [] {
    std::map<std::string, Family, std::less<>> out;
    for (const EmbeddedFile& file : device_files()) {
      if (!file.name.starts_with("families/")) continue;
      const std::string_view name = file.name.substr(9, file.name.size() - 9 - 5);
      out.emplace(name, read_family(file));
    }
    return out;
  }();
  return all;
}

void read_match(const toml::table& table, const std::string& where, model::DeviceMatch& match) {
  TomlReader in(table, where + ": [match]");
  match.gpus = in.texts("gpus");
  match.cores = in.whole("cores");
  match.soc_models = in.texts("soc_models");
  match.builds = in.texts("builds");
  match.driver_min = in.whole("driver_min");
  match.driver_max = in.whole("driver_max");
  if (match.driver_min && match.driver_max && *match.driver_max < *match.driver_min) {
    in.fail("driver_max", "is below driver_min");
  }
  in.finish();
}

void read_facts(const toml::table& table, const std::string& where, Device& device) {
  TomlReader in(table, where + ": [facts]");
  for (const std::string& key : in.keys()) {
    const toml::table* entry = in.table(key);
    TomlReader fact(*entry, fmt::format("{}: fact {}", where, key));
    model::Fact value{fact.required_text("value"), fact.required_text("source")};
    fact.finish();
    device.facts.emplace(key, std::move(value));
  }
}

/// [peaks.UNIT] PATH = { ... } sets the peak of a path that the family gives.
void read_peaks(const toml::table& table, const std::string& where, Device& device) {
  TomlReader in(table, where + ": [peaks]");
  for (const std::string& unit_id : in.keys()) {
    const toml::table* entries = in.table(unit_id);
    const auto unit = std::find_if(device.units.begin(), device.units.end(),
                                   [&](const Unit& u) { return u.id == unit_id; });
    if (unit == device.units.end()) in.fail(unit_id, "the profile has no such unit");
    TomlReader paths(*entries, fmt::format("{}: [peaks.{}]", where, unit_id));
    for (const std::string& path_id : paths.keys()) {
      const toml::table* entry = paths.table(path_id);
      const auto path = std::find_if(unit->paths.begin(), unit->paths.end(),
                                     [&](const UnitPath& p) { return p.id == path_id; });
      if (path == unit->paths.end()) paths.fail(path_id, "the unit has no such path");
      if (path->ready_percent) paths.fail(path_id, "a ready percentage has no peak");
      path->peak = read_peak(*entry, paths.where() + " " + path_id);
    }
  }
}

bool valid_id(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

}  // namespace

std::vector<Unit> family_units(std::string_view family, std::string_view gpu,
                               std::optional<double> external_beat_bytes) {
  constexpr double kAssumedBeatBytes = 16;
  std::vector<Unit> out;
  const auto found = families().find(family);
  if (found == families().end()) return out;
  for (const FamilyUnit& unit : found->second.units) {
    Unit kept{unit.id, unit.label, {}};
    for (const FamilyPath& path : unit.paths) {
      const bool fits = gpu.empty() || path.gpus.empty() ||
                        std::find(path.gpus.begin(), path.gpus.end(), gpu) != path.gpus.end();
      if (fits) kept.paths.push_back(path.path);
    }
    for (UnitPath& path : kept.paths) {
      if (path.work.find("$MaliConfigExtBusBeatSize") == std::string::npos) continue;
      const double beat = external_beat_bytes.value_or(kAssumedBeatBytes);
      path.work = Expression::parse(path.work)
                      .substitute([&](std::string_view name) -> std::optional<Expression> {
                        if (name != "MaliConfigExtBusBeatSize") return std::nullopt;
                        return Expression::parse(fmt::format("{}", beat));
                      })
                      .text();
    }
    if (!kept.paths.empty()) out.push_back(std::move(kept));
  }
  return out;
}

std::string_view family_of_vendor(std::string_view vendor) {
  for (const auto& [name, family] : families()) {
    if (family.vendor == vendor) return name;
  }
  return {};
}

Device read_profile(std::string_view toml, std::string_view origin) {
  const toml::table table = parse_toml(toml, origin);
  TomlReader in(table, std::string(origin));
  Device device;
  device.origin = origin;
  device.id = in.required_text("id");
  if (!valid_id(device.id)) in.fail("id", "may hold lower-case letters, digits and hyphens");
  device.name = in.required_text("name");
  device.vendor = in.required_text("vendor");
  if (family_of_vendor(device.vendor).empty()) in.fail("vendor", "unknown vendor");
  device.gpu_key = in.text("gpu");
  if (!device.gpu_key.empty() && gpu_key(device.gpu_key) != device.gpu_key) {
    in.fail("gpu", "must be a key of the counter catalogue, such as \"G77\"");
  }
  device.cores = in.whole("cores");
  if (const auto hertz = in.number("clock_max_hz")) device.clock_max = base::Hertz{*hertz};
  device.clock_max_source = in.text("clock_max_source");
  if (device.clock_max && device.clock_max_source.empty()) {
    in.fail("clock_max_source", "a clock needs its source");
  }
  device.external_beat_bytes = in.number("external_beat_bytes");
  if (const std::string counter = in.text("core_cycles_counter"); !counter.empty()) {
    if (find_counter(counter) == nullptr) in.fail("core_cycles_counter", "unknown counter");
    device.core_cycles_counter = counter;
  }
  device.quirks = in.texts("quirks");
  if (const toml::table* match = in.table("match")) {
    read_match(*match, in.where(), device.match);
  }
  if (const toml::table* facts = in.table("facts")) read_facts(*facts, in.where(), device);

  const std::string family = in.text("family");
  if (!family.empty() && !families().contains(family)) in.fail("family", "unknown family");
  device.units = family_units(family, device.gpu_key, device.external_beat_bytes);
  for (FamilyUnit& own : read_units(in, false)) {
    Unit unit{own.id, own.label, {}};
    for (FamilyPath& path : own.paths) unit.paths.push_back(std::move(path.path));
    const auto same = std::find_if(device.units.begin(), device.units.end(),
                                   [&](const Unit& u) { return u.id == unit.id; });
    if (same != device.units.end()) {
      *same = std::move(unit);
    } else {
      device.units.push_back(std::move(unit));
    }
  }
  if (const toml::table* peaks = in.table("peaks")) read_peaks(*peaks, in.where(), device);
  in.finish();
  const auto rank = [](const Unit& unit) {
    return std::find(unit_ids().begin(), unit_ids().end(), unit.id) - unit_ids().begin();
  };
  std::stable_sort(device.units.begin(), device.units.end(),
                   [&](const Unit& a, const Unit& b) { return rank(a) < rank(b); });
  return device;
}

}  // namespace tilebound::devices
