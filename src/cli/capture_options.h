#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analyze/analysis.h"
#include "analyze/trust.h"
#include "model/capture.h"

/// Options that verbs on counter captures share.
namespace tilebound::cli {

struct CaptureOptions {
  std::string capture;
  std::string log;  // a second recording of the same run
};

void add_capture_options(CLI::App& verb, CaptureOptions& options);

/// Reads the capture and joins the log. Throws base::InputError.
model::Capture load_capture(const CaptureOptions& options);

struct OutputOptions {
  std::string format = "text";
  std::string output;
  std::size_t width = 0;  // 0: the terminal's, 80 elsewhere
};

void add_output_options(CLI::App& verb, OutputOptions& options,
                        const std::vector<std::string>& formats);

/// Columns to write text for.
std::size_t text_width(const OutputOptions& options);

struct AnalyzeOptions {
  std::string range;
  std::optional<double> fps;
  std::optional<double> frame_ms;
  std::optional<double> target_fps;
  std::optional<std::uint32_t> gpu;
  std::optional<std::uint32_t> cores;
  std::string core_counters;
  std::string device;
  bool force_device = false;
};

void add_analyze_options(CLI::App& verb, AnalyzeOptions& options);

/// A capture and what the analysis says of it.
struct Analysed {
  model::Capture capture;
  analyze::Analysis analysis;

  analyze::TrustReport trust() const;
};

/// Reads and analyses, once it is sure that the output replaces no input. Throws base::UsageError
/// and base::InputError.
Analysed analyse_capture(const CaptureOptions& capture, const AnalyzeOptions& options,
                         const OutputOptions& output);

/// Throws base::UsageError for what cannot be meant, base::InputError for a device file.
analyze::Options to_options(const AnalyzeOptions& options);

}  // namespace tilebound::cli
