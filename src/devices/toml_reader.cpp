#include "devices/toml_reader.h"

#include <cmath>
#include <fmt/format.h>

#include "base/error.h"

namespace tilebound::devices {

namespace {

/// Beyond these a number is a slip of the pen, and percentages of it overflow.
constexpr double kSmallest = 1e-18;
constexpr double kLargest = 1e18;
constexpr std::int64_t kLargestWhole = 1'000'000;

}  // namespace

void TomlReader::fail(std::string_view key, std::string_view what) const {
  throw base::InputError(fmt::format("{}: {}: {}", where_, key, what));
}

const toml::node* TomlReader::get(std::string_view key) {
  asked_.emplace(key);
  return table_.get(key);
}

std::string TomlReader::text(std::string_view key) {
  const toml::node* node = get(key);
  if (node == nullptr) return {};
  const auto value = node->value_exact<std::string>();
  if (!value) fail(key, "must be a text in quotes");
  return *value;
}

std::string TomlReader::required_text(std::string_view key) {
  std::string value = text(key);
  if (value.empty()) fail(key, "is missing or empty");
  return value;
}

std::optional<double> TomlReader::number(std::string_view key) {
  const toml::node* node = get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_number()) fail(key, "must be a number");
  const double value = node->value<double>().value_or(0);
  if (!(value > 0) || std::isinf(value)) fail(key, "must be a number above 0");
  if (value < kSmallest || value > kLargest) fail(key, "is too small or too large to be meant");
  return value;
}

std::optional<std::uint32_t> TomlReader::whole(std::string_view key) {
  const toml::node* node = get(key);
  if (node == nullptr) return std::nullopt;
  const auto value = node->value_exact<std::int64_t>();
  if (!value || *value < 1) fail(key, "must be a whole number above 0");
  if (*value > kLargestWhole) fail(key, "is too large to be meant");
  return static_cast<std::uint32_t>(*value);
}

bool TomlReader::flag(std::string_view key) {
  const toml::node* node = get(key);
  if (node == nullptr) return false;
  const auto value = node->value_exact<bool>();
  if (!value) fail(key, "must be true or false");
  return *value;
}

std::vector<std::string> TomlReader::texts(std::string_view key) {
  std::vector<std::string> out;
  const toml::node* node = get(key);
  if (node == nullptr) return out;
  if (!node->is_array()) fail(key, "must be a list of texts");
  for (const toml::node& item : *node->as_array()) {
    const auto value = item.value_exact<std::string>();
    if (!value) fail(key, "must be a list of texts");
    out.push_back(*value);
  }
  return out;
}

const toml::table* TomlReader::table(std::string_view key) {
  const toml::node* node = get(key);
  if (node != nullptr && !node->is_table()) fail(key, "must be a table");
  return node == nullptr ? nullptr : node->as_table();
}

std::vector<const toml::table*> TomlReader::tables(std::string_view key) {
  std::vector<const toml::table*> out;
  const toml::node* node = get(key);
  if (node == nullptr) return out;
  if (!node->is_array()) fail(key, "must be an array of tables");
  for (const toml::node& item : *node->as_array()) {
    if (!item.is_table()) fail(key, "must be an array of tables");
    out.push_back(item.as_table());
  }
  return out;
}

std::vector<std::string> TomlReader::keys() const {
  std::vector<std::string> out;
  for (const auto& [key, value] : table_) out.emplace_back(key.str());
  return out;
}

void TomlReader::finish() const {
  for (const auto& [key, value] : table_) {
    if (!asked_.contains(key.str())) fail(key.str(), "unknown key");
  }
}

toml::table parse_toml(std::string_view text, std::string_view origin) {
  try {
    return toml::parse(text, origin);
  } catch (const toml::parse_error& e) {
    throw base::InputError(fmt::format("{}: line {}, column {}: {}", origin, e.source().begin.line,
                                       e.source().begin.column, e.description()));
  }
}

}  // namespace tilebound::devices
