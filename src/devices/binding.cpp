#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>

#include "devices/catalogue.h"
#include "devices/gpu.h"

namespace tilebound::devices {

using model::Counter;
using model::Severity;

namespace {

/// Derived counters of Perfetto producers start here; their meaning changed before stable ids.
constexpr std::uint32_t kFirstDerived = 65535;
/// So many ids must fit one scheme and no other before the set alone decides.
constexpr std::size_t kEnoughIds = 8;

/// The three numberings that Mali producers use (source: google/agi, history of validate.go).
enum class Scheme : std::uint8_t { layout, stable };

/// A numbering on a GPU: one way to read all ids of a capture.
struct Reading {
  Scheme scheme = Scheme::layout;
  const Gpu* gpu = nullptr;

  std::string_view key() const { return gpu->key; }
  std::string_view label() const {
    if (scheme == Scheme::stable) return "stable ids";
    return gpu->front_end == FrontEnd::job_manager ? "job-manager layout" : "command-stream layout";
  }
  const CounterDefinition* find(std::uint32_t id) const {
    return scheme == Scheme::stable ? find_by_stable_id(id, key()) : find_by_layout_id(id, key());
  }
};

/// Readings that are possible at all, one for each set of counters. Job-manager GPUs never number
/// by stable ids; the layout of 128-slot blocks is not known to have been used.
std::vector<Reading> readings(std::string_view key) {
  std::vector<Reading> out;
  std::set<std::string_view> seen;
  for (const Gpu& gpu : gpus()) {
    if ((!key.empty() && gpu.key != key) || !seen.insert(gpu.key).second) continue;
    if (gpu.block_slots == 64) out.push_back({Scheme::layout, &gpu});
    if (gpu.front_end == FrontEnd::command_stream) out.push_back({Scheme::stable, &gpu});
  }
  return out;
}

class Binder {
 public:
  Binder(const model::Capture& capture, std::uint32_t gpu) : capture_(capture) {
    out_.gpu = gpu;
    out_.entries.resize(capture.counters.size());
    if (gpu < capture.gpu_names.size()) gpu_name_ = capture.gpu_names[gpu];
    out_.gpu_key = gpu_key(gpu_name_);
    out_.gpu_key_certain = !out_.gpu_key.empty();
    out_.vendor = vendor_of(gpu_name_);
  }

  Binding run() {
    by_name();
    guess_gpu();
    by_id();
    drop_duplicates();
    describe();
    return std::move(out_);
  }

 private:
  bool ours(const Counter& c) const { return c.gpu == out_.gpu; }

  void by_name() {
    std::map<std::string, std::size_t> vendors;
    for (std::size_t i = 0; i < out_.entries.size(); ++i) {
      const Counter& c = capture_.counters[i];
      if (!ours(c) || !c.named) continue;
      const CounterDefinition* d = find_counter(c.name, out_.gpu_key);
      if (d == nullptr) {
        unknown_names_.push_back(c.name);
        continue;
      }
      out_.entries[i] = {d, Binding::How::name};
      ++vendors[d->vendor];
    }
    if (!out_.vendor.empty() || vendors.empty()) return;
    out_.vendor =
        std::max_element(vendors.begin(), vendors.end(), [](const auto& a, const auto& b) {
          return a.second < b.second;
        })->first;
  }

  /// The GPUs that have every counter the capture names.
  void guess_gpu() {
    if (out_.gpu_key_certain || out_.vendor != "arm") return;
    std::vector<std::string> candidates;
    for (const Gpu& gpu : gpus()) {
      if (std::find(candidates.begin(), candidates.end(), gpu.key) != candidates.end()) continue;
      bool all = true;
      bool any = false;
      for (std::size_t i = 0; i < out_.entries.size() && all; ++i) {
        if (out_.entries[i].definition == nullptr) continue;
        const CounterDefinition* d = find_counter(capture_.counters[i].name, gpu.key);
        all = d->on(gpu.key);
        any = true;
      }
      if (all && any) candidates.push_back(gpu.key);
    }
    if (candidates.empty()) return;
    out_.gpu_key = candidates.front();
    out_.gpu_key_certain = candidates.size() == 1;
    for (std::size_t i = 0; i < out_.entries.size(); ++i) {
      Binding::Entry& entry = out_.entries[i];
      if (entry.definition == nullptr) continue;
      entry.definition = find_counter(capture_.counters[i].name, out_.gpu_key);
    }
  }

