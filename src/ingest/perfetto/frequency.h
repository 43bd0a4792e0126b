#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/perfetto/clocks.h"
#include "model/capture.h"

namespace tilebound::ingest::perfetto {

/// GPU clock frequencies from ftrace (gpu_frequency, kgsl_gpu_frequency, devfreq_frequency of a
/// GPU) and from GenericGpuFrequencyEvent; and how many other GPU events ftrace recorded.
class Frequencies {
 public:
  /// Takes in an FtraceEventBundle; events that are of no interest are stepped over.
  /// False when it is damaged.
  bool bundle(std::string_view bytes, Clocks& clocks);
  /// Takes in a GenericGpuFrequencyEvent. False when it is damaged.
  bool generic(std::string_view bytes, ClockIndex clock, std::optional<std::int64_t> time);

  void finish(const Clocks& clocks, model::Capture& capture);

 private:
  struct Draft {
    std::int64_t time;
    ClockIndex clock;
    std::uint32_t gpu;
    double hertz;
  };
  void event(std::string_view bytes);
  void add(std::string_view payload, std::uint32_t kind, std::int64_t time);

  std::vector<Draft> drafts_;
  std::map<std::uint32_t, std::uint64_t> gpu_events_;  // by field of FtraceEvent
  std::uint64_t lost_bundles_ = 0;
};

}  // namespace tilebound::ingest::perfetto
