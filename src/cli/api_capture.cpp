#include "cli/api_capture.h"

#include <fmt/format.h>

#include "apicap/capture.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/blobs.h"
#include "cli/converter.h"
#include "cli/files.h"

namespace tilebound::cli {

namespace {

constexpr std::string_view kRenderDocMagic = "RDOC";
constexpr std::string_view kGfxrMagic = "GFXR";
constexpr std::string_view kZipXml = ".zip.xml";
/// Where a .rdc names the version of RenderDoc that wrote it.
constexpr std::size_t kVersionAt = 16;
constexpr std::size_t kVersionSize = 16;

std::string version_of(std::string_view head) {
  const std::string_view text = head.substr(std::min(head.size(), kVersionAt), kVersionSize);
  return base::printable(text.substr(0, text.find('\0')));
}

[[noreturn]] void fail(const std::string& path, const std::string& program, const char* option,
                       const Outcome& outcome, const std::string& hint) {
  if (!outcome.found) {
    throw base::InputError(
        fmt::format("{}: needs {} to convert it: {}; install it or name it with "
                    "{}",
                    path, program, outcome.said, option));
  }
  const std::string said = base::printable(base::trim(outcome.said));
  throw base::InputError(fmt::format(
      "{}: {} {}: {}{}", path, program,
      outcome.timed_out ? "took too long" : fmt::format("failed with {}", outcome.exit_code),
      said.empty() ? "it said nothing" : said, hint));
}

/// `name` is what messages call the file.
model::ApiFrame read_text(const std::string& path, const std::string& name,
                          const ApiCaptureOptions& options, apicap::BlobReader blobs) {
  base::ByteSource source = open_input(path, name);
  apicap::ReadOptions wanted;
  wanted.frame = options.frame;
  wanted.blobs = std::move(blobs);
  return apicap::read_api_capture(source, wanted);
}

model::ApiFrame read_rdc(const std::string& path, std::string_view head,
                         const ApiCaptureOptions& options) {
  const TemporaryFolder folder;
  const std::string text = folder.path() / "capture.zip.xml";
  const Outcome outcome =
      run_program(options.renderdoccmd, {"convert", "-f", path, "-o", text, "-c", "zip.xml"});
  if (!outcome.found || outcome.timed_out || outcome.exit_code != 0) {
    fail(
        path, options.renderdoccmd, "--renderdoccmd", outcome,
        fmt::format("; RenderDoc {} wrote the capture, and an older version cannot always read it: "
                    "convert it with that one",
                    version_of(head)));
  }
  return read_text(text, path, options, zip_blobs(folder.path() / "capture.zip"));
}

model::ApiFrame read_gfxr(const std::string& path, const ApiCaptureOptions& options) {
  const TemporaryFolder folder;
  const std::string text = folder.path() / "capture.jsonl";
  std::vector<std::string> arguments = {"--output", text};
  // Later versions write other forms as well, and only on demand the one of a line a call.
  const Outcome help = run_program(options.gfxrecon_convert, {"--help"});
  if (help.said.find("--format") != std::string::npos) {
    arguments.insert(arguments.end(), {"--format", "jsonl"});
  }
  if (help.said.find("--include-binaries") != std::string::npos) {
    arguments.emplace_back("--include-binaries");
  }
  arguments.push_back(path);
  const Outcome outcome = help.found ? run_program(options.gfxrecon_convert, arguments) : help;
  if (!outcome.found || outcome.timed_out || outcome.exit_code != 0) {
    fail(path, options.gfxrecon_convert, "--gfxrecon-convert", outcome,
         "; a newer GFXReconstruct may read it");
  }
  return read_text(text, path, options, folder_blobs(folder.path()));
}

}  // namespace

void add_api_capture_options(CLI::App& verb, ApiCaptureOptions& options, const std::string& name) {
  verb.add_option(name, options.file,
                  "API capture: RenderDoc .rdc, .xml or .zip.xml, GFXReconstruct .gfxr or .jsonl; "
                  "- is standard input")
      ->required(!name.starts_with("-"));
  verb.add_option("--frame", options.frame, "which frame of the capture, from 1")
      ->check(CLI::PositiveNumber);
  verb.add_option("--renderdoccmd", options.renderdoccmd, "program that converts .rdc")
      ->capture_default_str();
  verb.add_option("--gfxrecon-convert", options.gfxrecon_convert, "program that converts .gfxr")
      ->capture_default_str();
}

model::ApiFrame load_api_capture(const std::string& path, const ApiCaptureOptions& options) {
  if (path != "-") {
    base::ByteSource source = open_input(path);
    const std::string head(source.peek(kVersionAt + kVersionSize));
    if (head.starts_with(kRenderDocMagic)) return read_rdc(path, head, options);
    if (head.starts_with(kGfxrMagic)) return read_gfxr(path, options);
  }
  if (path.ends_with(kZipXml)) {
    return read_text(path, path, options, zip_blobs(path.substr(0, path.size() - 4)));
  }
  const std::size_t slash = path.rfind('/');
  return read_text(path, path, options,
                   folder_blobs(slash == std::string::npos ? "." : path.substr(0, slash)));
}

}  // namespace tilebound::cli