  void by_id() {
    std::vector<std::size_t> unnamed;
    for (std::size_t i = 0; i < out_.entries.size(); ++i) {
      const Counter& c = capture_.counters[i];
      if (ours(c) && !c.named && c.id) unnamed.push_back(i);
    }
    if (unnamed.empty()) {
      out_.id_scheme = out_.vendor.empty() ? "unknown" : "names";
      return;
    }
    out_.id_scheme = "unknown";
    if (!out_.vendor.empty() && out_.vendor != "arm") {
      refuse(unnamed.size(), "this vendor's ids differ between devices");
      return;
    }
    const std::vector<Reading> possible = surviving(unnamed);
    const bool one_scheme = std::all_of(possible.begin(), possible.end(), [&](const Reading& r) {
      return r.label() == possible.front().label();
    });
    if (possible.empty()) {
      refuse(unnamed.size(), "they fit no known numbering");
    } else if (!one_scheme) {
      refuse(unnamed.size(), fmt::format("they fit more than one numbering ({} and {})",
                                         possible.front().label(), possible.back().label()));
    } else if (!certain_ && unnamed.size() < kEnoughIds) {
      refuse(unnamed.size(), "too few ids to tell the numbering");
    } else {
      accept(possible, unnamed);
    }
  }

  /// Readings in which every named counter has its id and every other id exists.
  std::vector<Reading> surviving(const std::vector<std::size_t>& unnamed) {
    std::vector<Reading> all = readings(out_.gpu_key_certain ? out_.gpu_key : std::string());
    const bool known_gpu = out_.gpu_key_certain;
    std::set<std::string_view> before;
    for (const Reading& r : all) before.insert(r.label());
    std::erase_if(all, [&](const Reading& r) {
      for (std::size_t i = 0; i < out_.entries.size(); ++i) {
        const Counter& c = capture_.counters[i];
        const CounterDefinition* named = out_.entries[i].definition;
        if (named == nullptr || !c.id || *c.id >= kFirstDerived) continue;
        const CounterDefinition* d = r.find(*c.id);
        if (d == nullptr || d->machine_name != named->machine_name) return true;
      }
      return false;
    });
    std::set<std::string_view> after;
    for (const Reading& r : all) after.insert(r.label());
    // The GPU or a named counter left one numbering only; else the set of ids has to decide.
    certain_ = after.size() == 1 && (known_gpu || before.size() > 1);
    const auto every = [&](const Reading& r, auto fits) {
      return std::all_of(unnamed.begin(), unnamed.end(), [&](std::size_t i) {
        const std::uint32_t id = *capture_.counters[i].id;
        return id >= kFirstDerived || fits(r.find(id));
      });
    };
    std::erase_if(all, [&](const Reading& r) {
      return !every(r, [](const CounterDefinition* d) { return d != nullptr; });
    });
    if (certain_ && known_gpu) return all;
    // People record published counters, GPU-active cycles among them.
    std::erase_if(all, [&](const Reading& r) { return !certain_ && !has_sentinel(r, unnamed); });
    std::vector<Reading> published = all;
    std::erase_if(published, [&](const Reading& r) {
      return !every(r, [](const CounterDefinition* d) { return d != nullptr && d->published(); });
    });
    return published.empty() ? all : published;
  }

  /// Does a reading find GPU-active cycles?
  bool has_sentinel(const Reading& r, const std::vector<std::size_t>& unnamed) const {
    return std::any_of(unnamed.begin(), unnamed.end(), [&](std::size_t i) {
      const CounterDefinition* d = r.find(*capture_.counters[i].id);
      return d != nullptr &&
             (d->machine_name == "MaliGPUActiveCy" || d->machine_name == "MaliGPUActiveRawCy");
    });
  }

