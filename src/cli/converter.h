#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// Other tools' programs, run to turn their captures into text.
namespace tilebound::cli {

/// A folder of our own below the system's for temporary files; gone with the object.
class TemporaryFolder {
 public:
  /// Throws base::InputError where none can be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct Outcome {
  bool found = true;  // the program could be started
  bool timed_out = false;
  int exit_code = 0;
  std::string said;  // standard output and error together, the first 16 KiB
};

/// Runs a program, looked for on PATH, with nothing on its standard input; ends it after five
/// minutes.
Outcome run_program(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace tilebound::cli
