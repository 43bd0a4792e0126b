#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/note.h"

/// Streamline's expression language, so that people can paste theirs: $Names, numbers, + - * /,
/// parentheses, $ZOOM (length of the window in seconds), min(a,b,...), max(a,b,...), abs(a),
/// if(c,a,b) (c greater than 0 means a). "// text" is a comment.
///
/// An expression is evaluated over a window with each $Name standing for the counter's total in it,
/// so a quotient of counters is a ratio of sums.
namespace tilebound::devices {

/// Text that is no expression. Line and column count from 1.
class ExpressionError : public base::InputError {
 public:
  ExpressionError(std::size_t line, std::size_t column, std::string reason);

  std::size_t line;
  std::size_t column;
  std::string reason;
};

class Expression {
 public:
  /// Throws ExpressionError. One missing last ")" is accepted with a note "unclosed_parenthesis".
  static Expression parse(std::string_view text, std::vector<model::Note>* notes = nullptr);

  /// Total of a counter over the window; nothing where the capture lacks it.
  /// Gets the name as written, without "$".
  using Lookup = std::function<std::optional<double>(std::string_view name)>;

  /// Nothing where a counter is missing or a division is by zero or the result is no finite number;
  /// that spreads to everything computed from it, except through the branch an if() does not take.
  std::optional<double> evaluate(const Lookup& lookup) const;

  /// Names used, without "$", each once, in order of appearance. ZOOM is one.
  const std::vector<std::string>& names() const { return names_; }

  /// The same expression in canonical form; parses to an equal expression.
  std::string text() const;

  /// The same expression with each name replaced: `replace` gives the text of an expression to put
  /// in its place, or nothing to keep the name.
  Expression substitute(
      const std::function<std::optional<Expression>(std::string_view name)>& replace) const;

  struct Op;
  struct Binary;
  /// Both sides of the outermost + - * /; nothing for other expressions.
  std::optional<Binary> binary() const;

  /// The value of an expression without names.
  std::optional<double> constant() const;

  /// The factors of a product (a * b / 2 has the factors a, b and 1/2 as a number); of anything
  /// else the expression itself. Used to recognise shapes.
  struct Product {
    double factor = 1;
    std::vector<std::string> names;  // multiplied
    bool simple = true;              // false: there are other parts than names and numbers
  };
  Product product() const;

  bool operator==(const Expression&) const = default;

  /// The expression in postfix order: no recursion, whatever the length of the text.
  struct Op {
    enum class Kind : std::uint8_t { number, name, add, sub, mul, div, neg, min, max, abs, select };
    Kind kind = Kind::number;
    double value = 0;           // of a number
    std::uint32_t operand = 0;  // index of a name; count of arguments of min and max

    bool operator==(const Op&) const = default;
  };
  const std::vector<Op>& postfix() const { return ops_; }

 private:
  friend class ExpressionParser;
  std::size_t begin_of(std::size_t end) const;
  Expression slice(std::size_t begin, std::size_t end) const;
  std::uint32_t name_index(std::string_view name);
  void append(const Expression& part);

  std::vector<Op> ops_;
  std::vector<std::string> names_;
};

struct Expression::Binary {
  Op::Kind kind;
  Expression left;
  Expression right;
};

/// "Input primitive throughput" and the expression under it.
struct NamedExpression {
  std::string name;
  std::string text;  // as written, without comments and outer spaces
  std::vector<model::Note> notes;

  bool operator==(const NamedExpression&) const = default;
};

/// Reads a list of expressions as people keep them: a "// name:" line before each expression, which
/// may span lines. An expression without a name is "expression 3". Throws base::InputError with
/// line and column.
std::vector<NamedExpression> read_expressions(std::string_view text);

/// The reverse; reads back unchanged. Each line of `header` becomes a comment at the top.
std::string write_expressions(const std::vector<NamedExpression>& expressions,
                              std::string_view header = {});

}  // namespace tilebound::devices
