#include "cli/blobs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <vector>
#include <zip.h>

#include "base/error.h"

namespace tilebound::cli {

namespace {

/// Of one read; and of what is unpacked on the way to it, so that a zip bomb costs time for no
/// more.
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostSkipped = std::uint64_t{1} << 30;

using Archive = std::unique_ptr<zip_t, decltype(&zip_discard)>;
using Entry = std::unique_ptr<zip_file_t, decltype(&zip_fclose)>;

/// RenderDoc names entries by six digits and more: 000012.
std::string entry_name(std::string_view number) {
  std::string name(number);
  if (name.size() < 6) name.insert(0, 6 - name.size(), '0');
  return name;
}

std::optional<std::string> read_entry(zip_t* archive, std::string_view blob, std::uint64_t offset,
                                      std::uint64_t size) {
  if (size > kMostBytes || offset > kMostSkipped) return std::nullopt;
  const Entry entry(zip_fopen(archive, entry_name(blob).c_str(), 0), &zip_fclose);
  if (!entry) return std::nullopt;
  std::string out;
  std::vector<char> buffer(std::size_t{64} << 10);
  std::uint64_t at = 0;
  while (out.size() < size) {
    const zip_int64_t got = zip_fread(entry.get(), buffer.data(), buffer.size());
    if (got < 0) return std::nullopt;  // damaged
    if (got == 0) break;
    const auto end = at + static_cast<std::uint64_t>(got);
    if (end > offset) {
      const std::size_t skip = offset > at ? static_cast<std::size_t>(offset - at) : 0;
      const std::size_t take =
          std::min<std::size_t>(static_cast<std::size_t>(got) - skip, size - out.size());
      out.append(buffer.data() + skip, take);
    }
    at = end;
  }
  return out;
}

}  // namespace

apicap::BlobReader zip_blobs(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) return {};
  int error = 0;
  const std::shared_ptr<zip_t> archive(zip_open(path.c_str(), ZIP_RDONLY, &error), [](zip_t* open) {
    if (open != nullptr) zip_discard(open);
  });
  if (!archive) {
    zip_error_t reason;
    zip_error_init_with_code(&reason, error);
    const std::string message = zip_error_strerror(&reason);
    zip_error_fini(&reason);
    throw base::InputError(fmt::format("{}: {}", path, message));
  }
  return [archive](std::string_view blob, std::uint64_t offset, std::uint64_t size) {
    return read_entry(archive.get(), blob, offset, size);
  };
}

apicap::BlobReader folder_blobs(const std::string& folder) {
  return [folder](std::string_view blob, std::uint64_t offset,
                  std::uint64_t size) -> std::optional<std::string> {
    // A capture may name any file; only those beside it are its own.
    if (blob.find('/') != std::string_view::npos || blob.starts_with('.') || size > kMostBytes) {
      return std::nullopt;
    }
    std::ifstream file(std::filesystem::path(folder) / blob, std::ios::binary);
    if (!file.seekg(static_cast<std::streamoff>(offset))) return std::nullopt;
    std::string out(size, '\0');
    file.read(out.data(), static_cast<std::streamsize>(size));
    out.resize(static_cast<std::size_t>(file.gcount()));
    return out;
  };
}

}  // namespace tilebound::cli
