#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "model/api_frame.h"

/// API captures as verbs take them.
namespace tilebound::cli {

struct ApiCaptureOptions {
  std::string file;
  std::optional<std::uint64_t> frame;  // from 1
};

/// The file and --frame.
void add_api_capture_options(CLI::App& verb, ApiCaptureOptions& options);

/// Reads one frame. Throws base::InputError.
model::ApiFrame load_api_capture(const std::string& path, const ApiCaptureOptions& options);

}  // namespace tilebound::cli
