#pragma once

#include <string>
#include <string_view>

namespace tilebound::cli {

/// Text that fits 80 columns: a label and, beside it, words that wrap. Text from files is made
/// printable.
class TextPage {
 public:
  void heading(std::string_view text);
  void blank() { text_ += '\n'; }
  /// A line `label   words`; nothing when there are no words.
  void row(std::string_view label, std::string_view words);
  /// A paragraph with a hanging indent.
  void item(std::string_view words, int indent);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace tilebound::cli
