// makzero levels: measures ten strengths of a network and writes them into its checkpoint.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "models/player/player_spec.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "train/rating/levels.h"
#include "train/run/progress_line.h"

namespace makzero::play {
namespace {

struct LevelsRequest {
  std::filesystem::path network;  // A checkpoint or a run.
  train::LevelOptions options;
};

std::string progress_text(const train::LevelProgress& progress) {
  return fmt::format("match {}: {} v {}, {} of {} games", progress.matches, progress.a, progress.b,
                     progress.match.score.games, progress.match.games);
}

int run_levels(const LevelsRequest& request) {
  const std::filesystem::path checkpoint = models::find_checkpoint(request.network);
  train::LevelOptions options = request.options;
  if (options.records.empty()) {
    const bool is_run = std::filesystem::is_directory(request.network);
    options.records = request.network;
    options.records += is_run ? "/levels" : ".levels";
  }
  train::ProgressLine line;
  options.stop = stop_on_interrupt("\nstopping: finished games are kept, the same command goes on\n");
  const auto levels = train::measure_levels(
      checkpoint, options, [&](const train::LevelProgress& progress) { line.show(progress_text(progress)); });
  line.clear();
  if (!levels) return 0;
  train::write_levels(checkpoint, *levels, options.simulations);
  std::cout << train::levels_table(*levels, options.simulations) << "written into " << checkpoint.string()
            << "\n";
  return 0;
}

}  // namespace

Run add_levels(CLI::App* app) {
  auto request = std::make_shared<LevelsRequest>();
  train::LevelOptions& options = request->options;
  app->add_option("NETWORK", request->network, "A checkpoint, or a run's folder: its latest")
      ->required()
      ->type_name("")
      ->check(wanted("a checkpoint or the folder of a run that is there",
                     [](const std::string& path) { return std::filesystem::exists(path); }));
  add_number(app, "--simulations", &options.simulations, "Per move of level 10 (256)", 1, 1'000'000);
  add_number(app, "--games", &options.games, "Of each level against the one below (200)", 20, 100'000);
  app->add_option("--records", options.records, "Folder of the matches (RUN/levels or CHECKPOINT.levels)")
      ->type_name("DIR");
  add_seed(app, &options.seed, "Of openings and players (1)");
  add_threads(app, &options.threads, "Games are spread over them (one per core)");
  add_backend(app, &options.backend);
  app->footer(
      "Level 1 draws its moves almost at random, level 10 plays the best it finds. Each scores 58 to\n"
      "82 % against the one below: by the rules; by material where more than half of the games are\n"
      "drawn; by pairs of games, sides exchanged, where one side is better whoever plays it. `random`\n"
      "is Elo 0. Ctrl-C keeps what is finished, the same command goes on. Then level N plays as\n"
      "NETWORK:level=N.\n\n"
      "Examples:\n"
      "  makzero levels runs/makyek\n"
      "  makzero match makyek --a runs/makyek:level=4 --b runs/makyek:level=3");
  return [request] { return run_levels(*request); };
}

}  // namespace makzero::play