  void accept(const std::vector<Reading>& possible, const std::vector<std::size_t>& unnamed) {
    out_.id_scheme = possible.front().label();
    std::size_t open = 0;
    for (const std::size_t i : unnamed) {
      const std::uint32_t id = *capture_.counters[i].id;
      const CounterDefinition* d = possible.front().find(id);
      const bool derived = id >= kFirstDerived;
      const bool same =
          d != nullptr && std::all_of(possible.begin(), possible.end(), [&](const Reading& r) {
            const CounterDefinition* other = r.find(id);
            return other != nullptr && other->machine_name == d->machine_name;
          });
      if (!same || (derived && possible.front().scheme != Scheme::stable)) {
        ++open;
        continue;
      }
      out_.entries[i] = {d, Binding::How::id};
    }
    if (out_.vendor.empty()) out_.vendor = "arm";
    if (out_.gpu_key.empty()) {
      out_.gpu_key = possible.front().key();
      out_.gpu_key_certain = possible.size() == 1;
    }
    model::add_note(out_.notes, "named_by_id", Severity::info,
                    fmt::format("{} counters without a name are read by id ({})",
                                unnamed.size() - open, out_.id_scheme));
    if (open > 0) {
      model::add_note(out_.notes, "unknown_id", Severity::warning,
                      fmt::format("{} counters stay unknown: their ids mean different counters on "
                                  "the GPUs that fit, or are derived ones",
                                  open));
    }
  }

  void refuse(std::size_t count, std::string_view why) {
    model::add_note(out_.notes, "unknown_id_scheme", Severity::warning,
                    fmt::format("{} counters have an id but no name, and {}", count, why));
  }

  /// Of counters that are the same, the first sampled one stays.
  void drop_duplicates() {
    std::map<std::string_view, std::size_t> kept;
    for (const bool sampled : {true, false}) {
      for (std::size_t i = 0; i < out_.entries.size(); ++i) {
        Binding::Entry& entry = out_.entries[i];
        if (entry.definition == nullptr || capture_.counters[i].sampled() != sampled) continue;
        const auto [first, added] = kept.emplace(entry.definition->machine_name, i);
        if (added) continue;
        model::add_note(
            out_.notes, "duplicate_counter", Severity::warning,
            fmt::format("\"{}\" and \"{}\" are the same counter; the first is used",
                        capture_.counters[first->second].name, capture_.counters[i].name));
        entry = {};
      }
    }
    for (const auto& [name, i] : kept) {
      if (capture_.counters[i].sampled()) out_.sampled.emplace_back(name, i);
    }
  }

  void describe() {
    if (unknown_names_.empty()) return;
    std::string names;
    constexpr std::size_t kShown = 4;
    for (std::size_t i = 0; i < std::min(unknown_names_.size(), kShown); ++i) {
      names += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", unknown_names_[i]);
    }
    if (unknown_names_.size() > kShown) names += ", ...";
    model::add_note(out_.notes, "unknown_counter", Severity::info,
                    fmt::format("not in the catalogue: {}", names), unknown_names_.size());
  }

  const model::Capture& capture_;
  std::string gpu_name_;
  Binding out_;
  std::vector<std::string> unknown_names_;
  bool certain_ = false;
};

}  // namespace

std::optional<std::size_t> Binding::find(std::string_view machine_name) const {
  const auto at =
      std::lower_bound(sampled.begin(), sampled.end(), machine_name,
                       [](const auto& entry, std::string_view name) { return entry.first < name; });
  if (at == sampled.end() || at->first != machine_name) return std::nullopt;
  return at->second;
}

Binding bind(const model::Capture& capture, std::uint32_t gpu) {
  return Binder(capture, gpu).run();
}

std::vector<const CounterDefinition*> missing(const Binding& binding, std::string_view gpu) {
  const std::string_view named = gpu_key(gpu);
  const std::string_view key = named.empty() ? std::string_view(binding.gpu_key) : named;
  std::vector<const CounterDefinition*> out;
  if (key.empty()) return out;
  for (const CounterDefinition& d : catalogue()) {
    if (d.derived() || d.slots.empty() || !d.published()) continue;
    if (d.on(key) && !binding.find(d.machine_name)) out.push_back(&d);
  }
  return out;
}

}  // namespace tilebound::devices
