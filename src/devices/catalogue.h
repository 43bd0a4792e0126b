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

/// Where a counter lies in its block on some GPUs.
struct Slot {
  std::uint32_t slot = 0;
  std::vector<std::string> gpus;  // catalogue keys
};

/// One definition. A machine name whose equation or spelling differs by GPU has several, each with
/// its own `gpus`; the machine name is the identity.
struct CounterDefinition {
  std::string machine_name;   // "MaliGPUActiveCy" (libGPUCounters), "AdrenoPercentShadersBusy"
  std::string vendor;         // "arm", "qualcomm", "imagination", "nvidia"
  std::string display_name;   // "GPU active cycles"
  std::string hardware_name;  // "GPU_ACTIVE"; empty where there is none
  /// Streamline's "chart title: series" today; empty where it is no series there.
  std::string streamline;
  /// Every other spelling: title and series of gator, hardware aliases, names in documents.
  std::vector<std::string> aliases;
  std::string block;  // "front-end", "tiler", "memory", "shader-core"
  Scope scope = Scope::gpu;
  model::CounterKind kind = model::CounterKind::count;
  std::string unit;                             // "cycles", "beats", "percent"
  std::vector<std::string> gpus;                // catalogue keys of the GPUs that have it: "G77"
  std::vector<Slot> slots;                      // of a raw Mali counter
  std::optional<std::uint32_t> stable_id;       // Perfetto id, CSF drivers from r37 ("scheme C")
  std::vector<std::uint32_t> other_stable_ids;  // that drivers were seen to send for it
  std::optional<std::uint32_t> jm_id;    // Perfetto id on the first job-manager GPU that has it
  std::string equation;                  // of a derived counter: an Expression over machine names
  bool constant = false;                 // a property of the GPU or the chip, never sampled
  std::optional<double> constant_value;  // where it is the same for all of `gpus`
  std::string meaning;
  std::string source;

  bool derived() const { return !equation.empty(); }

  /// Is more than its hardware name known?
  bool published() const { return !machine_name.starts_with("MaliHw"); }

  /// How Streamline's expressions name it, by its rule: "$" and title and series in CamelCase;
  /// empty for a counter that Streamline itself derives.
  std::string streamline_expression() const;

  /// Has this GPU the counter? A definition without a list may be on any.
  bool on(std::string_view gpu_key) const;

  /// Perfetto id by layout, 64 * block + slot, on a GPU with blocks of 64 counters ("scheme A" on
  /// job-manager GPUs, "scheme B" on command-stream GPUs with drivers before r37).
  std::optional<std::uint32_t> layout_id(std::string_view gpu_key) const;
};

std::span<const CounterDefinition> catalogue();

/// By any spelling: machine name with or without "$", Streamline's "$Mali...", display name,
/// "title: series", hardware name. Case, spaces and punctuation do not count, "%" does; "sec" is
/// "second". `gpu` (a catalogue key or device name such as "Mali-G77") decides between definitions
/// that share a name; empty takes the first.
const CounterDefinition* find_counter(std::string_view name, std::string_view gpu = {});

/// The definition with that Perfetto id. A number alone says nothing: callers must know the scheme.
const CounterDefinition* find_by_layout_id(std::uint32_t id, std::string_view gpu_key);
const CounterDefinition* find_by_stable_id(std::uint32_t id, std::string_view gpu_key);

/// What the counters of one GPU in a capture are.
struct Binding {
  enum class How : std::uint8_t { unknown, name, id };
  struct Entry {
    const CounterDefinition* definition = nullptr;
    How how = How::unknown;
  };
  std::uint32_t gpu = 0;
  std::vector<Entry> entries;  // parallel to Capture::counters; other GPUs' counters are unknown
  std::string id_scheme;       // "names", "job-manager layout", "command-stream layout",
                               // "stable ids", "unknown"
  /// Catalogue key: of the capture's GPU name, else of the only GPU that has all named counters.
  /// Else the first of several such GPUs, and `gpu_key_certain` is false. Empty without any.
  std::string gpu_key;
  bool gpu_key_certain = false;
  std::string vendor;  // of the bound counters and the GPU's name; empty where nothing is known
  std::vector<model::Note> notes;

  /// Index of the sampled counter that is `machine_name`; nothing when the capture lacks it.
  std::optional<std::size_t> find(std::string_view machine_name) const;

  /// find() reads this: entries of sampled counters, sorted by machine name.
  std::vector<std::pair<std::string_view, std::size_t>> sampled;
};

/// Maps counters by name first; a counter without a usable name by its id, and only when the scheme
/// is certain from named sentinel counters or from the ids as a set. Never by a number alone.
Binding bind(const model::Capture& capture, std::uint32_t gpu);

/// Catalogue counters that the capture's GPU could deliver but this capture has not sampled.
/// Raw counters with a published definition only; empty for an unknown GPU.
std::vector<const CounterDefinition*> missing(const Binding& binding, std::string_view gpu);

}  // namespace tilebound::devices
