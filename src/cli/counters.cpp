#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "cli/files.h"
#include "cli/text_page.h"
#include "cli/verb.h"
#include "devices/catalogue.h"
#include "devices/gpu.h"
#include "devices/profile.h"
#include "report/json.h"

namespace tilebound::cli {

namespace {

using devices::CounterDefinition;
using nlohmann::ordered_json;

struct Options {
  std::string gpu;
  std::string unit;
  std::string search;
  bool all = false;
  std::string format = "text";
  std::string name;
  std::string output;
};

std::string_view kind_name(const CounterDefinition& d) {
  return d.constant ? "constant" : report::kind_name(d.kind);
}

std::string_view scope_name(const CounterDefinition& d) {
  return d.scope == devices::Scope::shader_core ? "each shader core"
         : d.scope == devices::Scope::l2_slice  ? "each L2 slice, summed by producers"
                                                : "the GPU";
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
  return out;
}

std::vector<std::string> spellings(const CounterDefinition& d) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& text) {
    if (!text.empty() && std::find(out.begin(), out.end(), text) == out.end()) out.push_back(text);
  };
  add(d.streamline_expression());
  add(d.streamline);
  add(d.hardware_name);
  for (const std::string& alias : d.aliases) add(alias);
  return out;
}

/// Machine names of the counters that a hardware unit's expressions read, on any GPU.
std::set<std::string> counters_of_unit(const std::string& unit_id) {
  if (devices::unit_label(unit_id).empty()) {
    throw base::UsageError(fmt::format("no unit \"{}\"", unit_id));
  }
  std::set<std::string> out;
  for (const char* vendor : {"arm", "qualcomm", "imagination", "nvidia"}) {
    for (const model::Unit& unit : devices::generic_device(vendor).units) {
      if (unit.id != unit_id) continue;
      for (const model::UnitPath& path : unit.paths) {
        const devices::Expression work = devices::Expression::parse(path.work);
        for (const std::string& name : work.names()) {
          const CounterDefinition* d = devices::find_counter(name);
          if (d != nullptr) out.insert(d->machine_name);
        }
      }
    }
  }
  return out;
}

bool contains(std::string_view text, const std::string& lowered_word) {
  return base::lower(text).find(lowered_word) != std::string::npos;
}

bool mentions(const CounterDefinition& d, const std::string& word) {
  const std::vector<std::string> names = spellings(d);
  return contains(d.machine_name, word) || contains(d.display_name, word) ||
         contains(d.meaning, word) ||
         std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return contains(name, word); });
}

/// The definitions to list, one for each machine name.
std::vector<const CounterDefinition*> selected(const Options& options) {
  const std::string_view key = devices::gpu_key(options.gpu);
  const std::string_view vendor = devices::vendor_of(options.gpu);
  if (!options.gpu.empty() && key.empty() && (vendor.empty() || vendor == "arm")) {
    throw base::UsageError(fmt::format("no counters are known for GPU \"{}\"", options.gpu));
  }
  std::set<std::string> of_unit;
  if (!options.unit.empty()) of_unit = counters_of_unit(options.unit);
  const std::string word = base::lower(options.search);
  std::vector<const CounterDefinition*> out;
  std::set<std::string_view> seen;
  for (const CounterDefinition& d : devices::catalogue()) {
    if (!d.published() && !options.all && word.empty()) continue;
    if (!key.empty() && (d.vendor != "arm" || !d.on(key))) continue;
    if (key.empty() && !vendor.empty() && d.vendor != vendor) continue;
    if (!options.unit.empty() && !of_unit.contains(d.machine_name)) continue;
    if (!word.empty() && !mentions(d, word)) continue;
    if (seen.insert(d.machine_name).second) out.push_back(&d);
  }
  return out;
}

ordered_json id_json(const std::optional<std::uint32_t>& id) {
  return id ? ordered_json(*id) : ordered_json(nullptr);
}

