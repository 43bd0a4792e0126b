#include <fmt/format.h>

#include "base/text.h"
#include "devices/expression.h"

namespace tilebound::devices {

namespace {

/// An expression as it is collected, line by line.
struct Pending {
  std::string name;
  std::string text;
  std::vector<std::size_t> lines;  // of the file, for each line of `text`
  std::size_t indent = 0;          // columns cut from the first line
};

void finish(Pending& pending, std::vector<NamedExpression>& out) {
  if (pending.text.empty()) return;
  NamedExpression named;
  named.name = pending.name.empty() ? fmt::format("expression {}", out.size() + 1) : pending.name;
  named.text = pending.text;
  try {
    Expression::parse(named.text, &named.notes);
  } catch (const ExpressionError& e) {
    const std::size_t column = e.line == 1 ? e.column + pending.indent : e.column;
    throw base::InputError(fmt::format("expressions: line {}, column {}: {}",
                                       pending.lines[e.line - 1], column, e.reason));
  }
  out.push_back(std::move(named));
}

std::string name_of(std::string_view comment) {
  std::string_view name = base::trim(comment);
  while (!name.empty() && (name.back() == ':' || name.back() == ' ')) name.remove_suffix(1);
  return std::string(name);
}

}  // namespace

std::vector<NamedExpression> read_expressions(std::string_view text) {
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  std::vector<NamedExpression> out;
  Pending pending;
  std::size_t number = 0;
  for (std::string_view line : base::split(text, '\n')) {
    ++number;
    const std::string_view trimmed = base::trim(line);
    if (trimmed.substr(0, 2) == "//") {
      finish(pending, out);
      if (!pending.text.empty()) pending = {};
      // Of several comment lines the one next to the expression is its name.
      const std::string name = name_of(trimmed.substr(2));
      if (!name.empty()) pending.name = name;
      continue;
    }
    const std::size_t comment = line.find("//");
    std::string_view code = line.substr(0, comment);
    while (!code.empty() && base::trim(code.substr(code.size() - 1)).empty()) code.remove_suffix(1);
    if (code.empty()) continue;
    if (pending.text.empty()) {
      pending.indent = static_cast<std::size_t>(base::trim(code).data() - code.data());
      pending.text = code.substr(pending.indent);
    } else {
      pending.text += '\n';
      pending.text += code;
    }
    pending.lines.push_back(number);
  }
  finish(pending, out);
  return out;
}

std::string write_expressions(const std::vector<NamedExpression>& expressions,
                              std::string_view header) {
  std::string out;
  if (!header.empty()) {
    for (const std::string_view line : base::split(header, '\n'))
      out += fmt::format("// {}\n", line);
    out += '\n';
  }
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    if (i > 0) out += '\n';
    out += fmt::format("// {}:\n{}\n", expressions[i].name, expressions[i].text);
  }
  return out;
}

}  // namespace tilebound::devices
