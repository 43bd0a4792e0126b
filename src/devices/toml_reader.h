#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <utility>
#include <vector>

/// A TOML table of which every key must be known, with messages that name file, table and key.
namespace tilebound::devices {

class TomlReader {
 public:
  /// `where` is how messages call the table: "redmi-12.toml: [match]".
  TomlReader(const toml::table& table, std::string where)
      : table_(table), where_(std::move(where)) {}

  std::string required_text(std::string_view key);
  std::string text(std::string_view key);
  std::optional<double> number(std::string_view key);
  std::optional<std::uint32_t> whole(std::string_view key);
  bool flag(std::string_view key);
  std::vector<std::string> texts(std::string_view key);

  /// Null where the key is absent.
  const toml::table* table(std::string_view key);
  /// The tables of an array of tables ([[unit]]).
  std::vector<const toml::table*> tables(std::string_view key);

  /// For a table whose keys are names chosen by its writer.
  std::vector<std::string> keys() const;

  [[noreturn]] void fail(std::string_view key, std::string_view what) const;
  const std::string& where() const { return where_; }

  /// Throws base::InputError for a key that nobody asked for.
  void finish() const;

 private:
  const toml::node* get(std::string_view key);

  const toml::table& table_;
  std::string where_;
  std::set<std::string, std::less<>> asked_;
};

/// Throws base::InputError with line and column.
toml::table parse_toml(std::string_view text, std::string_view origin);

}  // namespace tilebound::devices