ordered_json to_json(const CounterDefinition& d) {
  ordered_json layout_ids = ordered_json::object();
  for (const std::string& key : d.gpus) {
    if (const auto id = d.layout_id(key)) layout_ids[key] = *id;
  }
  return {{"machine_name", d.machine_name},
          {"display_name", d.display_name},
          {"hardware_name", d.hardware_name},
          {"spellings", spellings(d)},
          {"vendor", d.vendor},
          {"block", d.block},
          {"scope", scope_name(d)},
          {"kind", kind_name(d)},
          {"unit", d.unit},
          {"gpus", d.gpus},
          {"layout_ids", std::move(layout_ids)},
          {"stable_id", id_json(d.stable_id)},
          {"equation", d.equation},
          {"meaning", d.meaning},
          {"source", d.source}};
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string id_text(const std::optional<std::uint32_t>& id) {
  return id ? std::to_string(*id) : std::string();
}

int list(const Options& options) {
  const auto definitions = selected(options);
  const std::string_view key = devices::gpu_key(options.gpu);
  std::string out;
  if (options.format == "json") {
    ordered_json json{{"schema", "tilebound.counters/1"}, {"counters", ordered_json::array()}};
    for (const CounterDefinition* d : definitions) json["counters"].push_back(to_json(*d));
    out = json.dump(2) + "\n";
  } else if (options.format == "csv") {
    out =
        "machine_name,display_name,hardware_name,streamline,block,unit,layout_id,stable_id,"
        "meaning\n";
    for (const CounterDefinition* d : definitions) {
      out += fmt::format("{},{},{},{},{},{},{},{},{}\n", d->machine_name,
                         csv_field(d->display_name), d->hardware_name, d->streamline_expression(),
                         d->block, d->unit, id_text(key.empty() ? d->jm_id : d->layout_id(key)),
                         id_text(d->stable_id), csv_field(d->meaning));
    }
  } else {
    for (const CounterDefinition* d : definitions) {
      out += fmt::format("{:<32} {}\n", d->machine_name, d->display_name);
    }
    if (definitions.empty()) throw base::UsageError("no counter fits");
  }
  write_output(options.output, out);
  return 0;
}

/// "217 on G77, G78" for the ids by layout.
std::string layout_ids(const CounterDefinition& d, devices::FrontEnd front_end) {
  std::vector<std::pair<std::uint32_t, std::string>> ids;
  for (const std::string& key : d.gpus) {
    const devices::Gpu* gpu = devices::find_gpu(key);
    const auto id = d.layout_id(key);
    if (!id || gpu->front_end != front_end) continue;
    const auto same =
        std::find_if(ids.begin(), ids.end(), [&](const auto& e) { return e.first == *id; });
    if (same == ids.end()) {
      ids.emplace_back(*id, key);
    } else {
      same->second += ", " + key;
    }
  }
  std::string out;
  for (const auto& [id, keys] : ids) {
    out += fmt::format("{}{} on {}", out.empty() ? "" : "; ", id, keys);
  }
  return out;
}

void show_definition(TextPage& page, const CounterDefinition& d) {
  page.row("GPUs", joined(d.gpus));
  page.row("kind", fmt::format("{}{}", kind_name(d), d.derived() ? ", derived" : ""));
  page.row("unit", d.unit);
  page.row("block", d.block);
  if (d.vendor == "arm" && !d.constant) page.row("counts in", scope_name(d));
  page.row("equation", d.equation);
  if (d.constant_value) page.row("value", fmt::format("{}", *d.constant_value));
  page.row("meaning", d.meaning);
  page.row("id, JM", layout_ids(d, devices::FrontEnd::job_manager));
  page.row("id, CSF < r37", layout_ids(d, devices::FrontEnd::command_stream));
  if (d.stable_id) page.row("id, CSF r37+", std::to_string(*d.stable_id));
  for (const std::string& spelling : spellings(d)) page.row("also", spelling);
  page.row("source", d.source);
}

/// A number means something else in each numbering, so every reading is listed.
std::string show_id(std::uint32_t id) {
  TextPage page;
  page.heading(fmt::format("Id {} by numbering; a number alone does not say which applies", id));
  std::vector<std::pair<std::string, std::string>> rows;
  const auto add = [&](std::string_view scheme, const CounterDefinition* d,
                       const std::string& key) {
    if (d == nullptr) return;
    const std::string text = fmt::format("{}: {} ({})", scheme, d->machine_name, d->display_name);
    const auto same =
        std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.first == text; });
    if (same == rows.end()) {
      rows.emplace_back(text, key);
    } else if (same->second.find(key) == std::string::npos) {
      same->second += ", " + key;
    }
  };
  for (const devices::Gpu& gpu : devices::gpus()) {
    const bool jm = gpu.front_end == devices::FrontEnd::job_manager;
    add(jm ? "job-manager layout" : "command-stream layout, before r37",
        devices::find_by_layout_id(id, gpu.key), gpu.key);
    if (!jm) add("stable ids, r37 and later", devices::find_by_stable_id(id, gpu.key), gpu.key);
  }
  if (rows.empty()) throw base::UsageError(fmt::format("no counter has the id {}", id));
  for (const auto& [text, keys] : rows) page.item(fmt::format("{} on {}", text, keys), 2);
  return page.text();
}

