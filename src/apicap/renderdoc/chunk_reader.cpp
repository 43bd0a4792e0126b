#include "apicap/renderdoc/chunk_reader.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <exception>
#include <expat.h>
#include <fmt/format.h>
#include <memory>

#include "base/error.h"

namespace tilebound::apicap::renderdoc {

namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;
constexpr std::size_t kDeepest = 256;
// expat holds one whole token; RenderDoc's longest are a few hundred bytes.
constexpr std::uint64_t kLongestToken = std::uint64_t{8} << 20;
constexpr std::size_t kLongestText = std::size_t{1} << 20;

std::string_view attribute(const XML_Char** attributes, std::string_view name) {
  for (; attributes[0] != nullptr; attributes += 2) {
    if (name == attributes[0]) return attributes[1];
  }
  return {};
}

double parse_real(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

struct ParserFree {
  void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};

class Reader {
 public:
  Reader(base::ByteSource& source, const ChunkVisitor& visitor)
      : source_(source), visitor_(visitor), parser_(XML_ParserCreate("UTF-8")) {
    if (parser_ == nullptr) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          static_cast<Reader*>(self)->guarded([&](Reader& r) { r.begin(name, attributes); });
        },
        [](void* self, const XML_Char* name) {
          static_cast<Reader*>(self)->guarded([&](Reader& r) { r.end(name); });
        });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const XML_Char* text, int size) {
      static_cast<Reader*>(self)->guarded([&](Reader& r) {
        r.characters({text, static_cast<std::size_t>(size)});
      });
    });
    XML_SetStartDoctypeDeclHandler(
        parser_.get(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
          static_cast<Reader*>(self)->guarded(
              [](Reader& r) { r.fail("a document type, which RenderDoc never writes"); });
        });
  }

  Document read() {
    for (;;) {
      void* buffer = XML_GetBuffer(parser_.get(), static_cast<int>(kPiece));
      if (buffer == nullptr) throw std::bad_alloc();
      const std::string_view window = source_.peek(1);
      const std::size_t count = std::min(window.size(), kPiece);
      if (count > 0) std::memcpy(buffer, window.data(), count);
      source_.consume(count);
      const XML_Status status = XML_ParseBuffer(parser_.get(), static_cast<int>(count),
                                                count == 0 ? XML_TRUE : XML_FALSE);
      if (error_) std::rethrow_exception(error_);
      if (done_) return document_;
      if (status != XML_STATUS_OK) return damaged();
      if (count == 0) {
        if (!started_) fail("no <chunks>: the file is not a RenderDoc capture in XML");
        return document_;
      }
      const auto handled = static_cast<std::uint64_t>(
          std::max<XML_Index>(0, XML_GetCurrentByteIndex(parser_.get())));
      if (source_.offset() > handled && source_.offset() - handled > kLongestToken) {
        fail(fmt::format("a tag or text longer than {} MiB", kLongestToken >> 20));
      }
    }
  }

 private:
  struct Element {
    std::string name;   // of the field
    std::string label;  // an enum's name
    std::string bytes;  // a buffer's length
  };

  [[noreturn]] void fail(std::string_view what) const {
    throw base::InputError(fmt::format("{}: line {}: {}", source_.name(),
                                       XML_GetCurrentLineNumber(parser_.get()), what));
  }

  // Exceptions must not pass through expat's C frames.
  template <typename Work>
  void guarded(Work work) {
    if (error_ || done_) return;
    try {
      work(*this);
    } catch (...) {
      error_ = std::current_exception();
      XML_StopParser(parser_.get(), XML_FALSE);
    }
  }

  Document damaged() {
    const XML_Error code = XML_GetErrorCode(parser_.get());
    const std::string what =
        fmt::format("line {}: {}", XML_GetCurrentLineNumber(parser_.get()), XML_ErrorString(code));
    if (chunks_ == 0) fail(XML_ErrorString(code));
    document_.truncated = true;
    document_.damage = what;
    return document_;
  }

  void begin(std::string_view tag, const XML_Char** attributes) {
    if (++depth_ > kDeepest) fail(fmt::format("elements nested deeper than {}", kDeepest));
    text_.clear();
    if (depth_ == 1 && tag != "rdc") fail(fmt::format("<{}> where <rdc> was expected", tag));
    if (depth_ == 2 && tag == "chunks") begin_chunks(attributes);
    if (started_ && depth_ == 3) return begin_chunk(tag, attributes);
    if (depth_ < 4 || !in_chunk_ || !wanted_) return;
    const std::string_view name = attribute(attributes, "name");
    if (tag == "struct") {
      call_.tree.open(Kind::record, name);
    } else if (tag == "array") {
      call_.tree.open(Kind::list, name);
    } else {
      leaf_.name = name;
      leaf_.label = attribute(attributes, "string");
      leaf_.bytes = attribute(attributes, "byteLength");
    }
  }

  void begin_chunks(const XML_Char** attributes) {
    document_.version = attribute(attributes, "version");
    started_ = true;
    if (visitor_.start) visitor_.start(document_);
  }

  void begin_chunk(std::string_view tag, const XML_Char** attributes) {
    in_chunk_ = tag == "chunk";
    if (!in_chunk_) return;
    call_.name = attribute(attributes, "name");
    call_.tree.clear();
    wanted_ = !visitor_.wants || visitor_.wants(call_.name);
  }

  void characters(std::string_view text) {
    if (text_.size() + text.size() <= kLongestText) text_ += text;
  }

  void end(std::string_view tag) {
    if (depth_ == 3 && tag == "driver" && !started_) document_.driver = text_;
    if (depth_ == 3 && in_chunk_) {
      in_chunk_ = false;
      ++chunks_;
      if (!visitor_.visit(call_)) {
        done_ = true;
        XML_StopParser(parser_.get(), XML_FALSE);
      }
    } else if (depth_ > 3 && in_chunk_ && wanted_) {
      end_value(tag);
    }
    text_.clear();
    --depth_;
  }

  void end_value(std::string_view tag) {
    Tree& tree = call_.tree;
    if (tag == "struct" || tag == "array") return tree.close();
    if (tag == "string") return tree.add_text(leaf_.name, text_);
    if (tag == "float") return tree.add_real(leaf_.name, parse_real(text_));
    if (tag == "null") return tree.add_null(leaf_.name);
    if (tag == "bool") return tree.add_number(leaf_.name, text_ == "true" ? 1 : 0);
    if (tag == "buffer") {
      return tree.add_blob(leaf_.name, text_, parse_integer(leaf_.bytes).value_or(0));
    }
    const std::uint64_t number = parse_integer(text_).value_or(0);
    if (tag == "enum") return tree.add_named(leaf_.name, number, leaf_.label);
    tree.add_number(leaf_.name, number);
  }

  base::ByteSource& source_;
  const ChunkVisitor& visitor_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, ParserFree> parser_;
  Document document_;
  Call call_;
  Element leaf_;
  std::string text_;
  std::exception_ptr error_;
  std::size_t depth_ = 0;
  std::uint64_t chunks_ = 0;
  bool started_ = false;
  bool in_chunk_ = false;
  bool wanted_ = false;
  bool done_ = false;
};

}  // namespace

Document read_chunks(base::ByteSource& source, const ChunkVisitor& visitor) {
  return Reader(source, visitor).read();
}

bool looks_like_chunks(std::string_view head) {
  const std::size_t at = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (at == std::string_view::npos) return false;
  head.remove_prefix(at);
  return (head.starts_with("<?xml") || head.starts_with("<rdc")) &&
         head.substr(0, 4096).find("<rdc") != std::string_view::npos;
}

}  // namespace tilebound::apicap::renderdoc
