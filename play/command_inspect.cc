// makzero inspect: what a file of ours says of itself.
#include <iostream>
#include <memory>

#include "models/inspect.h"
#include "play/command.h"

namespace makzero::play {

Run add_inspect(CLI::App* app) {
  auto file = std::make_shared<std::string>();
  app->add_option("FILE", *file, "A checkpoint, learner state, shard of games or match records")
      ->required()
      ->type_name("");
  app->footer(
      "Every byte is verified on the way.\n\n"
      "Examples:\n"
      "  makzero inspect runs/makyek/checkpoints/000012.mzc\n"
      "  makzero inspect runs/makyek/matches.mzm");
  return [file] {
    std::cout << models::inspect_file(*file);
    return 0;
  };
}

}  // namespace makzero::play
