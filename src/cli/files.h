#pragma once

#include <string>
#include <string_view>

#include "base/byte_source.h"

namespace tilebound::cli {

/// Opens a file for reading, "-" is standard input. Throws base::InputError with the reason.
base::ByteSource open_input(const std::string& path);

/// A whole small file (a profile, a list of expressions), at most 16 MiB.
std::string read_text_file(const std::string& path);

/// Throws base::UsageError when writing `output` would replace the file `input`.
void refuse_to_replace(const std::string& input, const std::string& output);

/// Writes `text` to standard output, or to `path` where one is given: to a temporary file beside
/// it first, so that a failure leaves no half-written file and keeps an older one.
void write_output(const std::string& path, std::string_view text);

}  // namespace tilebound::cli
