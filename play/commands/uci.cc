// makzero uci: the engine behind the UCI protocol.
#include <iostream>
#include <memory>

#include "play/commands/command.h"
#include "play/uci.h"

namespace makzero::play {

Run add_uci(CLI::App* app) {
  struct Options {
    std::string game = "makruk";
    std::string model;
  };
  auto options = std::make_shared<Options>();
  app->add_option("GAME", options->game, "What UCI_Variant starts with (makruk)")->type_name("");
  app->add_option("--model", options->model,
                  "What WeightsFile starts with: a checkpoint, a run or none (the zoo's)")
      ->type_name("FILE|RUN");
  app->footer(
      "Options: UCI_Variant (any ruleset of `makzero games`), WeightsFile, Device, Threads, Hash, Seed,\n"
      "MultiPV, Ponder, Move Overhead, UCI_ShowWDL; UCI_LimitStrength and UCI_Elo where the network's\n"
      "strength was measured. Hash (MiB) bounds the tree and the cache of evaluations; a full tree is\n"
      "answered. `go nodes N` counts simulations, `go mate N` looks for the shortest mate by alpha-beta.\n"
      "Also: d, go perft N, bench [NODES].\n\n"
      "Examples:\n"
      "  makzero uci makyek --model runs/makyek\n"
      "  printf 'position startpos\\ngo movetime 500\\n' | makzero uci");
  return [options] {
    game_or_usage_error(options->game);
    Uci(std::cin, std::cout, options->game, options->model).run();
    return 0;
  };
}

}  // namespace makzero::play
