// makzero baseline: fixed positions with what deep searches say of them, by which trainings measure networks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <memory>

#include "models/file_io.h"
#include "models/zoo.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "train/rating/baseline_maker.h"
#include "train/run/progress_line.h"

namespace makzero::play {
namespace {

struct BaselineCommand {
  std::string game, player = "small?nodes=500";
  std::filesystem::path file;
  std::vector<std::string> judges = {"small?nodes=100000", "zoo?nodes=400"};
  train::BaselineRequest request;
};

int run_baseline(BaselineCommand command) {
  const game::GamePtr game = game_or_usage_error(command.game);
  const std::string& ruleset = game->info().ruleset;
  train::BaselineRequest& request = command.request;
  const models::PlayerPlaces places{.ruleset = ruleset, .device = request.match.backend.device};
  request.player = limited_player_or_usage_error("--player", command.player, places);
  for (const std::string& judge : command.judges)
    request.judges.push_back(limited_player_or_usage_error("--judges", judge, places));
  const std::filesystem::path file =
      command.file.empty() ? models::Zoo::standard().entry(ruleset).baseline() : command.file;
  models::require_place(file);
  request.match.stop = stop_on_interrupt("\nstopping: nothing is written\n");
  train::ProgressLine line;
  const auto baseline =
      train::make_baseline(*game, request, [&](const train::Progress& now) { line.show(now); });
  line.clear();
  if (!baseline) return 1;
  models::write_text_file(file, train::baseline_text(*game, *baseline));
  std::cout << fmt::format("{} positions, judged by {} and written to {}\n", baseline->positions.size(),
                           fmt::join(baseline->judges, " and "), file.string());
  return 0;
}

}  // namespace

Run add_baseline(CLI::App* app) {
  auto command = std::make_shared<BaselineCommand>();
  train::BaselineRequest& request = command->request;
  app->add_option("GAME", command->game, "Game, with options if wanted")->required()->type_name("");
  add_number(app, "--positions", &request.positions, "How many (2000)", 1, 1'000'000);
  app->add_option("--player", command->player, "Whose games against itself they are from (small?nodes=500)")
      ->type_name("PLAYER");
  app->add_option("--judges", command->judges, "Searches that judge them (small?nodes=100000,zoo?nodes=400)")
      ->type_name("LIST")
      ->delimiter(',');
  app->add_option("--to", command->file, "File (baseline.tsv of the game in the zoo)")->type_name("FILE");
  add_seed(app, &request.match.seed, "Of openings and positions (1)");
  add_threads(app, &request.match.threads, "Games and searches are spread over them (one per core)");
  add_backend(app, &request.match.backend);
  app->footer(
      "Every training of the game that finds the file in the zoo measures its networks by it: how often\n"
      "their policy ranks the judges' moves first, its loss, and how far their values are apart.\n\n"
      "Examples:\n"
      "  makzero baseline makruk\n"
      "  makzero baseline makyek:custodian=line --judges small?nodes=200000 --to line.tsv");
  return [command] { return run_baseline(*command); };
}

}  // namespace makzero::play
