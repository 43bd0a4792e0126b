#include "apicap/gfxreconstruct/json_lines.h"

#include <charconv>
#include <fmt/format.h>
#include <vector>

#include "base/error.h"

namespace tilebound::apicap::gfxreconstruct {

namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;
constexpr std::size_t kDeepest = 512;
// Longer texts are read to their end but not kept; the tree would refuse them.
constexpr std::size_t kLongestText = (std::size_t{1} << 20) + 1;
constexpr int kEnd = -1;

void append_utf8(std::string& text, std::uint32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | (code >> 6));
    text += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | (code >> 12));
    text += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    text += static_cast<char>(0xF0 | (code >> 18));
    text += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    text += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (code & 0x3F));
  }
}

void add_number(Tree& tree, std::string_view name, std::string_view text) {
  if (const auto integer = parse_integer(text)) return tree.add_number(name, *integer);
  double real = 0;
  std::from_chars(text.data(), text.data() + text.size(), real);
  tree.add_real(name, real);
}

}  // namespace

bool JsonLines::refill() {
  source_.consume(at_);
  at_ = 0;
  window_ = source_.peek(1);
  // A piece at a time, so that the source's window does not grow.
  window_ = window_.substr(0, kPiece);
  ended_ = window_.empty();
  return !ended_;
}

int JsonLines::peek() {
  if (at_ == window_.size() && (ended_ || !refill())) return kEnd;
  return static_cast<unsigned char>(window_[at_]);
}

int JsonLines::get() {
  const int c = peek();
  if (c == kEnd) return kEnd;
  ++at_;
  if (c == '\n') ++next_line_;
  return c;
}

int JsonLines::skip_blanks() {
  for (;;) {
    const int c = peek();
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return c;
    get();
  }
}

void JsonLines::skip_line() {
  for (int c = get(); c != '\n' && c != kEnd; c = get()) {
  }
}

bool JsonLines::fail(std::string_view what) {
  problem_ = fmt::format("line {}: {}", next_line_, what);
  broken_ = true;
  return false;
}

JsonLines::Step JsonLines::next(Tree& tree, const std::function<bool(std::string_view)>& wants) {
  tree.clear();
  // A pretty array around the values ("--format json") costs nothing to accept.
  int c = skip_blanks();
  while (c == ',' || c == '[' || c == ']') {
    get();
    c = skip_blanks();
  }
  line_ = next_line_;
  if (c == kEnd) return Step::end;
  broken_ = false;
  if (c != '{') {
    fail("no JSON object");
    skip_line();
    return Step::broken;
  }
  if (read_value(tree, wants)) return Step::value;
  if (peek() == kEnd) return Step::cut;
  // Where the fault was found at the line's end, that end is still to be read.
  skip_line();
  return Step::broken;
}

// Not recursive: the nesting of hostile input must not be that of the stack.
bool JsonLines::read_value(Tree& tree, const std::function<bool(std::string_view)>& wants) {
  std::vector<char> open;    // '{' or '['
  bool unwanted = false;     // the call at hand is not wanted
  std::size_t skipping = 0;  // depth at which unwanted arguments began; 0: none
  std::string name;          // of the value to come
  for (;;) {
    const int c = skip_blanks();
    if (c == kEnd) return fail("the file ends inside a value");
    Tree* kept = skipping == 0 ? &tree : nullptr;
    if (c == '{' || c == '[') {
      get();
      if (open.size() >= kDeepest) {
        throw base::InputError(fmt::format("{}: line {}: values nested deeper than {}",
                                           source_.name(), next_line_, kDeepest));
      }
      if (unwanted && skipping == 0 && open.size() == 2 && name == "args") {
        skipping = open.size();
        kept = nullptr;
      }
      if (kept != nullptr && !open.empty()) kept->open(c == '{' ? Kind::record : Kind::list, name);
      open.push_back(static_cast<char>(c));
      if (open.size() == 2) unwanted = false;
      name.clear();
      if (skip_blanks() == (c == '{' ? '}' : ']')) {
        // Empty; closed below.
      } else if (c == '[') {
        continue;
      } else {
        if (!read_string(name) || skip_blanks() != ':') return fail("no name and colon");
        get();
        continue;
      }
    } else if (c == '"') {
      if (!read_string(text_)) return false;
      if (kept != nullptr) kept->add_text(name, text_);
      if (open.size() == 2 && name == "name" && wants && !wants(text_)) unwanted = true;
    } else if (!read_scalar(kept, name)) {
      return false;
    }
    // After a value: commas and ends.
    for (;;) {
      const int after = skip_blanks();
      if (after == ',') {
        get();
        name.clear();
        if (open.back() == '{') {
          if (skip_blanks() != '"' || !read_string(name) || skip_blanks() != ':') {
            return fail("no name and colon");
          }
          get();
        }
        break;
      }
      if (after == kEnd) return fail("the file ends inside a value");
      if (after != (open.back() == '{' ? '}' : ']')) return fail("no comma or end of a value");
      get();
      open.pop_back();
      if (open.empty()) return true;
      if (skipping == open.size()) {
        skipping = 0;
      } else if (skipping == 0) {
        tree.close();
      }
    }
  }
}

