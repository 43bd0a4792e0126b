#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "apicap/call.h"
#include "base/byte_source.h"

/// JSON values one after another ("JSON Lines"; line ends are only blanks to it), each into a Tree.
///
/// Nothing but the tree is kept of a value, so that a line of any length costs the tree's limits.
namespace tilebound::apicap::gfxreconstruct {

class JsonLines {
 public:
  explicit JsonLines(base::ByteSource& source) : source_(source) {}

  enum class Step : std::uint8_t {
    value,   // the tree holds one
    broken,  // a line that is no JSON; skipped, `problem` says why
    cut,     // the input ends inside a value
    end
  };

  /// Reads the next value into `tree`. `wants` is asked with each text called "name" of an object
  /// inside the value's object (a call's name); "args" that follow in that object are skipped when
  /// it says no. Throws base::InputError for nesting deeper than 512.
  Step next(Tree& tree, const std::function<bool(std::string_view)>& wants);

  std::uint64_t line() const { return line_; }  // of the value read last, from 1
  const std::string& problem() const { return problem_; }

 private:
  bool refill();
  int peek();
  int get();
  int skip_blanks();
  void skip_line();
  bool read_value(Tree& tree, const std::function<bool(std::string_view)>& wants);
  bool read_string(std::string& text);
  bool read_hex(std::uint32_t& code);
  bool read_scalar(Tree* tree, std::string_view name);
  bool fail(std::string_view what);

  base::ByteSource& source_;
  std::string_view window_;
  std::size_t at_ = 0;
  std::uint64_t next_line_ = 1;
  std::uint64_t line_ = 0;
  bool ended_ = false;
  bool broken_ = false;
  std::string problem_;
  std::string key_;
  std::string text_;
};

}  // namespace tilebound::apicap::gfxreconstruct
