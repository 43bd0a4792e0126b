#include "apicap/call.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace tilebound::apicap {

namespace {

// A call of real programs has some thousand values; beyond these limits it is an attack or an
// update of a million descriptors, of which the first tell enough.
constexpr std::size_t kMostNodes = std::size_t{1} << 20;
constexpr std::size_t kMostText = std::size_t{16} << 20;
constexpr std::size_t kLongestText = std::size_t{1} << 20;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view stem(std::string_view name) {
  const bool pointer = name.size() > 1 && name[0] == 'p' && name[1] >= 'A' && name[1] <= 'Z';
  return pointer ? name.substr(1) : name;
}

bool same_stem(std::string_view a, std::string_view b) {
  a = stem(a);
  b = stem(b);
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::optional<std::uint64_t> parse_integer(std::string_view text) {
  const bool minus = text.starts_with('-');
  if (minus) text.remove_prefix(1);
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return minus ? ~value + 1 : value;
}

Kind Value::kind() const {
  return tree_ == nullptr ? Kind::null : tree_->nodes_[node_].kind;
}

std::string_view Value::name() const {
  return tree_ == nullptr ? std::string_view{} : tree_->view(tree_->nodes_[node_].name);
}

std::string_view Value::text() const {
  return tree_ == nullptr ? std::string_view{} : tree_->view(tree_->nodes_[node_].text);
}

Value Value::operator[](std::string_view field) const {
  if (kind() != Kind::record) return {};
  for (std::uint32_t at = tree_->nodes_[node_].first; at != Tree::kNone;
       at = tree_->nodes_[at].next) {
    if (tree_->view(tree_->nodes_[at].name) == field) return {*tree_, at};
  }
  return {};
}

Value Value::argument(std::string_view field) const {
  const Value exact = (*this)[field];
  if (exact.tree_ != nullptr || kind() != Kind::record) return exact;
  for (std::uint32_t at = tree_->nodes_[node_].first; at != Tree::kNone;
       at = tree_->nodes_[at].next) {
    if (same_stem(tree_->view(tree_->nodes_[at].name), field)) return {*tree_, at};
  }
  return {};
}

std::optional<std::uint64_t> Value::number() const {
  switch (kind()) {
    case Kind::number:
    case Kind::named:
    case Kind::blob:
      return tree_->nodes_[node_].bits;
    case Kind::real: {
      const double real = std::bit_cast<double>(tree_->nodes_[node_].bits);
      if (real >= 0 && real < 18446744073709551615.0) return static_cast<std::uint64_t>(real);
      if (real < 0 && real >= -9223372036854775808.0) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(real));
      }
      return std::nullopt;
    }
    case Kind::text:
      return parse_integer(text());
    default:
      return std::nullopt;
  }
}

double Value::real() const {
  if (kind() == Kind::real) return std::bit_cast<double>(tree_->nodes_[node_].bits);
  return static_cast<double>(static_cast<std::int64_t>(number_or(0)));
}

Value::Iterator& Value::Iterator::operator++() {
  node_ = alone_ ? Tree::kNone : tree_->nodes_[node_].next;
  return *this;
}

Value::Range Value::fields() const {
  if (kind() != Kind::record && kind() != Kind::list) return elements();
  return {{tree_, tree_->nodes_[node_].first, false}, {tree_, Tree::kNone, false}};
}

Value::Range Value::elements() const {
  const Iterator end(tree_, Tree::kNone, false);
  if (kind() == Kind::null) return {end, end};
  if (kind() == Kind::list) return {{tree_, tree_->nodes_[node_].first, false}, end};
  return {{tree_, node_, true}, end};
}

std::size_t Value::count() const {
  std::size_t count = 0;
  const Range range = elements();
  for (Iterator at = range.begin(); at != range.end(); ++at) ++count;
  return count;
}

void Tree::clear() {
  nodes_.clear();
  open_.clear();
  texts_.clear();
  cut_ = false;
  nodes_.emplace_back().kind = Kind::record;
  open_.push_back({0, kNone});
}

Tree::Text Tree::keep(std::string_view text) {
  if (text.size() > kLongestText || texts_.size() + text.size() > kMostText) {
    cut_ = true;
    return {};
  }
  const auto at = static_cast<std::uint32_t>(texts_.size());
  texts_ += text;
  return {at, static_cast<std::uint32_t>(text.size())};
}

Tree::Node* Tree::add(Kind kind, std::string_view name) {
  if (open_.empty() || open_.back().node == kNone) return nullptr;
  if (nodes_.size() >= kMostNodes) {
    cut_ = true;
    return nullptr;
  }
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  Open& parent = open_.back();
  if (parent.last_child == kNone) {
    nodes_[parent.node].first = index;
  } else {
    nodes_[parent.last_child].next = index;
  }
  parent.last_child = index;
  Node& node = nodes_.emplace_back();
  node.kind = kind;
  node.name = keep(name);
  return &node;
}

void Tree::open(Kind kind, std::string_view name) {
  Node* node = add(kind, name);
  open_.push_back({node == nullptr ? kNone : static_cast<std::uint32_t>(nodes_.size() - 1), kNone});
}

void Tree::close() {
  if (open_.size() > 1) open_.pop_back();
}

void Tree::add_null(std::string_view name) {
  add(Kind::null, name);
}

void Tree::add_number(std::string_view name, std::uint64_t number) {
  if (Node* node = add(Kind::number, name)) node->bits = number;
}

void Tree::add_real(std::string_view name, double real) {
  if (Node* node = add(Kind::real, name)) node->bits = std::bit_cast<std::uint64_t>(real);
}

void Tree::add_text(std::string_view name, std::string_view text) {
  if (Node* node = add(Kind::text, name)) node->text = keep(text);
}

void Tree::add_named(std::string_view name, std::uint64_t number, std::string_view text) {
  Node* node = add(Kind::named, name);
  if (node == nullptr) return;
  node->bits = number;
  node->text = keep(text);
}

void Tree::add_blob(std::string_view name, std::string_view blob, std::uint64_t bytes) {
  Node* node = add(Kind::blob, name);
  if (node == nullptr) return;
  node->bits = bytes;
  node->text = keep(blob);
}

}  // namespace tilebound::apicap
