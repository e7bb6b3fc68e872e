// makzero uci: the engine behind the UCI protocol.
#include <iostream>
#include <memory>

#include "play/commands/command.h"
#include "play/uci/uci.h"

namespace makzero::play {

Run add_uci(CLI::App* app) {
  auto setup = std::make_shared<UciSetup>();
  app->add_option("GAME", setup->ruleset, "What UCI_Variant starts with (makruk)")->type_name("");
  app->add_option("--model", setup->player,
                  "What WeightsFile starts with: a file, a run, small or none (the zoo's)")
      ->type_name("WHO");
  add_backend(app, &setup->backend);
  app->add_flag("--short-variants", setup->short_variants,
                "Name the games alone in UCI_Variant: uci2wb misreads long lines");
  app->footer(
      "Options: UCI_Variant (any ruleset of `makzero games`), WeightsFile, Device, Precision, Threads,\n"
      "Hash, Seed, MultiPV, Ponder, Move Overhead, UCI_ShowWDL, OwnBook, Endings (play by the installed\n"
      "ones), Clear Hash; Level, UCI_LimitStrength and UCI_Elo where the network's strength was measured.\n"
      "Where WeightsFile cannot be loaded, the answer is `bestmove 0000`.\n"
      "Contempt: centipawns that a draw costs the side to move (0).\n"
      "`small` is the zoo's small network, which alpha-beta searches: `go nodes N` counts positions then.\n"
      "Hash (MiB) bounds the tree and the cache of evaluations; a full tree is answered. `go nodes N`\n"
      "counts simulations, `go mate N` looks for the shortest mate by alpha-beta.\n"
      "Also: d, go perft N, bench [NODES].\n\n"
      "Examples:\n"
      "  makzero uci makyek --model runs/makyek\n"
      "  printf 'position startpos\\ngo movetime 500\\n' | makzero uci");
  return [setup] {
    game_or_usage_error(setup->ruleset);
    Uci(std::cin, std::cout, *setup).run();
    return 0;
  };
}

}  // namespace makzero::play
