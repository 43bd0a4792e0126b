#include "devices/gpu.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "devices/table.h"

namespace tilebound::devices {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}

/// The model in a name: "g" and digits that stand as a word, such as "g77"; empty without one.
std::string model_word(std::string_view lowered) {
  for (std::size_t i = 0; i + 1 < lowered.size(); ++i) {
    const bool starts = i == 0 || (!is_letter(lowered[i - 1]) && !is_digit(lowered[i - 1]));
    if (lowered[i] != 'g' || !starts || !is_digit(lowered[i + 1])) continue;
    std::size_t end = i + 1;
    while (end < lowered.size() && is_digit(lowered[end])) ++end;
    if (end < lowered.size() && is_letter(lowered[end])) continue;
    return std::string(lowered.substr(i, end - i));
  }
  return {};
}

std::vector<Gpu> load() {
  const Table table(find_file(counter_files(), "gpus.tsv"));
  std::vector<Gpu> out;
  for (std::size_t i = 0; i < table.size(); ++i) {
    Gpu gpu;
    gpu.name = table.at(i, "name");
    gpu.key = table.at(i, "key");
    gpu.vendor = table.at(i, "vendor");
    gpu.front_end =
        table.at(i, "front_end") == "JM" ? FrontEnd::job_manager : FrontEnd::command_stream;
    gpu.block_slots = parse_id(table.at(i, "slots")).value_or(64);
    out.push_back(std::move(gpu));
  }
  return out;
}

/// A GPU with the forms of its name that find_gpu compares.
struct Known {
  std::string lowered;
  std::string word;
  bool immortalis = false;
};

std::vector<Known> forms(std::span<const Gpu> gpus) {
  std::vector<Known> out;
  for (const Gpu& gpu : gpus) {
    const std::string lowered = base::lower(gpu.name);
    out.push_back({lowered, model_word(lowered), lowered.starts_with("immortalis")});
  }
  return out;
}

}  // namespace

std::span<const Gpu> gpus() {
  static const std::vector<Gpu> all = load();
  return all;
}

const Gpu* find_gpu(std::string_view name) {
  static const std::vector<Known> known = forms(gpus());
  const std::string lowered = base::lower(name);
  const std::string word = model_word(lowered);
  if (word.empty()) return nullptr;
  const bool immortalis = lowered.find("immortalis") != std::string::npos;
  // The longest full name inside `name`; else the model number alone ("G77").
  std::optional<std::size_t> full;
  std::optional<std::size_t> model;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i].word != word) continue;
    if (lowered.find(known[i].lowered) != std::string::npos &&
        (!full || known[i].lowered.size() > known[*full].lowered.size())) {
      full = i;
    }
    if (!model || (known[i].immortalis == immortalis && known[*model].immortalis != immortalis)) {
      model = i;
    }
  }
  if (!model) return nullptr;
  return &gpus()[full.value_or(*model)];
}

std::string_view gpu_key(std::string_view name) {
  const Gpu* gpu = find_gpu(name);
  return gpu == nullptr ? std::string_view() : std::string_view(gpu->key);
}

std::string_view vendor_of(std::string_view name) {
  static constexpr std::array kWords = {
      std::pair{"mali", "arm"},
      std::pair{"immortalis", "arm"},
      std::pair{"adreno", "qualcomm"},
      std::pair{"qualcomm", "qualcomm"},
      std::pair{"powervr", "imagination"},
      std::pair{"imagination", "imagination"},
      std::pair{"nvidia", "nvidia"},
      std::pair{"geforce", "nvidia"},
  };
  const std::string lowered = base::lower(name);
  for (const auto& [word, vendor] : kWords) {
    if (lowered.find(word) != std::string::npos) return vendor;
  }
  if (lowered.starts_with("img ")) return "imagination";
  return lowered == "arm" || lowered.starts_with("arm ") ? "arm" : std::string_view();
}

std::uint32_t cores_in_name(std::string_view name) {
  const std::string lowered = base::lower(name);
  for (const std::string_view mark : {" mc", " mp", "-mc", "-mp"}) {
    const std::size_t at = lowered.find(mark);
    if (at == std::string::npos) continue;
    std::size_t end = at + mark.size();
    while (end < lowered.size() && is_digit(lowered[end])) ++end;
    const auto count = parse_id(std::string_view(lowered).substr(at + 3, end - at - 3));
    if (count) return *count;
  }
  return 0;
}

}  // namespace tilebound::devices
