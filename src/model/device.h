#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

/// What is known of a device: facts with their sources, and the peak of each hardware unit.
/// Data only; `devices` reads it from TOML and checks it.
namespace tilebound::model {

/// Where a number comes from.
enum class Provenance : std::uint8_t { measured, theoretical, estimated };

/// What a peak is counted against.
enum class PeakPer : std::uint8_t {
  gpu_cycle,   // a GPU-active cycle; the whole GPU, all cores together
  core_cycle,  // a GPU-active cycle of one shader core; times the cores for the whole GPU
  second,      // a second: external memory, which does not follow the GPU clock
};

/// The highest throughput that a unit reaches.
struct Peak {
  double value = 0;  // in the unit of the path's work, per `per`
  PeakPer per = PeakPer::gpu_cycle;
  Provenance provenance = Provenance::theoretical;
  std::string source;  // the document or benchmark, its form and date

  bool operator==(const Peak&) const = default;
};

/// One sub-unit or data path. A unit's throughput is that of its busiest path.
struct UnitPath {
  std::string id;     // "fma"; the unit's own id where it has one path
  std::string label;  // "FMA pipe"
  /// Work done, an expression in Streamline's syntax over counters (devices/expression.h).
  std::string work;
  std::string work_unit;  // "instructions", "bytes", "quads"; of one evaluation of `work`
  /// The expression gives a ready percentage (0..100 of GPU-busy time), as Adreno's counters do;
  /// then there is no peak.
  bool ready_percent = false;
  std::optional<Peak> peak;

  bool operator==(const UnitPath&) const = default;
};

struct Unit {
  std::string id;     // one of devices::unit_ids()
  std::string label;  // "Texture filtering"
  std::vector<UnitPath> paths;

  bool operator==(const Unit&) const = default;
};

/// A value with the place that says so.
struct Fact {
  std::string value;
  std::string source;

  bool operator==(const Fact&) const = default;
};

/// When a profile may be used without --force-device. Empty members match everything.
struct DeviceMatch {
  std::vector<std::string> gpus;  // "Mali-G77", compared without case
  std::optional<std::uint32_t> cores;
  std::vector<std::string> soc_models;  // a system's name may go on: "MT6893" matches "MT6893Z/A"
  std::vector<std::string> builds;      // starts of Android build fingerprints: "Redmi/fire"
  /// Driver major releases, inclusive, as Arm counts them: r32 is 32.
  std::optional<std::uint32_t> driver_min;
  std::optional<std::uint32_t> driver_max;

  bool operator==(const DeviceMatch&) const = default;
};

struct Device {
  std::string id;      // "mali-g77", lower case with hyphens
  std::string name;    // "Mali-G77"
  std::string vendor;  // "arm", "qualcomm", "imagination", "nvidia"
  DeviceMatch match;
  std::string gpu_key;  // of the counter catalogue, "G77"; empty where it makes no difference
  std::optional<std::uint32_t> cores;  // shader cores, where the profile is of one chip
  std::optional<base::Hertz> clock_max;
  std::string clock_max_source;
  /// Bytes of one beat on the external bus; 16 is assumed (and noted) where a profile has none.
  std::optional<double> external_beat_bytes;
  /// Machine name of the counter that peaks per core cycle are counted against, where it is not
  /// GPU-active cycles: newer Malis clock the shader cores apart. It counts per core, as work does.
  std::optional<std::string> core_cycles_counter;
  std::map<std::string, Fact> facts;
  std::vector<Unit> units;
  std::vector<std::string> quirks;  // sentences for people
  std::string origin;               // "built in", or the path of the user's file

  bool operator==(const Device&) const = default;
};

}  // namespace tilebound::model
