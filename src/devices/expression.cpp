#include "devices/expression.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace tilebound::devices {

using Kind = Expression::Op::Kind;

namespace {

std::size_t arity(const Expression::Op& op) {
  switch (op.kind) {
    case Kind::number:
    case Kind::name:
      return 0;
    case Kind::neg:
    case Kind::abs:
      return 1;
    case Kind::select:
      return 3;
    case Kind::min:
    case Kind::max:
      return op.operand;
    default:
      return 2;
  }
}

using Value = std::optional<double>;

Value combine(const Expression::Op& op, const Value* args) {
  if (op.kind == Kind::select) return !args[0] ? Value{} : *args[0] > 0 ? args[1] : args[2];
  const std::size_t count = arity(op);
  if (std::any_of(args, args + count, [](const Value& v) { return !v; })) return {};
  switch (op.kind) {
    case Kind::add:
      return *args[0] + *args[1];
    case Kind::sub:
      return *args[0] - *args[1];
    case Kind::mul:
      return *args[0] * *args[1];
    case Kind::div:
      return *args[1] == 0 ? Value{} : Value{*args[0] / *args[1]};
    case Kind::neg:
      return -*args[0];
    case Kind::abs:
      return std::abs(*args[0]);
    case Kind::min:
      return **std::min_element(args, args + count);
    case Kind::max:
      return **std::max_element(args, args + count);
    default:
      return {};
  }
}

/// Text of a part with how tightly its outermost operator binds.
struct Piece {
  std::string text;
  int binds = 0;
};
constexpr int kSum = 1;
constexpr int kProduct = 2;
constexpr int kSign = 3;
constexpr int kAtom = 4;

std::string wrapped(Piece piece, bool parentheses) {
  return parentheses ? "(" + piece.text + ")" : std::move(piece.text);
}

std::string_view function_name(Kind kind) {
  return kind == Kind::min ? "min" : kind == Kind::max ? "max" : kind == Kind::abs ? "abs" : "if";
}

Piece joined(Kind kind, Piece left, Piece right) {
  const int binds = kind == Kind::add || kind == Kind::sub ? kSum : kProduct;
  const char sign = kind == Kind::add   ? '+'
                    : kind == Kind::sub ? '-'
                    : kind == Kind::mul ? '*'
                                        : '/';
  const bool wrap_left = left.binds < binds;
  const bool wrap_right = right.binds <= binds;
  std::string text = wrapped(std::move(left), wrap_left);
  text += ' ';
  text += sign;
  text += ' ';
  text += wrapped(std::move(right), wrap_right);
  return {std::move(text), binds};
}

}  // namespace

std::optional<double> Expression::evaluate(const Lookup& lookup) const {
  std::vector<Value> values(names_.size());
  for (std::size_t i = 0; i < names_.size(); ++i) {
    values[i] = lookup(names_[i]);
    if (values[i] && !std::isfinite(*values[i])) values[i].reset();
  }
  std::vector<Value> stack;
  for (const Op& op : ops_) {
    if (op.kind == Kind::number) {
      stack.emplace_back(op.value);
    } else if (op.kind == Kind::name) {
      stack.push_back(values[op.operand]);
    } else {
      const std::size_t first = stack.size() - arity(op);
      const Value result = combine(op, stack.data() + first);
      stack.resize(first + 1);
      stack[first] = result;
    }
  }
  if (stack.empty() || !stack.back() || !std::isfinite(*stack.back())) return std::nullopt;
  return stack.back();
}

