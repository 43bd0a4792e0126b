#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/text.h"
#include "devices/expression.h"

namespace tilebound::devices {

using Kind = Expression::Op::Kind;

namespace {

/// Parentheses and signs nest no deeper; people's own expressions reach about five.
constexpr int kMaxDepth = 200;
/// Distinct counters; far above any real expression, so that hostile text stays cheap.
constexpr std::size_t kMaxNames = 1000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

struct Function {
  std::string_view name;
  Kind kind;
  std::uint32_t fewest;
  std::uint32_t most;
};
constexpr std::array kFunctions = {
    Function{"min", Kind::min, 2, 64},
    Function{"max", Kind::max, 2, 64},
    Function{"abs", Kind::abs, 1, 1},
    Function{"if", Kind::select, 3, 3},
};

std::string place(std::size_t line, std::size_t column) {
  return line == 1 ? fmt::format("column {}", column)
                   : fmt::format("line {}, column {}", line, column);
}

}  // namespace

ExpressionError::ExpressionError(std::size_t line_, std::size_t column_, std::string reason_)
    : InputError(fmt::format("expression: {}: {}", place(line_, column_), reason_)),
      line(line_),
      column(column_),
      reason(std::move(reason_)) {}

/// Recursive descent: sum = product {(+|-) product}, product = sign {(*|/) sign},
/// sign = {-|+} atom, atom = number | $name | function(...) | (sum).
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, std::vector<model::Note>* notes)
      : text_(text), notes_(notes) {}

  Expression parse() {
    sum(0);
    skip();
    if (at_ < text_.size()) {
      fail(text_[at_] == ')' ? "a closing parenthesis without an opening one"
                             : "expected an operator or the end");
    }
    if (unclosed_ > 1) fail(fmt::format("{} parentheses are not closed", unclosed_));
    if (unclosed_ == 1 && notes_ != nullptr) {
      model::add_note(*notes_, "unclosed_parenthesis", model::Severity::warning,
                      "the last closing parenthesis is missing; read as if it were at the end");
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(std::string reason) const { fail_at(at_, std::move(reason)); }
  [[noreturn]] void fail_at(std::size_t offset, std::string reason) const {
    const std::string_view before = text_.substr(0, offset);
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const std::size_t start = before.rfind('\n');
    const std::size_t column = start == std::string_view::npos ? offset + 1 : offset - start;
    throw ExpressionError(line, column, std::move(reason));
  }

  void skip() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return;
      }
    }
  }
  /// The next character that counts, or 0 at the end.
  char next() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void emit(Kind kind, double value = 0, std::uint32_t operand = 0) {
    out_.ops_.push_back({kind, value, operand});
  }

  void sum(int depth) {
    product(depth);
    for (char c = next(); c == '+' || c == '-'; c = next()) {
      ++at_;
      product(depth);
      emit(c == '+' ? Kind::add : Kind::sub);
    }
  }

  void product(int depth) {
    sign(depth);
    for (char c = next(); c == '*' || c == '/'; c = next()) {
      ++at_;
      sign(depth);
      emit(c == '*' ? Kind::mul : Kind::div);
    }
  }

  void sign(int depth) {
    int minuses = 0;
    for (char c = next(); c == '-' || c == '+'; c = next()) {
      minuses += c == '-' ? 1 : 0;
      if (minuses > kMaxDepth) fail("too many signs");
      ++at_;
    }
    atom(depth);
    for (; minuses > 0; --minuses) emit(Kind::neg);
  }

  void atom(int depth) {
    const char c = next();
    if (depth > kMaxDepth) fail(fmt::format("nested deeper than {} parentheses", kMaxDepth));
    if (c == '(') {
      ++at_;
      sum(depth + 1);
      close();
    } else if (c == '$') {
      name();
    } else if (is_digit(c) || c == '.') {
      number();
    } else if (is_word(c)) {
      function(depth);
    } else {
      fail(c == '\0' ? "the expression ends where a number, $Name or '(' is expected"
                     : "expected a number, $Name or '('");
    }
  }

  void close() {
    const char c = next();
    if (c == ')') {
      ++at_;
    } else if (c == '\0') {
      ++unclosed_;
    } else {
      fail("expected an operator or ')'");
    }
  }

  void name() {
    const std::size_t begin = ++at_;
    // NVIDIA's metric names have dots inside.
    while (at_ < text_.size() && (is_word(text_[at_]) || (text_[at_] == '.' && at_ > begin))) ++at_;
    if (at_ == begin) fail("a counter name must follow '$'");
    emit(Kind::name, 0, out_.name_index(text_.substr(begin, at_ - begin)));
    if (out_.names_.size() > kMaxNames) fail_at(begin, "too many counter names");
  }

  void number() {
    const std::size_t begin = at_;
    const auto digits = [&] {
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    };
    digits();
    if (at_ < text_.size() && text_[at_] == '.') ++at_;
    digits();
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      digits();
    }
    std::string written(text_.substr(begin, at_ - begin));
    if (written.back() == '.') written += '0';
    const std::optional<double> value = base::parse_number(written);
    if (!value) fail_at(begin, "no number, or one out of range");
    emit(Kind::number, *value);
  }

  void function(int depth) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const std::string word = base::lower(text_.substr(begin, at_ - begin));
    const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                    [&](const Function& f) { return f.name == word; });
    const bool call = next() == '(';
    if (!call) fail_at(begin, "a counter name needs '$' before it");
    if (found == kFunctions.end()) fail_at(begin, "unknown function; there are min max abs if");
    std::uint32_t count = 0;
    do {
      ++at_;
      sum(depth + 1);
      if (++count > found->most) fail("too many arguments");
    } while (next() == ',');
    close();
    if (count < found->fewest) fail("too few arguments");
    emit(found->kind, 0, count);
  }

  std::string_view text_;
  std::vector<model::Note>* notes_;
  std::size_t at_ = 0;
  std::size_t unclosed_ = 0;
  Expression out_;
};

Expression Expression::parse(std::string_view text, std::vector<model::Note>* notes) {
  return ExpressionParser(text, notes).parse();
}

}  // namespace tilebound::devices
