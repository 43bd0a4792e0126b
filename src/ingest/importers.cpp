#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string>

#include "base/error.h"
#include "ingest/foreign.h"
#include "ingest/importer.h"
#include "ingest/libgpulayers/libgpulayers.h"
#include "ingest/ovrgpuprofiler/ovrgpuprofiler.h"
#include "ingest/ovrgpuprofiler/vrapi.h"
#include "ingest/perfetto/perfetto.h"
#include "ingest/streamline/streamline.h"
#include "ingest/tables/delimited.h"
#include "ingest/tables/long.h"
#include "ingest/tables/wide.h"
#include "ingest/wrap.h"

namespace tilebound::ingest {

namespace {

constexpr std::size_t kHeadBytes = std::size_t{64} << 10;

std::string known_formats() {
  std::string list;
  for (const Importer& importer : importers()) {
    if (!list.empty()) list += ", ";
    list += importer.title;
  }
  return list;
}

const Importer& find_importer(const base::ByteSource& source, std::string_view head) {
  if (head.empty()) throw base::InputError(fmt::format("{}: the file is empty", source.name()));
  const Importer* best = nullptr;
  Fit best_fit = Fit::no;
  for (const Importer& importer : importers()) {
    const Fit fit = importer.sniff(head);
    if (fit > best_fit) {
      best = &importer;
      best_fit = fit;
    }
  }
  if (best_fit != Fit::yes) {
    if (const auto foreign = foreign_format(head)) {
      throw base::InputError(fmt::format("{}: {}", source.name(), *foreign));
    }
  }
  if (best != nullptr) return *best;
  tables::refuse_wide_text(head, source.name());
  throw base::InputError(fmt::format("{}: not a capture of a known format; these are read: {}",
                                     source.name(), known_formats()));
}

}  // namespace

std::span<const Importer> importers() {
  static const Importer list[] = {
      perfetto_importer(),     streamline_importer(), ovrgpuprofiler_importer(), vrapi_importer(),
      libgpulayers_importer(), long_csv_importer(),   wide_csv_importer(),
  };
  return list;
}

model::Capture read_capture(base::ByteSource& source) {
  const std::string_view window = source.peek(kHeadBytes);
  const Importer& importer =
      find_importer(source, window.substr(0, std::min(window.size(), kHeadBytes)));
  model::Capture capture = importer.read(source);
  drop_wrapped_values(capture);
  return capture;
}

void join(model::Capture& capture, model::Capture log) {
  if (capture.format == "vrapi-logcat" && log.format == "ovrgpuprofiler") std::swap(capture, log);
  if (capture.format != "ovrgpuprofiler" || log.format != "vrapi-logcat") {
    throw base::InputError(fmt::format(
        "{}: a {} capture cannot be joined to a {} one; only an ovrgpuprofiler log and the VrApi "
        "log of the same run share a clock",
        log.source, log.format, capture.format));
  }
  move_to_year(log, capture);
  const std::size_t first_axis = capture.axes.size();
  std::move(log.axes.begin(), log.axes.end(), std::back_inserter(capture.axes));
  for (model::Counter& counter : log.counters) {
    if (counter.axis) *counter.axis += first_axis;
    capture.counters.push_back(std::move(counter));
  }
  // Two reports of one clock would alternate; the capture's own one stays.
  if (capture.clock.empty()) capture.clock = std::move(log.clock);
  for (const auto& [kind, count] : log.other_content) capture.other_content[kind] += count;
  for (const model::Note& note : log.notes) {
    if (note.id == "no_year") continue;
    capture.note(note.id, note.severity, log.source + ": " + note.message, note.count);
  }
  capture.note("joined", model::Severity::info,
               fmt::format("{} joined by wall clock, as of the same time zone", log.source));
}

}  // namespace tilebound::ingest
