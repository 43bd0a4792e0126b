#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/capture.h"

/// The counters that vendors' GPUs have, and how every tool spells them.
namespace tilebound::devices {

/// Which instances of a block deliver a counter; decides how a capture's value becomes the GPU's.
enum class Scope : std::uint8_t {
  gpu,          // one block in the GPU: front end, tiler
  l2_slice,     // summed over slices by every known producer
  shader_core,  // averaged or summed over cores, by producer
};

struct CounterDefinition {
  std::string
      machine_name;    // the identity: "MaliGPUActiveCy" (libGPUCounters), "AdrenoShadersBusy"
  std::string vendor;  // "arm", "qualcomm", "imagination"
  std::string display_name;   // "GPU active cycles"
  std::string hardware_name;  // "GPU_ACTIVE"; empty where there is none
  /// Every other spelling: Streamline "$Mali..." of today and of gator, titles with series,
  /// hardware aliases, human names of older databases.
  std::vector<std::string> aliases;
  std::string block;  // "front-end", "tiler", "memory", "shader-core"
  Scope scope = Scope::gpu;
  model::CounterKind kind = model::CounterKind::count;
  std::string unit;                        // "cycles", "beats", "percent"
  std::vector<std::string> gpus;           // database keys of the GPUs that have it: "G77"
  std::optional<std::uint32_t> stable_id;  // Perfetto id, CSF drivers from r37 ("scheme C")
  std::optional<std::uint32_t> jm_id;      // Perfetto id, job-manager GPUs ("scheme A")
  std::string equation;  // of a derived counter, over machine names; empty for a raw one
  std::string meaning;
  std::string source;

  bool derived() const { return !equation.empty(); }
};

std::span<const CounterDefinition> catalogue();

/// By any spelling: machine name with or without "$", Streamline's "$Mali...", display name,
/// "title: series", hardware name. Case, spaces and punctuation do not count; "sec" is "second".
/// `gpu` (a catalogue key or device name such as "Mali-G77") decides between definitions that
/// share a name; empty takes the first.
const CounterDefinition* find_counter(std::string_view name, std::string_view gpu = {});

/// What the counters of one GPU in a capture are.
struct Binding {
  enum class How : std::uint8_t { unknown, name, id };
  struct Entry {
    const CounterDefinition* definition = nullptr;
    How how = How::unknown;
  };
  std::uint32_t gpu = 0;
  std::vector<Entry> entries;  // parallel to Capture::counters; other GPUs' counters are unknown
  std::string id_scheme;       // "names", "job-manager layout", "stable ids", "unknown"
  std::vector<model::Note> notes;

  /// Index of the sampled counter that is `machine_name`; nothing when the capture lacks it.
  std::optional<std::size_t> find(std::string_view machine_name) const;
};

/// Maps counters by name first; a counter without a usable name by its id, and only when the scheme
/// is certain from named sentinel counters or from the ids as a set. Never by a number alone.
Binding bind(const model::Capture& capture, std::uint32_t gpu);

/// Catalogue counters that the capture's GPU could deliver but this capture has not sampled.
std::vector<const CounterDefinition*> missing(const Binding& binding, std::string_view gpu);

}  // namespace tilebound::devices
