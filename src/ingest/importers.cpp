#include <array>
#include <fmt/format.h>

#include "base/error.h"
#include "ingest/importer.h"
#include "ingest/perfetto/perfetto.h"

namespace tilebound::ingest {

namespace {

constexpr std::size_t kHead = std::size_t{64} << 10;

}  // namespace

std::span<const Importer> importers() {
  static const std::array kImporters = {perfetto_importer()};
  return kImporters;
}

model::Capture read_capture(base::ByteSource& source) {
  const std::string_view head = source.peek(kHead).substr(0, kHead);
  const Importer* best = nullptr;
  Fit best_fit = Fit::no;
  for (const Importer& importer : importers()) {
    const Fit fit = importer.sniff(head);
    if (fit > best_fit) {
      best = &importer;
      best_fit = fit;
    }
  }
  if (best == nullptr) {
    throw base::InputError(fmt::format("{}: byte 0: no known capture format", source.name()));
  }
  return best->read(source);
}

}  // namespace tilebound::ingest
