// makzero fsck: checks every file of a run, and with --repair sets damaged pieces aside.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "play/commands/command.h"
#include "train/hub/audit.h"
#include "train/hub/redis_hub.h"
#include "train/run/fsck.h"
#include "train/run/start_training.h"

namespace makzero::play {
namespace {

int audit(const std::string& run, const std::string& url, const std::vector<std::string>& spools) {
  train::RedisHub hub(value_or_usage_error(train::parse_hub_address(url)), train::hub_name(run));
  const train::AuditReport report = train::audit_run(run, &hub, {spools.begin(), spools.end()});
  std::cout << report.text();
  return report.is_sound() ? 0 : 1;
}

}  // namespace

Run add_fsck(CLI::App* app) {
  struct Options {
    std::string run, hub;
    std::vector<std::string> spools;
    bool repair = false;
  };
  auto options = std::make_shared<Options>();
  app->add_option("RUN", options->run, "The run's folder")->required()->type_name("");
  CLI::Option* repair = app->add_flag("--repair", options->repair,
                                      "Keep damaged files as NAME.damaged, put what is good in their place");
  CLI::Option* hub =
      app->add_option("--hub", options->hub, "Compare the shards with this hub instead: games lost or twice")
          ->type_name("URL")
          ->excludes(repair);
  app->add_option("--spool", options->spools, "With --hub: and with this folder of a worker's spool")
      ->type_name("DIR")
      ->needs(hub);
  app->footer(
      "Exit status 0 when nothing is damaged (any more), else 1.\n\n"
      "Examples:\n"
      "  makzero fsck runs/makyek\n"
      "  makzero fsck runs/makyek --repair\n"
      "  makzero fsck runs/makyek --hub redis://localhost");
  return [options] {
    if (!options->hub.empty()) return audit(options->run, options->hub, options->spools);
    const train::FsckReport report = train::fsck_run(options->run, options->repair);
    std::cout << report.text();
    return report.whole() ? 0 : 1;
  };
}

}  // namespace makzero::play
