// makzero inspect: what a file of ours says of itself.
#include <iostream>
#include <memory>

#include "play/commands/command.h"
#include "play/engine/load_network.h"
#include "train/run/inspect.h"
#include "train/run/inspect_records.h"
#include "train/run_folder.h"

namespace makzero::play {

Run add_inspect(CLI::App* app) {
  auto file = std::make_shared<std::string>();
  app->add_option("FILE", *file, "A file of a run; a run: its network and leaf log; a game: the zoo's")
      ->required()
      ->type_name("");
  app->footer(
      "Every byte is verified on the way.\n\n"
      "Examples:\n"
      "  makzero inspect runs/makyek/checkpoints/000012.mzc\n"
      "  makzero inspect runs/makyek/matches.mzm");
  return [file] {
    std::cout << train::inspect_file(find_checkpoint(*file))
              << train::inspect_leaf_log(train::RunPaths(*file).leaves());
    return 0;
  };
}

}  // namespace makzero::play
