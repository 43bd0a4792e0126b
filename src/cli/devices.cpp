#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/device_argument.h"
#include "cli/files.h"
#include "cli/text_page.h"
#include "cli/verb.h"
#include "devices/profile.h"

namespace tilebound::cli {

namespace {

using nlohmann::ordered_json;

struct Options {
  std::string format = "text";
  std::string export_format = "toml";
  std::string device;
  std::string input;
  std::string id = "imported";
  std::string name;
  std::uint32_t cores = 0;
  std::string output;
  std::vector<std::string> files;
};

std::string_view name(model::Provenance p) {
  return p == model::Provenance::measured      ? "measured"
         : p == model::Provenance::theoretical ? "theoretical"
                                               : "estimated";
}

std::string_view name(model::PeakPer per) {
  return per == model::PeakPer::gpu_cycle    ? "GPU cycle"
         : per == model::PeakPer::core_cycle ? "core cycle"
                                             : "second";
}

/// "16 measured", "7 theoretical", "ready percentages", "none".
std::string peaks_summary(const model::Device& device) {
  std::map<std::string_view, int> counts;
  bool ready = false;
  for (const model::Unit& unit : device.units) {
    for (const model::UnitPath& path : unit.paths) {
      if (path.peak) ++counts[name(path.peak->provenance)];
      ready = ready || path.ready_percent;
    }
  }
  std::string out;
  for (const auto& [what, count] : counts) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, what);
  }
  if (out.empty()) return ready ? "ready percentages" : "none";
  return out;
}

