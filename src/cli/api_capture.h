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
  std::string renderdoccmd = "renderdoccmd";
  std::string gfxrecon_convert = "gfxrecon-convert";
};

/// The file as option `name`, --frame, and the programs that convert other tools' own files.
void add_api_capture_options(CLI::App& verb, ApiCaptureOptions& options,
                             const std::string& name = "CAPTURE");

/// Reads one frame. RenderDoc's .rdc and GFXReconstruct's .gfxr are converted first, by the user's
/// own renderdoccmd and gfxrecon-convert, in a folder that is removed again. Throws
/// base::InputError, also with what a converter said when it failed.
model::ApiFrame load_api_capture(const std::string& path, const ApiCaptureOptions& options);

}  // namespace tilebound::cli