int show(const Options& options) {
  const auto number = base::parse_number(options.name);
  if (number && *number >= 0 && *number < 1e9) {
    write_output(options.output, show_id(static_cast<std::uint32_t>(*number)));
    return 0;
  }
  const CounterDefinition* found = devices::find_counter(options.name, options.gpu);
  if (found == nullptr) {
    throw base::UsageError(
        fmt::format("no counter \"{}\"; try `tilebound counters --search`", options.name));
  }
  if (options.format == "json") {
    ordered_json json{{"schema", "tilebound.counter/1"}, {"definitions", ordered_json::array()}};
    for (const CounterDefinition& d : devices::catalogue()) {
      if (d.machine_name == found->machine_name) json["definitions"].push_back(to_json(d));
    }
    write_output(options.output, json.dump(2) + "\n");
    return 0;
  }
  TextPage page;
  page.heading(fmt::format("{} ({})", found->machine_name, found->display_name));
  bool first = true;
  const std::string_view key = devices::gpu_key(options.gpu);
  for (const CounterDefinition& d : devices::catalogue()) {
    if (d.machine_name != found->machine_name || (!key.empty() && !d.on(key))) continue;
    if (!first) page.blank();
    show_definition(page, d);
    first = false;
  }
  write_output(options.output, page.text());
  return 0;
}

}  // namespace

void add_counters(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("counters", "The counter catalogue: list and show");
  verb->require_subcommand(0, 1);
  verb->add_option("--gpu", options->gpu, "Only counters of this GPU, such as G77 or Mali-G57");
  verb->add_option("--unit", options->unit, "Only counters that this hardware unit is judged by");
  verb->add_option("--search", options->search, "Only counters with this text in name or meaning");
  verb->add_flag("--all", options->all, "With counters of which only the hardware name is known");
  verb->add_option("--format", options->format, "text, json or csv")
      ->check(CLI::IsMember({"text", "json", "csv"}));
  verb->add_option("-o,--output", options->output, "Write to this file");
  verb->callback([&action, options, verb] {
    if (verb->get_subcommands().empty()) action = [options] { return list(*options); };
  });

  CLI::App* show_command = verb->add_subcommand("show", "One counter: spellings, ids, meaning");
  show_command->add_option("name", options->name, "Any spelling, or an id")->required();
  show_command->add_option("--gpu", options->gpu, "The GPU, where names differ between GPUs");
  show_command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  show_command->add_option("-o,--output", options->output, "Write to this file");
  show_command->callback([&action, options] { action = [options] { return show(*options); }; });
}

}  // namespace tilebound::cli