std::string Expression::text() const {
  std::vector<Piece> stack;
  const auto pop = [&] {
    Piece piece = std::move(stack.back());
    stack.pop_back();
    return piece;
  };
  for (const Op& op : ops_) {
    switch (op.kind) {
      case Kind::number:
        stack.push_back({fmt::format("{}", op.value), kAtom});
        break;
      case Kind::name:
        stack.push_back({"$" + names_[op.operand], kAtom});
        break;
      case Kind::neg: {
        Piece inner = pop();
        const bool wrap = inner.binds < kSign;
        stack.push_back({"-" + wrapped(std::move(inner), wrap), kSign});
        break;
      }
      case Kind::add:
      case Kind::sub:
      case Kind::mul:
      case Kind::div: {
        Piece right = pop();
        Piece left = pop();
        stack.push_back(joined(op.kind, std::move(left), std::move(right)));
        break;
      }
      default: {
        const std::size_t first = stack.size() - arity(op);
        std::string text = fmt::format("{}(", function_name(op.kind));
        for (std::size_t i = first; i < stack.size(); ++i) {
          text += i == first ? "" : ", ";
          text += stack[i].text;
        }
        stack.resize(first);
        stack.push_back({text + ")", kAtom});
      }
    }
  }
  return stack.empty() ? std::string() : std::move(stack.back().text);
}

std::size_t Expression::begin_of(std::size_t end) const {
  // Walking back over postfix: each operator needs as many parts as it has arguments.
  std::size_t needed = 1;
  std::size_t begin = end;
  while (needed > 0) needed += arity(ops_[--begin]) - 1;
  return begin;
}

std::uint32_t Expression::name_index(std::string_view name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) {
    names_.emplace_back(name);
    return static_cast<std::uint32_t>(names_.size() - 1);
  }
  return static_cast<std::uint32_t>(found - names_.begin());
}

void Expression::append(const Expression& part) {
  for (Op op : part.ops_) {
    if (op.kind == Kind::name) op.operand = name_index(part.names_[op.operand]);
    ops_.push_back(op);
  }
}

Expression Expression::slice(std::size_t begin, std::size_t end) const {
  Expression out;
  for (std::size_t i = begin; i < end; ++i) {
    Op op = ops_[i];
    if (op.kind == Kind::name) op.operand = out.name_index(names_[op.operand]);
    out.ops_.push_back(op);
  }
  return out;
}

Expression Expression::substitute(
    const std::function<std::optional<Expression>(std::string_view)>& replace) const {
  Expression out;
  for (const Op& op : ops_) {
    std::optional<Expression> part;
    if (op.kind == Kind::name) part = replace(names_[op.operand]);
    if (part) {
      out.append(*part);
    } else {
      Op kept = op;
      if (kept.kind == Kind::name) kept.operand = out.name_index(names_[op.operand]);
      out.ops_.push_back(kept);
    }
  }
  return out;
}

std::optional<Expression::Binary> Expression::binary() const {
  if (ops_.empty()) return std::nullopt;
  const Kind kind = ops_.back().kind;
  if (kind != Kind::add && kind != Kind::sub && kind != Kind::mul && kind != Kind::div) {
    return std::nullopt;
  }
  const std::size_t end = ops_.size() - 1;
  const std::size_t middle = begin_of(end);
  return Binary{kind, slice(0, middle), slice(middle, end)};
}

std::optional<double> Expression::constant() const {
  if (!names_.empty()) return std::nullopt;
  return evaluate([](std::string_view) { return std::nullopt; });
}

Expression::Product Expression::product() const {
  std::vector<Product> stack;
  for (const Op& op : ops_) {
    if (op.kind == Kind::number) {
      stack.push_back({op.value, {}, true});
    } else if (op.kind == Kind::name) {
      stack.push_back({1, {names_[op.operand]}, true});
    } else if (op.kind == Kind::mul || op.kind == Kind::div) {
      const Product right = std::move(stack.back());
      stack.pop_back();
      Product& left = stack.back();
      left.simple = left.simple && right.simple && (op.kind == Kind::mul || right.names.empty());
      left.factor = op.kind == Kind::mul ? left.factor * right.factor : left.factor / right.factor;
      left.names.insert(left.names.end(), right.names.begin(), right.names.end());
    } else {
      stack.resize(stack.size() - arity(op));
      stack.push_back({1, {}, false});
    }
  }
  return stack.empty() ? Product{} : stack.back();
}

}  // namespace tilebound::devices
