#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyze/activity.h"
#include "analyze/advice.h"
#include "analyze/clock.h"
#include "analyze/cores.h"
#include "analyze/frame_statistics.h"
#include "analyze/frames.h"
#include "analyze/health.h"
#include "analyze/limiter.h"
#include "analyze/pathologies.h"
#include "analyze/segments.h"
#include "analyze/trust.h"
#include "analyze/units.h"
#include "model/capture.h"
#include "model/device.h"
#include "model/finding.h"

/// The main job: from a counter capture to percent of peak per unit and the limiter.
namespace tilebound::analyze {

struct Options {
  /// Relative to the capture's first moment, as the user names it; the whole capture without.
  std::optional<base::Interval> range;
  std::optional<double> fps;         // for values per frame, and a hint for finding frames
  std::optional<double> target_fps;  // for headroom
  std::optional<std::uint32_t> gpu;  // of several; the one with most known counters without
  std::optional<std::uint32_t> cores;
  CoreCounters core_counters = CoreCounters::unknown;
  std::optional<model::Device> device;  // as asked for; matched by the capture without
  bool force_device = false;
  std::vector<model::Device> user_devices;  // take part in matching
  std::optional<Frames> frames;             // found by other means than counters; none are sought
};

/// How the device came to be used.
enum class DeviceChoice : std::uint8_t { asked, forced, matched, generic };

/// A counter over the analysed window.
struct CounterRate {
  std::size_t index = 0;          // into Capture::counters
  std::optional<double> total;    // count and rate: the whole GPU's where that is known
  std::optional<double> average;  // percent and level: by time
  std::optional<double> per_second;
  std::optional<double> per_frame;
  bool per_core = false;  // an average of one core, since the core count is unknown
};

struct Analysis {
  std::uint32_t gpu = 0;
  std::string gpu_name;
  model::Device device;
  DeviceChoice device_choice = DeviceChoice::generic;
  std::string device_warning;  // why a forced device does not fit
  Cores cores;
  Clock clock;
  std::optional<ClockSummary> clock_summary;
  bool throttled = false;
  /// GPU-active cycles a second in percent of the maximum clock: Streamline's clock expression. The
  /// clock's percent while the GPU is not idle, clock x busy otherwise.
  std::optional<double> clock_expression_percent;

  base::Interval span;      // of the capture
  base::Interval window;    // analysed
  std::string window_text;  // why this window
  Frames frames;
  std::vector<FrameResult> frame_results;      // complete frames
  std::vector<std::vector<Segment>> segments;  // of each of frame_results
  FrameStatistics frame_statistics;
  /// The frames' times at full clock keep what external memory bounds (full_clock.h).
  bool full_clock_counts_memory = false;
  std::optional<double> frame_ms;  // mean, found or given

  Activity activity;
  std::vector<UnitLoad> units;
  Verdict verdict;
  std::vector<std::string> evidence;  // of the verdict, as sentences
  std::vector<Cause> low_top_causes;  // when the top is not high
  std::vector<Advice> advice;
  std::vector<std::string> missing_counters;  // that units or the verdict lack, as display names
  std::vector<std::string> record_next;       // the smallest list to settle what is open, with ids
  std::vector<CounterRate> counters;
  std::vector<HealthMetric> health;
  std::vector<model::Finding> findings;  // by saving, largest first
  std::vector<model::Note> notes;        // about the analysis; the trust report has the capture's
};

/// What people call a unit of the analysed device; the id itself for an unknown one.
std::string unit_label(const Analysis& analysis, const std::string& unit_id);

/// Throws base::InputError when the capture has no counter samples, base::UsageError when an option
/// does not fit the capture (a range outside it, a device that does not match).
Analysis analyze(const model::Capture& capture, const Options& options);

}  // namespace tilebound::analyze
