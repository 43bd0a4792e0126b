#include "ingest/tables/delimited.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace tilebound::ingest::tables {

namespace {

constexpr std::size_t kLongestRecord = std::size_t{1} << 20;
constexpr std::size_t kMostLinesInQuote = 64;
/// So many quotes without an end say that the file does not quote; looking ahead stops.
constexpr std::uint64_t kMostOpenQuotes = 16;
constexpr std::size_t kMostComplaints = 20;

}  // namespace

void split_cells(std::string_view line, char delimiter, Row& row, std::deque<std::string>& scratch,
                 bool* closed) {
  row.clear();
  scratch.clear();
  if (closed != nullptr) *closed = true;
  for (;;) {
    const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
    if (start < line.size() && line[start] == '"') {
      const std::string_view body = line.substr(start + 1);
      std::size_t end = body.find('"');
      bool doubled = false;
      while (end != std::string_view::npos && end + 1 < body.size() && body[end + 1] == '"') {
        doubled = true;
        end = body.find('"', end + 2);
      }
      if (end == std::string_view::npos) {
        if (closed != nullptr) *closed = false;
      } else {
        std::string_view cell = body.substr(0, end);
        if (doubled) {
          std::string& text = scratch.emplace_back();
          for (std::size_t i = 0; i < cell.size(); ++i) {
            text += cell[i];
            if (cell[i] == '"') ++i;
          }
          cell = text;
        }
        row.push_back(cell);
        const std::size_t next = body.find(delimiter, end + 1);
        const std::string_view after = body.substr(end + 1, next - end - 1);
        if (closed != nullptr && !base::trim(after).empty()) *closed = false;
        if (next == std::string_view::npos) return;
        line = body.substr(next + 1);
        continue;
      }
    }
    const std::size_t end = line.find(delimiter);
    row.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return;
    line.remove_prefix(end + 1);
  }
}

std::optional<char> find_delimiter(std::string_view line) {
  std::size_t tabs = 0, semicolons = 0, commas = 0;
  bool quoted_text = false;
  for (const char c : line) {
    if (c == '"') quoted_text = !quoted_text;
    if (quoted_text) continue;
    tabs += c == '\t' ? 1 : 0;
    semicolons += c == ';' ? 1 : 0;
    commas += c == ',' ? 1 : 0;
  }
  // Tabs and semicolons hardly occur in names, commas do.
  if (tabs > 0 && tabs >= semicolons) return '\t';
  if (semicolons > 0) return ';';
  if (commas > 0) return ',';
  return std::nullopt;
}

std::string_view without_mark(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  return head;
}

bool is_text(std::string_view head) {
  const auto nul = static_cast<std::size_t>(std::count(head.begin(), head.end(), '\0'));
  return nul <= 1 + head.size() / 1024;
}

void refuse_wide_text(std::string_view head, const std::string& source) {
  const bool marked = head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF");
  std::size_t nul[2] = {0, 0};
  const std::size_t looked_at = std::min<std::size_t>(head.size(), 200);
  for (std::size_t i = 0; i < looked_at; ++i) {
    if (head[i] == '\0') ++nul[i % 2];
  }
  const bool alternating = looked_at >= 8 && (nul[0] == 0) != (nul[1] == 0) &&
                           nul[0] + nul[1] > looked_at / 2 - looked_at / 8;
  if (marked || alternating) {
    throw base::InputError(
        fmt::format("{}: byte 0: UTF-16 text; save it as UTF-8 or plain text", source));
  }
}

std::optional<std::string_view> DelimitedReader::source_line() {
  const std::uint64_t before = source_.offset();
  const auto line = source_.next_line();
  if (line) terminated_ = source_.offset() - before > line->size();
  return line;
}

std::optional<std::string> DelimitedReader::pending_line() {
  if (!pending_.empty()) {
    std::string line = std::move(pending_.front());
    pending_.pop_front();
    return line;
  }
  const auto line = source_line();
  if (!line) return std::nullopt;
  return std::string(*line);
}

const Row* DelimitedReader::next() {
  for (;;) {
    std::string_view line;
    if (pending_.empty()) {
      const auto read = source_line();
      if (!read) return nullptr;
      line = *read;
    } else {
      joined_ = *pending_line();
      line = joined_;
    }
    record_line_ = ++line_;
    if (record_line_ == 1) line = without_mark(line);
    if (base::trim(line).empty()) continue;
    bool closed = true;
    split_cells(line, delimiter_, row_, scratch_, &closed);
    if (closed || open_quotes_ >= kMostOpenQuotes) return &row_;

    joined_ = std::string(line);
    const std::size_t first_size = joined_.size();
    std::deque<std::string> ahead;
    while (!closed && ahead.size() < kMostLinesInQuote && joined_.size() < kLongestRecord) {
      auto more = pending_line();
      if (!more) break;
      joined_ += '\n';
      joined_ += *more;
      ahead.push_back(std::move(*more));
      if (ahead.back().find('"') == std::string::npos) continue;
      split_cells(joined_, delimiter_, row_, scratch_, &closed);
    }
    if (closed && (width_ == 0 || row_.size() == width_)) {
      line_ += ahead.size();
      return &row_;
    }
    ++open_quotes_;
    pending_.insert(pending_.begin(), std::make_move_iterator(ahead.begin()),
                    std::make_move_iterator(ahead.end()));
    joined_.resize(first_size);
    split_cells(joined_, delimiter_, row_, scratch_);
    return &row_;
  }
}

void CellComplaints::add(std::string_view column, std::string_view cell, std::uint64_t line,
                         std::size_t field) {
  const auto [at, first] = complaints_.try_emplace(field);
  if (first) at->second = {std::string(column), quoted(cell), line, 0};
  ++at->second.count;
}

void CellComplaints::report(model::Capture& capture) const {
  std::size_t told = 0;
  std::uint64_t more = 0;
  for (const auto& [field, c] : complaints_) {
    if (++told > kMostComplaints) {
      more += c.count;
      continue;
    }
    capture.note("bad_cell", model::Severity::warning,
                 fmt::format("line {}, column {} ({}): {} is no number; such cells count as "
                             "unavailable",
                             c.line, field + 1, quoted(c.column), c.first),
                 c.count);
  }
  if (more > 0) {
    capture.note("bad_cell", model::Severity::warning,
                 fmt::format("{} more columns have cells that are no numbers",
                             complaints_.size() - kMostComplaints),
                 more);
  }
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 60;
  const bool cut = text.size() > kShown;
  return '"' + base::printable(text.substr(0, kShown)) + (cut ? "...\"" : "\"");
}

}  // namespace tilebound::ingest::tables
