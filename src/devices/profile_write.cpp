#include <fmt/format.h>

#include "devices/profile.h"

namespace tilebound::devices {

namespace {

/// A TOML basic string. Bytes that are not valid there have an escape.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\u{:04X}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += (out.size() > 1 ? ", " : "") + quoted(text);
  return out + "]";
}

std::string number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string_view name(model::PeakPer per) {
  switch (per) {
    case model::PeakPer::gpu_cycle:
      return "gpu_cycle";
    case model::PeakPer::core_cycle:
      return "core_cycle";
    default:
      return "second";
  }
}

std::string_view name(model::Provenance provenance) {
  switch (provenance) {
    case model::Provenance::measured:
      return "measured";
    case model::Provenance::theoretical:
      return "theoretical";
    default:
      return "estimated";
  }
}

std::string match_text(const model::DeviceMatch& match) {
  if (match == model::DeviceMatch{}) return {};
  std::string out = "\n[match]\n";
  if (!match.gpus.empty()) out += "gpus = " + list(match.gpus) + "\n";
  if (match.cores) out += fmt::format("cores = {}\n", *match.cores);
  if (!match.soc_models.empty()) out += "soc_models = " + list(match.soc_models) + "\n";
  if (!match.builds.empty()) out += "builds = " + list(match.builds) + "\n";
  if (match.driver_min) out += fmt::format("driver_min = {}\n", *match.driver_min);
  if (match.driver_max) out += fmt::format("driver_max = {}\n", *match.driver_max);
  return out;
}

std::string path_text(const model::UnitPath& path) {
  std::string out = fmt::format("\n[[unit.path]]\nid = {}\nlabel = {}\nwork = {}\n",
                                quoted(path.id), quoted(path.label), quoted(path.work));
  if (path.ready_percent) {
    out += "ready_percent = true\n";
  } else if (!path.work_unit.empty()) {
    out += "work_unit = " + quoted(path.work_unit) + "\n";
  }
  if (path.peak) {
    out += fmt::format("peak = {{ value = {}, per = \"{}\", provenance = \"{}\", source = {} }}\n",
                       number(path.peak->value), name(path.peak->per), name(path.peak->provenance),
                       quoted(path.peak->source));
  }
  return out;
}

}  // namespace

std::string write_profile(const model::Device& device) {
  std::string out = fmt::format("id = {}\nname = {}\nvendor = {}\n", quoted(device.id),
                                quoted(device.name), quoted(device.vendor));
  if (!device.gpu_key.empty()) out += "gpu = " + quoted(device.gpu_key) + "\n";
  if (device.cores) out += fmt::format("cores = {}\n", *device.cores);
  if (device.clock_max) out += "clock_max_hz = " + number(device.clock_max->value) + "\n";
  if (!device.clock_max_source.empty()) {
    out += "clock_max_source = " + quoted(device.clock_max_source) + "\n";
  }
  if (device.external_beat_bytes) {
    out += "external_beat_bytes = " + number(*device.external_beat_bytes) + "\n";
  }
  if (device.core_cycles_counter) {
    out += "core_cycles_counter = " + quoted(*device.core_cycles_counter) + "\n";
  }
  if (!device.quirks.empty()) out += "quirks = " + list(device.quirks) + "\n";
  out += match_text(device.match);
  if (!device.facts.empty()) out += "\n[facts]\n";
  for (const auto& [key, fact] : device.facts) {
    out += fmt::format("{} = {{ value = {}, source = {} }}\n", quoted(key), quoted(fact.value),
                       quoted(fact.source));
  }
  for (const model::Unit& unit : device.units) {
    out += fmt::format("\n[[unit]]\nid = {}\nlabel = {}\n", quoted(unit.id), quoted(unit.label));
    for (const model::UnitPath& path : unit.paths) out += path_text(path);
  }
  return out;
}

}  // namespace tilebound::devices
