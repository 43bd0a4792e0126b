#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyze/analysis.h"
#include "model/capture.h"

/// One capture made ready to be compared: every counter for each of its frames.
namespace tilebound::analyze {

struct RunOptions {
  Options analysis;
  /// Half of the last digit of Options::fps as the user wrote it, as a share: 60 is 59.5 to 60.5.
  double fps_uncertainty = 0;
};

/// A counter, one value for each window of the run.
struct RunCounter {
  std::string key;           // the same in all captures: machine name, or name, or id
  std::string machine_name;  // empty where the catalogue does not know it
  std::optional<std::uint32_t> id;
  std::string name;
  std::string unit;
  model::CounterKind kind = model::CounterKind::count;
  bool derived = false;   // an expression of the producer: never summed
  bool per_core = false;  // one core's average, since the number of cores is unknown
  /// Per frame for a count that is not derived; NaN where a window has no value. Empty for others.
  std::vector<double> per_frame;
  std::optional<double> average;  // by time, of a percentage or level; per second of a rate
};

/// A moment of the typical frame.
struct ProfileBin {
  double at_ms = 0;  // begin, from the begin of the frame's window
  double length_ms = 0;
  double fragment = 0;  // share of the time that the queue is active, 0..1
  double non_fragment = 0;
};

/// Counters over short slices of the run, for regressions: a row a slice.
struct Slices {
  std::map<std::string, std::vector<double>> by_key;  // totals of count counters
  std::size_t size = 0;
};

struct Run {
  std::string source;
  std::string format;
  std::map<std::string, std::string> system;  // of the capture: builds, SoC
  Analysis analysis;
  double sample_period_ms = 0;

  bool by_frames = false;      // cut at frames found; else at equal windows of a given rate
  double frames_a_window = 1;  // how many frames a window holds
  std::vector<base::Interval> windows;
  std::vector<double> frame_ms;  // a window each
  double mean_frame_ms = 0;
  std::optional<double> found_fps;  // of the frames found, also where a given rate was used
  std::optional<double> given_fps;
  double fps_uncertainty = 0;
  std::vector<RunCounter> counters;
  std::vector<double> clock_hz;  // a window each; empty without a clock
  std::optional<double> temperature_c;
  Slices slices;                          // inside the windows
  std::vector<ProfileBin> typical_frame;  // of the frame with the median GPU time
  std::uint64_t content = 0;              // a hash of all values, to tell a file from itself

  double fps() const { return 1000 / mean_frame_ms; }
  const RunCounter* find(const std::string& key) const;
};

/// Throws base::InputError without counters, base::UsageError where values per frame cannot be
/// had: no frames were found and no rate was given. `option` is how messages call the rate's.
Run make_run(const model::Capture& capture, const RunOptions& options, const std::string& option);

}  // namespace tilebound::analyze
