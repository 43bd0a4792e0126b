#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/api_frame.h"

/// Bytes that passes move between tile and memory.
///
/// width x height of the render area x layers or views x samples x bytes a pixel, for every aspect
/// that is loaded (stored); DONT_CARE and NONE move nothing. Framebuffer compression is ignored, so
/// the numbers are upper bounds. An op or format that the source does not tell makes the sum
/// unknown, never 0.
namespace tilebound::lint {

enum class Aspect : std::uint8_t { color, depth, stencil };

struct Traffic {
  std::optional<std::uint64_t> read;
  std::optional<std::uint64_t> written;
};

/// What a fix is worth is the difference to the traffic of the attachment with other ops. Depth and
/// stencil of D24_UNORM_S8_UINT share 32 bits: either moves both.
Traffic traffic_of(const model::Pass& pass, const model::Attachment& attachment);

/// The sum over the pass's attachments. Nothing for passes that are no render passes.
Traffic traffic_of(const model::Pass& pass);

/// The aspects that the attachment's format has. Of an unknown format those of its role.
bool has_aspect(const model::Attachment& attachment, Aspect aspect);
model::LoadOp load_of(const model::Attachment& attachment, Aspect aspect);
model::StoreOp store_of(const model::Attachment& attachment, Aspect aspect);

/// What not storing (not loading) these aspects saves; nothing where the format is not known.
std::optional<std::uint64_t> store_bytes(const model::Pass& pass,
                                         const model::Attachment& attachment,
                                         const std::vector<Aspect>& aspects);
std::optional<std::uint64_t> load_bytes(const model::Pass& pass,
                                        const model::Attachment& attachment,
                                        const std::vector<Aspect>& aspects);

/// `outer` leaves nothing of `inner` out.
bool covers(const model::Area& outer, const model::Area& inner);

constexpr Aspect kAspects[] = {Aspect::color, Aspect::depth, Aspect::stencil};

}  // namespace tilebound::lint
