#include "ingest/streamline/streamline.h"

#include <algorithm>
#include <cmath>

#include "base/statistics.h"
#include "base/text.h"
#include "ingest/tables/naming.h"
#include "ingest/tables/series.h"
#include "ingest/tables/settle.h"

namespace tilebound::ingest {

namespace {

using namespace tables;

/// "title<separator>series", with text on both sides.
bool joins(std::string_view name, char separator) {
  name = base::trim(name);
  const std::size_t at = name.find(separator);
  return at != std::string_view::npos && !base::trim(name.substr(0, at)).empty() &&
         !base::trim(name.substr(at + 1)).empty();
}

/// Titles and series with a colon say Streamline on their own; with a point only beside times
/// written as MM:SS.mmm.
bool is_streamline_header(const Row& row, const Row& next) {
  if (!is_series_header(row, next)) return false;
  std::size_t time = 0;
  while (!is_time_name(row[time])) ++time;
  std::size_t colons = 0, points = 0, named = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i == time || base::trim(row[i]).empty()) continue;
    ++named;
    colons += joins(row[i], ':') ? 1 : 0;
    points += joins(row[i], '.') ? 1 : 0;
  }
  if (named > 0 && colons * 2 >= named) return true;
  const bool clock = time < next.size() && parse_clock_ns(next[time], ',').has_value();
  return clock && named > 0 && points * 2 >= named;
}

/// Whether the times are the ends of the bins, as far as the first bin tells.
struct Direction {
  model::ValueDirection direction;
  const char* reason;
};
Direction direction_of(const model::TimeAxis& axis) {
  constexpr auto kForwards = model::ValueDirection::forwards;
  std::vector<double> widths;
  for (std::size_t i = 1; i < axis.size(); ++i) {
    widths.push_back(static_cast<double>(axis.stamps_ns[i] - axis.stamps_ns[i - 1]));
  }
  const auto width = base::median(widths);
  const auto first = static_cast<double>(axis.stamps_ns.front());
  if (first == 0) {
    return {kForwards, "the first bin is at 0, so times are taken for the begins of bins"};
  }
  // Stamps are rounded to milliseconds, so that a bin of 1 ms may seem to be one of 2.
  if (width && std::abs(first - *width) < *width / 4) {
    return {model::ValueDirection::backwards,
            "the first bin is one bin's width after 0, so times are taken for the ends of bins"};
  }
  return {kForwards, "times are taken for the begins of bins"};
}

Fit sniff(std::string_view head) {
  if (!is_text(head)) return Fit::no;
  return find_table(head, is_streamline_header) ? Fit::yes : Fit::no;
}

model::Capture read(base::ByteSource& source) {
  const TableHead head =
      read_head(source, is_streamline_header, "Time and columns \"<chart title>:<series>\"");
  model::Capture capture = read_series(source, head, "streamline-csv");
  const Direction found = direction_of(capture.axes[0]);
  capture.axes[0].direction = found.direction;
  capture.note("assumed_direction", model::Severity::info, found.reason);
  add_clocks(capture);
  return capture;
}

}  // namespace

Importer streamline_importer() {
  return {"streamline-csv", "Streamline CSV export", sniff, read};
}

}  // namespace tilebound::ingest
