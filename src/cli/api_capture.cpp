#include "cli/api_capture.h"

#include "apicap/capture.h"
#include "cli/files.h"

namespace tilebound::cli {

void add_api_capture_options(CLI::App& verb, ApiCaptureOptions& options) {
  verb.add_option("CAPTURE", options.file, "API capture; - is standard input")->required();
  verb.add_option("--frame", options.frame, "which frame of the capture, from 1")
      ->check(CLI::PositiveNumber);
}

model::ApiFrame load_api_capture(const std::string& path, const ApiCaptureOptions& options) {
  base::ByteSource source = open_input(path);
  apicap::ReadOptions wanted;
  wanted.frame = options.frame;
  return apicap::read_api_capture(source, wanted);
}

}  // namespace tilebound::cli
