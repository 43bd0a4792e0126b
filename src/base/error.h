#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tilebound::base {

/// Input that cannot be used. `what()` says what and where in the input's own terms, for example
/// "perfetto: byte 1024: packet runs past the end of the file". The program ends with exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A command line or an option that makes no sense. Exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tilebound::base
