// makzero fsck: checks every file of a run, and with --repair sets damaged pieces aside.
#include <iostream>
#include <memory>

#include "play/commands/command.h"
#include "train/fsck.h"

namespace makzero::play {

Run add_fsck(CLI::App* app) {
  struct Options {
    std::string run;
    bool repair = false;
  };
  auto options = std::make_shared<Options>();
  app->add_option("RUN", options->run, "The run's folder")->required()->type_name("");
  app->add_flag("--repair", options->repair,
                "Keep damaged files as NAME.damaged, put what is good in their place");
  app->footer(
      "Exit status 0 when nothing is damaged (any more), else 1.\n\n"
      "Examples:\n"
      "  makzero fsck runs/makyek\n"
      "  makzero fsck runs/makyek --repair");
  return [options] {
    const train::FsckReport report = train::fsck_run(options->run, options->repair);
    std::cout << report.text();
    return report.whole() ? 0 : 1;
  };
}

}  // namespace makzero::play
