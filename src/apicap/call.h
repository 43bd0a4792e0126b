#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// One call of an application with its arguments, whatever text it was read from.
namespace tilebound::apicap {

enum class Kind : std::uint8_t {
  null,
  number,  // an integer, a boolean, a handle
  real,
  text,   // also an enum that is only named: "VK_FORMAT_R8G8B8A8_UNORM"
  named,  // an enum with its number and its name
  blob,   // bytes kept elsewhere: the text is their name, the number their length
  list,
  record
};

class Tree;

/// A place in a Tree; cheap to copy, valid as long as the tree is not changed. An absent value
/// answers like null, so that chains of fields need no checks.
class Value {
 public:
  Value() = default;
  Value(const Tree& tree, std::uint32_t node) : tree_(&tree), node_(node) {}

  /// Present and not null.
  explicit operator bool() const { return kind() != Kind::null; }
  Kind kind() const;
  std::string_view name() const;  // of the field, empty inside a list

  /// A field of a record.
  Value operator[](std::string_view field) const;
  /// A field whose name matches but for its case and a leading "p": "RenderPassBegin" for
  /// "pRenderPassBegin". Sources differ so in the names of a call's own arguments.
  Value argument(std::string_view field) const;

  /// Of number, named, real, of text that is a number ("0x10"), and the length of a blob.
  std::optional<std::uint64_t> number() const;
  std::uint64_t number_or(std::uint64_t fallback) const { return number().value_or(fallback); }
  std::uint32_t u32(std::uint32_t fallback = 0) const {
    return static_cast<std::uint32_t>(number_or(fallback));
  }
  double real() const;  // 0 where there is none
  bool boolean() const { return number_or(0) != 0; }
  std::string_view text() const;

  /// Children of a list or record, in order. Of any other value: the value itself, because some
  /// sources write a list of one as its element; of null: none.
  class Iterator {
   public:
    Iterator(const Tree* tree, std::uint32_t node, bool alone)
        : tree_(tree), node_(node), alone_(alone) {}
    Value operator*() const { return {*tree_, node_}; }
    Iterator& operator++();
    bool operator!=(const Iterator& other) const { return node_ != other.node_; }

   private:
    const Tree* tree_;
    std::uint32_t node_;
    bool alone_;
  };
  struct Range {
    Iterator first;
    Iterator last;
    Iterator begin() const { return first; }
    Iterator end() const { return last; }
  };
  Range fields() const;
  /// Elements of a list; a record or a number stands for itself.
  Range elements() const;
  std::size_t count() const;  // of elements()

 private:
  const Tree* tree_ = nullptr;
  std::uint32_t node_ = 0;
};

/// Nodes of one call, in buffers that are used again for the next call. Bounded: what exceeds the
/// limits is left out and `cut` is set.
class Tree {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  void clear();
  /// The value of everything added at the top, as one record.
  Value root() const { return {*this, 0}; }
  bool cut() const { return cut_; }
  std::size_t depth() const { return open_.size(); }

  void open(Kind kind, std::string_view name);  // list or record
  void close();
  void add_null(std::string_view name);
  void add_number(std::string_view name, std::uint64_t number);
  void add_real(std::string_view name, double real);
  void add_text(std::string_view name, std::string_view text);
  void add_named(std::string_view name, std::uint64_t number, std::string_view text);
  void add_blob(std::string_view name, std::string_view blob, std::uint64_t bytes);

  Tree() { clear(); }

 private:
  friend class Value;
  struct Text {
    std::uint32_t at = 0;
    std::uint32_t size = 0;
  };
  struct Node {
    Kind kind = Kind::null;
    std::uint32_t first = kNone;
    std::uint32_t next = kNone;
    Text name;
    Text text;
    std::uint64_t bits = 0;
  };
  struct Open {
    std::uint32_t node;  // kNone: left out
    std::uint32_t last_child;
  };

  std::string_view view(const Text& text) const {
    return std::string_view(texts_).substr(text.at, text.size);
  }
  Text keep(std::string_view text);
  Node* add(Kind kind, std::string_view name);

  std::vector<Node> nodes_;
  std::vector<Open> open_;
  std::string texts_;
  bool cut_ = false;
};

struct Call {
  std::string name;
  std::string result;  // "VK_SUCCESS", where the source says
  Tree tree;
  Value arguments;  // a record in the tree; absent: the tree's root

  Value operator[](std::string_view argument) const {
    return (arguments ? arguments : tree.root()).argument(argument);
  }
};

/// Digits, or hexadecimal ones after "0x"; a minus sign gives the two's complement.
std::optional<std::uint64_t> parse_integer(std::string_view text);

}  // namespace tilebound::apicap
