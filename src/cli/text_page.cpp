#include "cli/text_page.h"

#include <fmt/format.h>

#include "base/text.h"

namespace tilebound::cli {

namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kLabel = 14;

}  // namespace

void TextPage::heading(std::string_view text) {
  text_ += base::printable(text) + "\n";
}

void TextPage::row(std::string_view label, std::string_view words) {
  if (words.empty()) return;
  std::string_view left = label;
  for (const std::string& line : base::wrap(base::printable(words), kColumns - kLabel - 2)) {
    text_ += fmt::format("  {:<{}}{}\n", left, kLabel, line);
    left = {};
  }
}

void TextPage::item(std::string_view words, int indent) {
  const auto width = static_cast<std::size_t>(indent);
  for (const std::string& line : base::wrap(base::printable(words), kColumns - width)) {
    text_ += std::string(width, ' ') + line + "\n";
  }
}

}  // namespace tilebound::cli
