#pragma once

#include <optional>

#include "lint/context.h"

/// Draws that write every pixel of their pass's area.
namespace tilebound::lint {

/// The first draw of a pass where it is a full-screen triangle or quad that nothing holds back: no
/// geometry, no blending of colour `slot`, full write mask, no depth test, no discard. Null where
/// it is not, or where the frame does not tell.
const model::Draw* full_screen_first_draw(const Context& context, std::size_t pass,
                                          std::uint32_t slot);

}  // namespace tilebound::lint
