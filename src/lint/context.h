#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/data_flow.h"
#include "lint/tile_memory.h"
#include "lint/traffic.h"
#include "model/api_frame.h"
#include "model/device.h"
#include "model/finding.h"

/// What rules read: the frame, the GPU it is judged for, and facts of each pass worked out once.
namespace tilebound::lint {

/// The GPU in question. Empty members are not known.
struct Target {
  std::string name;    // "Mali-G71"
  std::string vendor;  // "arm"
  std::optional<model::Device> device;
  std::optional<TileHardware> hardware;
  std::optional<double> bytes_per_second;  // of external memory
  bool asked_for = false;                  // by name, not taken from the capture
};

/// The profile given; else that of the GPU that the frame was captured on, where one fits.
Target target_of(const model::ApiFrame& frame, const std::optional<model::Device>& device);

struct DrawCounts {
  std::uint64_t draws = 0;
  std::uint64_t indirect = 0;  // of them
  std::uint64_t dispatches = 0;
  std::optional<std::uint64_t> vertices;  // or indices, times instances
  /// Records of indirect draws, and those of them that draw nothing; nothing where a buffer's
  /// content is not known.
  std::optional<std::uint64_t> records;
  std::optional<std::uint64_t> empty_records;
};

struct PassFacts {
  TileNeed need;
  std::optional<TileFit> fit;
  Traffic traffic;
  DrawCounts counts;
  std::vector<std::size_t> draws;  // indices into the frame's, in order
};

struct Options {
  std::optional<model::Device> device;
  std::optional<double> fps;
};

class Context {
 public:
  Context(const model::ApiFrame& frame, const Options& options);

  const model::ApiFrame& frame;
  const Target target;
  const std::optional<double> fps;
  const DataFlow flow;
  const std::vector<PassFacts> passes;  // as the frame's

  /// "pass 3 (Frame/Shadow)"; passes count from 1.
  std::string pass_name(std::size_t pass) const;
  /// "pass 3 (Frame/Shadow), depth D24_UNORM_S8_UINT 4x \"scene depth\"".
  std::string attachment_name(std::size_t pass, std::size_t attachment) const;
  /// "image 123 "shadow map" (D16_UNORM 1024x1024)".
  std::string image_name(std::size_t image) const;

  /// Bytes a frame with what they are worth: "41.5 MB a frame, 2.49 GB/s at 60 frames a second".
  std::string bytes_text(std::uint64_t bytes) const;
  /// An upper bound; time where the target's bandwidth is known.
  model::Saving saving(std::optional<std::uint64_t> bytes) const;

  /// The image of an attachment; null where the source does not say.
  const model::Image* image_of(const model::Attachment& attachment) const;
  const model::Pipeline* pipeline_of(const model::Draw& draw) const;
  /// The pipeline's shader of that stage, where its code was analysed.
  const model::Shader* shader_of(const model::Draw& draw, model::Stage stage) const;
  bool covers_framebuffer(const model::Pass& pass) const;
};

}  // namespace tilebound::lint
