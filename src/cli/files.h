#pragma once

#include <string>
#include <string_view>

#include "base/byte_source.h"

namespace tilebound::cli {

/// Opens a file for reading, "-" is standard input. Throws base::InputError with the reason.
base::ByteSource open_input(const std::string& path);
/// As above; `name` is what messages call it.
base::ByteSource open_input(const std::string& path, const std::string& name);

/// A whole small file (a profile, a list of expressions), at most 16 MiB.
std::string read_text_file(const std::string& path);

/// Throws base::UsageError when writing `output` would replace the file `input`.
void refuse_to_replace(const std::string& input, const std::string& output);

/// A file that is written piece by piece and appears when it is complete; an older one stays until
/// then. Standard output for an empty path or "-"; it, devices and pipes are written as they are.
class OutputFile {
 public:
  /// Throws base::InputError with the reason, as the other members do.
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Removes what was not committed.
  ~OutputFile();

  void write(std::string_view bytes);
  /// Call once, after the last write.
  void commit();

 private:
  void flush();

  std::string path_;
  std::string temporary_;  // empty where the path itself is written
  int fd_ = -1;
  std::string buffer_;
};

/// Writes `text` to standard output, or to `path` where one is given: to a temporary file beside
/// it first, so that a failure leaves no half-written file and keeps an older one.
void write_output(const std::string& path, std::string_view text);

}  // namespace tilebound::cli
