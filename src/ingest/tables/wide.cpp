#include "ingest/tables/wide.h"

#include "ingest/tables/series.h"
#include "ingest/tables/settle.h"

namespace tilebound::ingest {

namespace {

Fit sniff(std::string_view head) {
  if (!tables::is_text(head)) return Fit::no;
  return tables::find_table(head, tables::is_series_header) ? Fit::maybe : Fit::no;
}

model::Capture read(base::ByteSource& source) {
  const tables::TableHead head =
      tables::read_head(source, tables::is_series_header, "a time column and counters");
  model::Capture capture = tables::read_series(source, head, "csv-wide");
  capture.note("assumed_direction", model::Severity::info,
               "a value is taken for the interval that ends at its row's time");
  tables::add_clocks(capture);
  return capture;
}

}  // namespace

Importer wide_csv_importer() {
  return {"csv-wide", "CSV table, a column a counter", sniff, read};
}

}  // namespace tilebound::ingest
