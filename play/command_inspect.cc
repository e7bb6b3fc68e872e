// makzero inspect: what a file of ours says of itself.
#include <iostream>
#include <memory>

#include "play/command.h"
#include "train/inspect.h"

namespace makzero::play {

Run add_inspect(CLI::App* app) {
  auto file = std::make_shared<std::string>();
  app->add_option("FILE", *file, "Any file of a run: checkpoint, games, matches, metrics ...")
      ->required()
      ->type_name("");
  app->footer(
      "Every byte is verified on the way.\n\n"
      "Examples:\n"
      "  makzero inspect runs/makyek/checkpoints/000012.mzc\n"
      "  makzero inspect runs/makyek/matches.mzm");
  return [file] {
    std::cout << train::inspect_file(*file);
    return 0;
  };
}

}  // namespace makzero::play
