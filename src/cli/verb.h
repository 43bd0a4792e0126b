#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>

namespace tilebound::cli {

/// What a verb does once its options are parsed; returns the exit code: 0 fine, 1 a finding or
/// threshold that was asked to fail the run. Throws base::UsageError or base::InputError for 2.
using Action = std::function<int()>;

/// One verb: a file of this folder, a line in main.cpp. Adds its subcommand to `app`; the
/// subcommand's callback sets `action`.
using AddVerb = void (*)(CLI::App& app, Action& action);

/// Stands for a "--" between two lists of files, which the parser would swallow. No file can have
/// this name.
inline constexpr std::string_view kListMark{"\0--", 3};

void add_info(CLI::App& app, Action& action);
void add_analyze(CLI::App& app, Action& action);
void add_frames(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_lint(CLI::App& app, Action& action);
void add_align(CLI::App& app, Action& action);
void add_census(CLI::App& app, Action& action);
void add_rules(CLI::App& app, Action& action);
void add_devices(CLI::App& app, Action& action);
void add_counters(CLI::App& app, Action& action);

}  // namespace tilebound::cli
