// makzero levels: measures ten strengths of a network and writes them into its model.
#include <filesystem>
#include <iostream>
#include <memory>

#include "game/catalog.h"
#include "models/error.h"
#include "models/model.h"
#include "models/player/player_spec.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "train/rating/levels.h"
#include "train/run/progress_line.h"

namespace makzero::play {
namespace {

// Positions or simulations a move of the highest level, where nobody says how many.
int usual_nodes(const models::PlayerSpec& player) { return player.by_alpha_beta() ? 4096 : 256; }

struct LevelsRequest {
  std::string network;  // A model or a run.
  bool small = false;
  train::LevelOptions options;
};

int run_levels(const LevelsRequest& request) {
  const std::filesystem::path file = models::find_checkpoint(request.network);
  const models::Manifest manifest = models::read_manifest(file);
  const std::string& ruleset = manifest.ruleset();
  const game::GamePtr game = models::value_or_error(file, game::make_game(ruleset));
  const bool small = request.small || models::tower_id_of(manifest).empty();
  const models::PlayerSpec player =
      small ? models::small_player(file, ruleset, {}) : models::tower_player({file}, {});
  train::LevelOptions options = request.options;
  if (options.nodes == 0) options.nodes = usual_nodes(player);
  if (options.records.empty()) {
    const bool is_run = std::filesystem::is_directory(request.network);
    options.records = request.network;
    options.records += is_run ? "/levels" : ".levels";
  }
  train::ProgressLine line;
  options.match.stop = stop_on_interrupt("\nstopping: finished games are kept, the same command goes on\n");
  const auto levels =
      train::measure_levels(*game, player, options, [&](const train::Progress& now) { line.show(now); });
  line.clear();
  if (!levels) return 1;
  train::write_levels(player, *levels, options.nodes);
  std::cout << train::levels_table(*levels, options.nodes) << "written into " << file.string() << "\n";
  return 0;
}

}  // namespace

Run add_levels(CLI::App* app) {
  auto request = std::make_shared<LevelsRequest>();
  train::LevelOptions& options = request->options;
  app->add_option("NETWORK", request->network, "A model, or a run's folder: its best")
      ->required()
      ->type_name("")
      ->check(wanted("a model or the folder of a run that is there",
                     [](const std::string& path) { return std::filesystem::exists(path); }));
  app->add_flag("--small", request->small, "Of the small network; without a tower in the model always");
  add_number(app, "--nodes,--simulations", &options.nodes,
             "Per move of level 10 (256 simulations of a tower, 4096 positions else)", 1, 1'000'000);
  add_number(app, "--games", &options.match.games, "Of each level against the one below (200)", 20, 100'000);
  app->add_option("--records", options.records, "Folder of the matches (RUN/levels or MODEL.levels)")
      ->type_name("DIR");
  add_seed(app, &options.match.seed, "Of openings and players (1)");
  add_threads(app, &options.match.threads, "Games are spread over them (one per core)");
  add_backend(app, &options.match.backend);
  app->footer(
      "Level 1 draws its moves almost at random, level 10 plays the best it finds. Each scores 58 to\n"
      "82 % against the one below: by the rules; by material, partly or alone, where more than\n"
      "40 % are drawn; by pairs of games, sides exchanged, where a side is better whoever plays it.\n"
      "`random` is Elo 0. Ctrl-C keeps what is finished, the same command goes on. Then level N plays as\n"
      "NETWORK:level=N, of a model that holds both with ?network=tower or ?network=small behind it.\n\n"
      "Examples:\n"
      "  makzero levels runs/makyek\n"
      "  makzero match makyek --a runs/makyek:level=4 --b runs/makyek:level=3");
  return [request] { return run_levels(*request); };
}

}  // namespace makzero::play
