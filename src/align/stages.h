#pragma once

#include <span>

#include "align/alignment.h"
#include "model/capture.h"

/// Render stages that the driver itself reported, beside the alignment's own answer.
namespace tilebound::align {

/// Where each fragment pass of nearly all frames that match has a stage of its own, its times
/// become the stage's, and what the samples alone said is kept as a check. Stages are of the
/// analysed GPU.
void use_stages(std::span<const model::RenderStage> stages, std::uint32_t gpu,
                Alignment& alignment);

}  // namespace tilebound::align
