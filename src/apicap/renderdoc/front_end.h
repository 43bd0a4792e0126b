#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "apicap/call.h"
#include "apicap/capture.h"

/// What chunks mean: the calls of an API, and the chunks that RenderDoc adds for it.
namespace tilebound::apicap::renderdoc {

constexpr std::string_view kInitialContents = "Internal::Initial Contents";
constexpr std::string_view kBeginOfCapture = "Internal::Beginning of Capture";
constexpr std::string_view kDriverParameters = "Internal::Driver Initialisation Parameters";

class FrontEnd {
 public:
  virtual ~FrontEnd() = default;

  /// Whether a chunk's arguments matter.
  virtual bool wants(std::string_view chunk) const = 0;
  virtual void chunk(const Call& chunk) = 0;
  /// Throws base::InputError when the chunks hold no frame; `damage` is what may be the reason.
  virtual model::ApiFrame finish(const std::string& source, const std::string& damage) = 0;
};

/// Keep a reference to the options.
std::unique_ptr<FrontEnd> vulkan_front_end(const ReadOptions& options);
std::unique_ptr<FrontEnd> gles_front_end(const ReadOptions& options);

}  // namespace tilebound::apicap::renderdoc
