#pragma once

#include <span>

#include "align/alignment.h"
#include "model/capture.h"

/// Render stages that the driver itself reported, beside the alignment's own answer.
namespace tilebound::align {

/// Where one queue of stages has as many in nearly all frames that match as there are fragment
/// passes, times become the stages', in order, and what the samples alone said is kept as a check.
/// Stages of other GPUs than `gpu` are left out.
void use_stages(std::span<const model::RenderStage> stages, std::uint32_t gpu,
                Alignment& alignment);

}  // namespace tilebound::align
