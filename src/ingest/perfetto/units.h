#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/capture.h"

namespace tilebound::ingest::perfetto {

/// A counter's unit as Perfetto's trace processor lays it out, "a:b/c:d", with the names of the
/// schema in lower case: "byte/second", "/vertex", "percent". NONE says nothing and is left out.
std::string unit_text(std::span<const std::uint32_t> numerator,
                      std::span<const std::uint32_t> denominator);

/// How a counter combines over time, from its unit and, where that says nothing, from its name.
model::CounterKind counter_kind(std::string_view name, std::span<const std::uint32_t> numerator,
                                std::span<const std::uint32_t> denominator);

}  // namespace tilebound::ingest::perfetto