bool JsonLines::read_hex(std::uint32_t& code) {
  code = 0;
  for (int i = 0; i < 4; ++i) {
    const int c = get();
    if (c >= '0' && c <= '9') {
      code = code * 16 + static_cast<std::uint32_t>(c - '0');
    } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
      code = code * 16 + static_cast<std::uint32_t>((c | 0x20) - 'a' + 10);
    } else {
      return fail("a broken \\u in a text");
    }
  }
  return true;
}

bool JsonLines::read_string(std::string& text) {
  text.clear();
  if (peek() != '"') return fail("no text where one was expected");
  get();
  for (;;) {
    // The common case first: everything up to a quote, an escape or a control character.
    const std::size_t from = at_;
    while (at_ < window_.size() && window_[at_] != '"' && window_[at_] != '\\' &&
           static_cast<unsigned char>(window_[at_]) >= 0x20) {
      ++at_;
    }
    const std::size_t room = kLongestText - std::min(kLongestText, text.size());
    text += window_.substr(from, std::min(at_ - from, room));
    const int c = peek();
    if (c == kEnd) return fail("the file ends inside a text");
    if (c == '"') {
      get();
      return true;
    }
    if (c < 0x20) return fail("a control character in a text");
    if (c != '\\') continue;
    get();
    const int escaped = get();
    switch (escaped) {
      case 'n':
        text += '\n';
        break;
      case 't':
        text += '\t';
        break;
      case 'r':
        text += '\r';
        break;
      case 'b':
        text += '\b';
        break;
      case 'f':
        text += '\f';
        break;
      case '"':
      case '\\':
      case '/':
        text += static_cast<char>(escaped);
        break;
      case 'u': {
        std::uint32_t code = 0;
        if (!read_hex(code)) return false;
        if (code >= 0xD800 && code < 0xDC00) {
          std::uint32_t low = 0;
          if (get() != '\\' || get() != 'u' || !read_hex(low) || low < 0xDC00 || low > 0xDFFF) {
            return fail("half a surrogate pair in a text");
          }
          code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        } else if (code >= 0xDC00 && code < 0xE000) {
          return fail("half a surrogate pair in a text");
        }
        append_utf8(text, code);
        break;
      }
      default:
        return fail("an unknown escape in a text");
    }
    if (text.size() > kLongestText + 8) text.resize(kLongestText);
  }
}

bool JsonLines::read_scalar(Tree* tree, std::string_view name) {
  char word[64];
  std::size_t size = 0;
  for (;;) {
    const int c = peek();
    const bool part = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '-' || c == '+' || c == '.';
    if (!part) break;
    if (size == sizeof(word)) return fail("a number of more than 64 characters");
    word[size++] = static_cast<char>(get());
  }
  const std::string_view text(word, size);
  if (text.empty()) return fail("no value where one was expected");
  if (tree == nullptr) return true;
  // Numbers that are none are as good as absent.
  if (text == "null" || text == "NaN" || text == "Infinity" || text == "nan" || text == "inf") {
    tree->add_null(name);
  } else if (text == "true" || text == "false") {
    tree->add_number(name, text == "true" ? 1 : 0);
  } else if ((text[0] >= '0' && text[0] <= '9') || text[0] == '-') {
    add_number(*tree, name, text);
  } else {
    return fail(fmt::format("\"{}\" is no value", text));
  }
  return true;
}

}  // namespace tilebound::apicap::gfxreconstruct