ordered_json optional_number(const auto& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json to_json(const model::Device& device) {
  ordered_json out{{"schema", "tilebound.device/1"},
                   {"id", device.id},
                   {"name", device.name},
                   {"vendor", device.vendor},
                   {"gpu", device.gpu_key},
                   {"origin", device.origin},
                   {"cores", optional_number(device.cores)},
                   {"clock_max_hz", device.clock_max ? ordered_json(device.clock_max->value)
                                                     : ordered_json(nullptr)},
                   {"clock_max_source", device.clock_max_source},
                   {"external_beat_bytes", optional_number(device.external_beat_bytes)},
                   {"core_cycles_counter", optional_number(device.core_cycles_counter)},
                   {"match",
                    {{"gpus", device.match.gpus},
                     {"cores", optional_number(device.match.cores)},
                     {"soc_models", device.match.soc_models},
                     {"builds", device.match.builds},
                     {"driver_min", optional_number(device.match.driver_min)},
                     {"driver_max", optional_number(device.match.driver_max)}}},
                   {"facts", ordered_json::object()},
                   {"units", ordered_json::array()},
                   {"quirks", device.quirks}};
  for (const auto& [key, fact] : device.facts) {
    out["facts"][key] = {{"value", fact.value}, {"source", fact.source}};
  }
  for (const model::Unit& unit : device.units) {
    ordered_json paths = ordered_json::array();
    for (const model::UnitPath& path : unit.paths) {
      ordered_json peak = nullptr;
      if (path.peak) {
        peak = {{"value", path.peak->value},
                {"per", name(path.peak->per)},
                {"provenance", name(path.peak->provenance)},
                {"source", path.peak->source}};
      }
      paths.push_back({{"id", path.id},
                       {"label", path.label},
                       {"work", path.work},
                       {"work_unit", path.work_unit},
                       {"ready_percent", path.ready_percent},
                       {"peak", std::move(peak)}});
    }
    out["units"].push_back({{"id", unit.id}, {"label", unit.label}, {"paths", std::move(paths)}});
  }
  return out;
}

std::string dump(const ordered_json& json) {
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

int list(const Options& options) {
  std::string text = fmt::format("{:<14} {:<34} {:>5}  {}\n", "id", "name", "cores", "peaks");
  ordered_json json{{"schema", "tilebound.devices/1"}, {"devices", ordered_json::array()}};
  for (const model::Device& device : devices::all_devices()) {
    text += fmt::format("{:<14} {:<34} {:>5}  {}\n", device.id, device.name,
                        device.cores ? std::to_string(*device.cores) : "-", peaks_summary(device));
    json["devices"].push_back({{"id", device.id},
                               {"name", device.name},
                               {"vendor", device.vendor},
                               {"cores", optional_number(device.cores)},
                               {"peaks", peaks_summary(device)}});
  }
  write_output(options.output, options.format == "json" ? dump(json) : text);
  return 0;
}

std::string peak_text(const model::UnitPath& path) {
  if (path.ready_percent) return "ready percentage";
  if (!path.peak) return "no peak known";
  return fmt::format("{:.4g} {} a {}, {}", path.peak->value, path.work_unit, name(path.peak->per),
                     name(path.peak->provenance));
}

std::string show_text(const model::Device& device) {
  TextPage page;
  page.heading(fmt::format("{} ({})", device.name, device.id));
  page.row("vendor", device.vendor);
  page.row("origin", device.origin);
  page.row("cores", device.cores ? std::to_string(*device.cores) : "depends on the chip");
  if (device.clock_max) {
    page.row("clock maximum",
             fmt::format("{} ({})", base::short_number(device.clock_max->value, "Hz"),
                         device.clock_max_source));
  }
  if (device.external_beat_bytes) {
    page.row("external beat", fmt::format("{} bytes", *device.external_beat_bytes));
  }
  page.row("core cycles", device.core_cycles_counter.value_or(""));
  page.blank();
  page.heading("Units");
  for (const model::Unit& unit : device.units) {
    page.item(fmt::format("{} ({})", unit.label, unit.id), 2);
    for (const model::UnitPath& path : unit.paths) {
      page.item(fmt::format("{}: {}", path.label, peak_text(path)), 4);
      page.item(path.work, 6);
      if (path.peak) page.item("source: " + path.peak->source, 6);
    }
  }
  if (!device.facts.empty()) {
    page.blank();
    page.heading("Facts");
  }
  for (const auto& [key, fact] : device.facts) {
    page.item(fmt::format("{}: {} [{}]", key, fact.value, fact.source), 2);
  }
  if (!device.quirks.empty()) {
    page.blank();
    page.heading("Quirks");
  }
  for (const std::string& quirk : device.quirks) page.item(quirk, 2);
  return page.text();
}

int show(const Options& options) {
  const model::Device device = device_by_argument(options.device);
  write_output(options.output,
               options.format == "json" ? dump(to_json(device)) : show_text(device));
  return 0;
}

int export_device(const Options& options) {
  const model::Device device = device_by_argument(options.device);
  if (options.export_format == "toml") {
    write_output(options.output, devices::write_profile(device));
    return 0;
  }
  const auto expressions = devices::expressions_of(device);
  if (expressions.empty()) {
    throw base::UsageError(fmt::format("{} has no peaks that Streamline could show", device.id));
  }
  std::string header =
      fmt::format("{} ({}). Percent of peak; valid on this device only.", device.name, device.id);
  if (const auto driver = device.facts.find("driver_seen"); driver != device.facts.end()) {
    header += fmt::format("\nDriver: {}", driver->second.value);
  }
  write_output(options.output, devices::write_expressions(expressions, header));
  return 0;
}

void print_notes(const std::vector<model::Note>& notes) {
  for (const model::Note& note : notes) {
    fmt::print(stderr, "tilebound: {}\n", base::printable(note.message));
  }
}

int import_device(const Options& options) {
  const auto expressions = devices::read_expressions(read_text_file(options.input));
  std::vector<model::Note> notes;
  model::Device device = devices::device_from_expressions(expressions, notes);
  print_notes(notes);
  if (device.units.empty()) {
    throw base::InputError(fmt::format(
        "{}: no expression of the form work / ($MaliGPUCyclesGPUActive / K)", options.input));
  }
  device.id = options.id;
  device.name = options.name.empty() ? options.id : options.name;
  if (options.cores > 0) device.cores = options.cores;
  const std::string toml = devices::write_profile(device);
  devices::read_profile(toml, options.id);  // an id that no profile may have is refused here
  write_output(options.output, toml);
  return 0;
}

int check(const Options& options) {
  int failures = 0;
  std::string out;
  for (const std::string& file : options.files) {
    try {
      const model::Device device = devices::read_profile(read_text_file(file), file);
      out += fmt::format("{}: {}, {} units, peaks: {}\n", base::printable(file), device.id,
                         device.units.size(), peaks_summary(device));
    } catch (const base::InputError& e) {
      ++failures;
      fmt::print(stderr, "tilebound: {}\n", base::printable(e.what()));
    }
  }
  write_output(options.output, out);
  return failures == 0 ? 0 : 2;
}

}  // namespace

void add_devices(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      app.add_subcommand("devices", "Device profiles: list, show, export, import, check");
  verb->require_subcommand(0, 1);
  const auto format = [&](CLI::App* command) {
    command->add_option("--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}));
  };
  const auto output = [&](CLI::App* command) {
    command->add_option("-o,--output", options->output, "Write to this file");
  };
  const auto run = [&action, options](CLI::App* command, int (*what)(const Options&)) {
    command->callback(
        [&action, options, what] { action = [options, what] { return what(*options); }; });
  };
  format(verb);
  output(verb);
  verb->callback([&action, options, verb] {
    if (verb->get_subcommands().empty()) action = [options] { return list(*options); };
  });

  CLI::App* show_command = verb->add_subcommand("show", "Facts, units and peaks of a device");
  show_command->add_option("device", options->device, "Id, or the path of a profile")->required();
  format(show_command);
  output(show_command);
  run(show_command, show);

  CLI::App* export_command =
      verb->add_subcommand("export", "A profile as TOML, or as expressions to paste in Streamline");
  export_command->add_option("device", options->device, "Id, or the path of a profile")->required();
  export_command->add_option("--format", options->export_format, "toml or streamline")
      ->check(CLI::IsMember({"toml", "streamline"}));
  output(export_command);
  run(export_command, export_device);

  CLI::App* import_command =
      verb->add_subcommand("import", "A profile out of Streamline throughput expressions");
  import_command->add_option("file", options->input, "Text with expressions, \"-\" for input")
      ->required();
  import_command->add_option("--id", options->id, "Id of the device, such as my-phone")->required();
  import_command->add_option("--name", options->name, "Name for people");
  import_command->add_option("--cores", options->cores, "Shader cores of the device");
  output(import_command);
  run(import_command, import_device);

  CLI::App* check_command = verb->add_subcommand("check", "Is each file a valid profile?");
  check_command->add_option("files", options->files, "Profiles")->required();
  run(check_command, check);
}

}  // namespace tilebound::cli
