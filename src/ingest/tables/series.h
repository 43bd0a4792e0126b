#pragma once

#include <string_view>

#include "base/byte_source.h"
#include "ingest/tables/header.h"
#include "model/capture.h"

/// Tables with a row a sample: one column is the time, each other one a counter.
namespace tilebound::ingest::tables {

/// Whether `row` heads such a table: a time column and at least one more, and times below it.
bool is_series_header(const Row& row, const Row& next);

/// Reads the rows after a header that read_head() found with is_series_header() or a narrower
/// test. The capture has one axis, backwards, and no clock yet (add_clocks()). Rows that are no
/// samples, cells that are no numbers and columns without any are left out and noted; a last row
/// that was cut short is dropped. Throws base::InputError when no row can be read.
model::Capture read_series(base::ByteSource& source, const TableHead& head,
                           std::string_view format);

}  // namespace tilebound::ingest::tables
