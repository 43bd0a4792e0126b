#include "cli/files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/error.h"

namespace tilebound::cli {

namespace {

constexpr std::size_t kLargestTextFile = std::size_t{16} << 20;
constexpr std::size_t kWriteBytes = std::size_t{1} << 20;

/// A file descriptor that closes itself.
struct Descriptor {
  int fd;
  explicit Descriptor(int opened) : fd(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd > STDERR_FILENO) ::close(fd);
  }
};

[[noreturn]] void fail(std::string_view path, std::string_view doing) {
  throw base::InputError(fmt::format("{}: {}: {}", path, doing, std::strerror(errno)));
}

std::size_t read_some(int fd, const std::string& path, std::span<std::byte> out) {
  for (;;) {
    const ssize_t got = ::read(fd, out.data(), out.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail(path, "cannot read");
  }
}

void write_all(int fd, std::string_view path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail(path, "cannot write");
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

base::ByteSource open_input(const std::string& path, const std::string& name) {
  if (path == "-") {
    return base::ByteSource("standard input", [](std::span<std::byte> out) {
      return read_some(STDIN_FILENO, "standard input", out);
    });
  }
  auto file = std::make_shared<Descriptor>(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file->fd < 0) fail(path, "cannot open");
  struct stat status {};
  if (::fstat(file->fd, &status) != 0) fail(path, "cannot read");
  if (S_ISDIR(status.st_mode)) throw base::InputError(path + ": is a folder, not a capture");
  std::optional<std::uint64_t> size;
  if (S_ISREG(status.st_mode)) {
    size = static_cast<std::uint64_t>(status.st_size);
    ::posix_fadvise(file->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  return base::ByteSource(
      name, [file, name](std::span<std::byte> out) { return read_some(file->fd, name, out); },
      size);
}

base::ByteSource open_input(const std::string& path) {
  return open_input(path, path);
}

std::string read_text_file(const std::string& path) {
  base::ByteSource source = open_input(path);
  const std::string_view bytes = source.peek(kLargestTextFile + 1);
  if (bytes.size() > kLargestTextFile) {
    throw base::InputError(fmt::format("{}: larger than {} MiB", path, kLargestTextFile >> 20));
  }
  return std::string(bytes);
}

void refuse_to_replace(const std::string& input, const std::string& output) {
  std::error_code missing;
  if (!input.empty() && !output.empty() && std::filesystem::equivalent(input, output, missing)) {
    throw base::UsageError(fmt::format("-o {}: would replace the input", output));
  }
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_.empty() || path_ == "-") {
    path_ = "standard output";
    fd_ = STDOUT_FILENO;
    return;
  }
  // A device or pipe cannot be replaced by renaming, so it is written as it is.
  std::error_code ignored;
  const auto status = std::filesystem::status(path_, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    temporary_ = path_ + ".XXXXXX";
    fd_ = ::mkstemp(temporary_.data());
    if (fd_ < 0) temporary_.clear();
  }
  if (fd_ < 0) fail(path_, "cannot write");
}

OutputFile::~OutputFile() {
  if (fd_ > STDERR_FILENO) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kWriteBytes) flush();
  if (bytes.size() > kWriteBytes) {
    write_all(fd_, path_, bytes);
  } else {
    buffer_ += bytes;
  }
}

void OutputFile::flush() {
  write_all(fd_, path_, buffer_);
  buffer_.clear();
}

void OutputFile::commit() {
  flush();
  if (temporary_.empty()) return;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(fd_, 0666 & ~mask) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0) {
    fail(path_, "cannot write");
  }
  temporary_.clear();
}

void write_output(const std::string& path, std::string_view text) {
  OutputFile out(path);
  out.write(text);
  out.commit();
}

}  // namespace tilebound::cli
