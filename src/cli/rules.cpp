#include <memory>

#include "cli/capture_options.h"
#include "cli/files.h"
#include "cli/verb.h"
#include "report/lint_report.h"

namespace tilebound::cli {

void add_rules(CLI::App& app, Action& action) {
  auto output = std::make_shared<OutputOptions>();
  CLI::App* verb = app.add_subcommand("rules", "what lint looks for: why, fix and source");
  add_output_options(*verb, *output, {"text", "json", "markdown"});
  verb->callback([output, &action] {
    action = [output] {
      write_output(output->output, output->format == "json" ? report::rules_json()
                                   : output->format == "markdown"
                                       ? report::rules_markdown()
                                       : report::rules_text({text_width(*output)}));
      return 0;
    };
  });
}

}  // namespace tilebound::cli
