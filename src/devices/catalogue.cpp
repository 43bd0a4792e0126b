#include "devices/catalogue.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "base/text.h"
#include "devices/gpu.h"
#include "devices/table.h"

namespace tilebound::devices {

using model::CounterKind;

namespace {

bool is_alnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Spellings that mean the same give the same text: words in lower case without what is between.
std::string normalised(std::string_view name) {
  std::string out;
  std::string word;
  const auto flush = [&] {
    out += word == "sec" ? "second" : word;
    word.clear();
  };
  for (const char c : base::lower(name)) {
    if (is_alnum(c)) {
      word += c;
    } else {
      flush();
      if (c == '%') out += c;
    }
  }
  flush();
  return out;
}

std::string camel_case(std::string_view text) {
  std::string out;
  bool start = true;
  for (const char c : text) {
    if (is_alnum(c)) {
      out += start && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    start = !is_alnum(c);
  }
  return out;
}

std::vector<std::string> list(std::string_view text, char separator) {
  std::vector<std::string> out;
  for (const std::string_view part : base::split(text, separator)) {
    if (!part.empty()) out.emplace_back(part);
  }
  return out;
}

CounterKind kind_of(std::string_view text) {
  return text == "percent" ? CounterKind::percent
         : text == "rate"  ? CounterKind::rate
         : text == "count" ? CounterKind::count
                           : CounterKind::level;
}

/// Order in Perfetto ids and in the kernel's dumps.
constexpr std::array<std::string_view, 4> kBlocks = {"front-end", "tiler", "memory", "shader-core"};

CounterDefinition read_row(const Table& table, std::size_t row, std::string_view vendor) {
  const auto field = [&](std::string_view column) { return table.at(row, column); };
  CounterDefinition d;
  d.machine_name = field("machine_name");
  d.vendor = vendor;
  d.display_name = field("display_name");
  d.hardware_name = field("hardware_name");
  d.streamline = field("streamline");
  if (!field("gator").empty()) d.aliases.emplace_back(field("gator"));
  for (std::string& alias : list(field("aliases"), ';')) d.aliases.push_back(std::move(alias));
  d.block = field("block");
  d.scope = vendor != "arm"            ? Scope::gpu
            : d.block == "memory"      ? Scope::l2_slice
            : d.block == "shader-core" ? Scope::shader_core
                                       : Scope::gpu;
  d.kind = kind_of(field("kind"));
  d.unit = field("unit");
  d.gpus = list(field("gpus"), ',');
  for (const std::string& part : list(field("slots"), ';')) {
    const std::size_t colon = part.find(':');
    d.slots.push_back({parse_id(part.substr(0, colon)).value_or(0),
                       list(std::string_view(part).substr(colon + 1), ',')});
  }
  for (const std::string& id : list(field("stable_id"), ';')) {
    if (!d.stable_id) {
      d.stable_id = parse_id(id);
    } else {
      d.other_stable_ids.push_back(parse_id(id).value());
    }
  }
  d.constant = field("kind") == "constant";
  if (d.constant) {
    d.constant_value = base::parse_number(field("equation"));
  } else {
    d.equation = field("equation");
  }
  for (const std::string& key : d.gpus) {
    const Gpu* gpu = find_gpu(key);
    if (gpu != nullptr && gpu->front_end == FrontEnd::job_manager && !d.jm_id) {
      d.jm_id = d.layout_id(key);
    }
  }
  d.meaning = field("meaning");
  d.source = table.source();
  return d;
}

struct Catalogue {
  std::vector<CounterDefinition> definitions;
  /// By normalised name, in order of trust: machine name, display name, hardware name, the rest.
  std::unordered_map<std::string, std::vector<std::size_t>> by_name;
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> by_layout_id;  // of key and id
  std::multimap<std::uint32_t, std::size_t> by_stable_id;
};

Catalogue load() {
  static constexpr std::array kFiles = {
      std::pair{"mali.tsv", "arm"},        std::pair{"mali_internal.tsv", "arm"},
      std::pair{"adreno.tsv", "qualcomm"}, std::pair{"powervr.tsv", "imagination"},
      std::pair{"nvidia.tsv", "nvidia"},
  };
  Catalogue out;
  for (const auto& [name, vendor] : kFiles) {
    const Table table(find_file(counter_files(), name));
    for (std::size_t i = 0; i < table.size(); ++i) {
      out.definitions.push_back(read_row(table, i, vendor));
    }
  }
  const auto add = [&](std::string_view name, std::size_t index) {
    std::vector<std::size_t>& indexes = out.by_name[normalised(name)];
    if (std::find(indexes.begin(), indexes.end(), index) == indexes.end()) indexes.push_back(index);
  };
  const auto add_all = [&](auto spelling) {
    for (std::size_t i = 0; i < out.definitions.size(); ++i) {
      const std::string& name = out.definitions[i].*spelling;
      if (!name.empty()) add(name, i);
    }
  };
  add_all(&CounterDefinition::machine_name);
  add_all(&CounterDefinition::display_name);
  add_all(&CounterDefinition::hardware_name);
  add_all(&CounterDefinition::streamline);
  for (std::size_t i = 0; i < out.definitions.size(); ++i) {
    const CounterDefinition& d = out.definitions[i];
    for (const std::string& alias : d.aliases) add(alias, i);
    // "$Mali..." drops a "%" that the title keeps.
    if (!d.streamline.empty()) add(camel_case(d.streamline), i);
    for (const std::string& alias : d.aliases) {
      if (alias.find('%') != std::string::npos && d.vendor == "arm") add(camel_case(alias), i);
    }
  }
  for (std::size_t i = 0; i < out.definitions.size(); ++i) {
    const CounterDefinition& d = out.definitions[i];
    if (d.stable_id) out.by_stable_id.emplace(*d.stable_id, i);
    for (const std::uint32_t id : d.other_stable_ids) out.by_stable_id.emplace(id, i);
    for (const Slot& slot : d.slots) {
      for (const std::string& key : slot.gpus) {
        const auto id = d.layout_id(key);
        if (id) out.by_layout_id.emplace(std::pair{key, *id}, i);
      }
    }
  }
  return out;
}

const Catalogue& loaded() {
  static const Catalogue catalogue = load();
  return catalogue;
}

}  // namespace

std::string CounterDefinition::streamline_expression() const {
  // The rule holds for every raw counter of the database (source: libGPUCounters 4ea7c0127fe2).
  if (streamline.empty() || (derived() || constant)) return {};
  return "$" + camel_case(streamline);
}

bool CounterDefinition::on(std::string_view key) const {
  return gpus.empty() || std::find(gpus.begin(), gpus.end(), key) != gpus.end();
}

std::optional<std::uint32_t> CounterDefinition::layout_id(std::string_view key) const {
  const auto found = std::find(kBlocks.begin(), kBlocks.end(), block);
  const Gpu* gpu = find_gpu(key);
  if (found == kBlocks.end() || gpu == nullptr || gpu->block_slots != 64) return std::nullopt;
  for (const Slot& slot : slots) {
    if (std::find(slot.gpus.begin(), slot.gpus.end(), key) != slot.gpus.end()) {
      return 64 * static_cast<std::uint32_t>(found - kBlocks.begin()) + slot.slot;
    }
  }
  return std::nullopt;
}

std::span<const CounterDefinition> catalogue() {
  return loaded().definitions;
}

const CounterDefinition* find_counter(std::string_view name, std::string_view gpu) {
  const auto found = loaded().by_name.find(normalised(name));
  if (found == loaded().by_name.end()) return nullptr;
  const auto& definitions = loaded().definitions;
  const std::string_view key = gpu_key(gpu);
  // "COMPUTE_TASKS" is the hardware's name for other tasks than "Compute tasks".
  const auto better = [&](const CounterDefinition& d) {
    const bool here = !key.empty() && !d.gpus.empty() && d.on(key);
    return (here ? 2 : 0) + (d.hardware_name == name ? 1 : 0);
  };
  std::size_t best = found->second.front();
  for (const std::size_t i : found->second) {
    if (better(definitions[i]) > better(definitions[best])) best = i;
  }
  return &definitions[best];
}

const CounterDefinition* find_by_layout_id(std::uint32_t id, std::string_view key) {
  const auto found = loaded().by_layout_id.find(std::pair{std::string(key), id});
  return found == loaded().by_layout_id.end() ? nullptr : &loaded().definitions[found->second];
}

const CounterDefinition* find_by_stable_id(std::uint32_t id, std::string_view key) {
  const auto [begin, end] = loaded().by_stable_id.equal_range(id);
  for (auto at = begin; at != end; ++at) {
    const CounterDefinition& d = loaded().definitions[at->second];
    if (key.empty() || d.on(key)) return &d;
  }
  return nullptr;
}

}  // namespace tilebound::devices
