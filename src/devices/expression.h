#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/note.h"

/// Streamline's expression language, so that people can paste theirs: $Names, numbers, + - * /,
/// parentheses, $ZOOM (length of the window in seconds), min(a,b), max(a,b), abs(a), if(c,a,b)
/// (c greater than 0 means a). "// text" is a comment.
///
/// An expression is evaluated over a window with each $Name standing for the counter's total in it,
/// so a quotient of counters is a ratio of sums.
namespace tilebound::devices {

class Expression {
 public:
  /// Throws base::InputError naming the column. A missing last ")" is accepted with a note.
  static Expression parse(std::string_view text, std::vector<model::Note>* notes = nullptr);

  /// Total of a counter over the window; nothing where the capture lacks it.
  /// Gets the name as written, without "$".
  using Lookup = std::function<std::optional<double>(std::string_view name)>;

  /// Nothing where a counter is missing or the result is no finite number (division by zero).
  std::optional<double> evaluate(const Lookup& lookup) const;

  /// Names used, without "$", each once, in order of appearance. ZOOM is one.
  const std::vector<std::string>& names() const { return names_; }

  /// The same expression in canonical form; parses to an equal expression.
  std::string text() const;

  struct Node;

 private:
  std::shared_ptr<const Node> root_;
  std::vector<std::string> names_;
};

/// "Input primitive throughput" and the expression under it.
struct NamedExpression {
  std::string name;
  std::string text;  // as written, without comments and outer spaces
  std::vector<model::Note> notes;
};

/// Reads a list of expressions as people keep them: a "// name:" line before each expression, which
/// may span lines. Throws base::InputError with line and column.
std::vector<NamedExpression> read_expressions(std::string_view text);

/// The reverse; reads back unchanged.
std::string write_expressions(const std::vector<NamedExpression>& expressions);

}  // namespace tilebound::devices
