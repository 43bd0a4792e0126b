#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "cli/verb.h"

namespace {

using namespace tilebound;

/// Every verb, in the order in which --help lists them.
constexpr cli::AddVerb kVerbs[] = {
    cli::add_info,  cli::add_analyze, cli::add_frames, cli::add_compare, cli::add_lint,
    cli::add_align, cli::add_census,  cli::add_rules,  cli::add_devices, cli::add_counters,
};

constexpr int kUnusable = 2;

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Tilebound: where a mobile GPU's frame time goes, what limits it, and what each fix is "
      "worth."};
  app.name("tilebound");
  app.set_version_flag("--version", "tilebound " TILEBOUND_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  cli::Action action;
  for (const cli::AddVerb add : kVerbs) add(app, action);
  try {
    // CLI11 takes arguments last first.
    std::vector<std::string> arguments;
    for (int i = argc - 1; i > 0; --i) {
      const std::string_view argument = argv[i];
      arguments.emplace_back(argument == "--" ? cli::kListMark : argument);
    }
    app.parse(std::move(arguments));
    return action();
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : kUnusable;
  } catch (const std::exception& e) {
    // Messages name files and counters, which an attacker may have named.
    fmt::print(stderr, "tilebound: {}\n", base::printable(e.what()));
    return kUnusable;
  }
}
