#include "ingest/perfetto/inflate.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <zlib.h>
#include <zstd.h>

namespace tilebound::ingest::perfetto {

namespace {

/// Fills `out` with expanded bytes; 0 at the end and at damage, which it tells in `error`.
struct Deflate {
  z_stream stream{};
  bool ended = false;

  explicit Deflate(std::string_view compressed) {
    stream.next_in =
        const_cast<Bytef*>(reinterpret_cast<const Bytef*>(compressed.data()));  // zlib 1 API
    stream.avail_in = static_cast<uInt>(compressed.size());  // a packet is below 4 GiB
    constexpr int kLargestWindowEitherHeader = 15 + 32;
    ended = inflateInit2(&stream, kLargestWindowEitherHeader) != Z_OK;
  }
  Deflate(const Deflate&) = delete;
  Deflate& operator=(const Deflate&) = delete;
  ~Deflate() { inflateEnd(&stream); }

  std::size_t fill(std::span<std::byte> out, std::string& error) {
    if (ended) return 0;
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out =
        static_cast<uInt>(std::min<std::size_t>(out.size(), std::numeric_limits<uInt>::max()));
    const uInt wanted = stream.avail_out;
    const int result = ::inflate(&stream, Z_NO_FLUSH);
    if (result != Z_OK) ended = true;
    if (result == Z_BUF_ERROR) {
      error = "compressed data ends early";
    } else if (result != Z_OK && result != Z_STREAM_END) {
      error = stream.msg != nullptr ? stream.msg : "damaged compressed data";
    }
    return wanted - stream.avail_out;
  }
};

struct Zstd {
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream{ZSTD_createDStream(),
                                                                       ZSTD_freeDStream};
  ZSTD_inBuffer in;
  std::size_t hint = 1;  // 0 at the end of a frame
  bool ended = false;

  explicit Zstd(std::string_view compressed) : in{compressed.data(), compressed.size(), 0} {}

  std::size_t fill(std::span<std::byte> bytes, std::string& error) {
    ZSTD_outBuffer out{bytes.data(), bytes.size(), 0};
    while (out.pos == 0 && !ended) {
      if (in.pos == in.size && hint == 0) {
        ended = true;
        break;
      }
      const std::size_t before = in.pos;
      hint = ZSTD_decompressStream(stream.get(), &out, &in);
      if (ZSTD_isError(hint) != 0) {
        error = ZSTD_getErrorName(hint);
        ended = true;
      } else if (out.pos == 0 && hint != 0 && (in.pos == in.size || in.pos == before)) {
        error = "compressed data ends early";
        ended = true;
      }
    }
    return out.pos;
  }
};

template <typename Decoder>
base::ByteSource expanding(std::shared_ptr<Decoder> decoder, std::uint64_t limit,
                           Expansion& expansion) {
  return base::ByteSource(
      "expanded packets", [decoder, limit, &expansion](std::span<std::byte> out) {
        const std::uint64_t room = limit - expansion.bytes;
        if (room == 0) {
          std::byte more{};
          expansion.limit_reached = decoder->fill({&more, 1}, expansion.error) > 0;
          decoder->ended = true;
          return std::size_t{0};
        }
        const std::size_t got = decoder->fill(
            out.first(static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), room))),
            expansion.error);
        expansion.bytes += got;
        return got;
      });
}

}  // namespace

base::ByteSource inflate(std::string_view compressed, Compression compression, std::uint64_t limit,
                         Expansion& expansion) {
  if (compression == Compression::zstd) {
    return expanding(std::make_shared<Zstd>(compressed), limit, expansion);
  }
  return expanding(std::make_shared<Deflate>(compressed), limit, expansion);
}

}  // namespace tilebound::ingest::perfetto
