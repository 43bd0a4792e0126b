#include <fmt/format.h>

#include "apicap/capture.h"
#include "apicap/gfxreconstruct/gfxreconstruct.h"
#include "apicap/renderdoc/renderdoc.h"
#include "base/error.h"

namespace tilebound::apicap {

std::span<const Importer> importers() {
  static const Importer kList[] = {
      renderdoc::kImporter,
      gfxreconstruct::kImporter,
  };
  return kList;
}

model::ApiFrame read_api_capture(base::ByteSource& source, const ReadOptions& options) {
  constexpr std::size_t kHeadBytes = std::size_t{64} << 10;
  const std::string_view head = source.peek(kHeadBytes);
  const Importer* best = nullptr;
  Fit best_fit = Fit::no;
  for (const Importer& importer : importers()) {
    const Fit fit = importer.sniff(head);
    if (fit <= best_fit) continue;
    best = &importer;
    best_fit = fit;
  }
  if (best == nullptr) {
    throw base::InputError(fmt::format("{}: not an API capture of a known format", source.name()));
  }
  return best->read(source, options);
}

}  // namespace tilebound::apicap
