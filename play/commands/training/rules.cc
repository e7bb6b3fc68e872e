// makzero rules: the rulesets of a game, compared by what a player makes of them.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "game/catalog.h"
#include "models/file_io.h"
#include "models/zoo.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "train/run/progress_line.h"
#include "train/zoo/readings.h"

namespace makzero::play {
namespace {

struct RulesCommand {
  std::string game, player;
  std::vector<std::string> rulesets;
  int sampled = 0;
  std::filesystem::path folder;
  bool json = false;
  train::ReadingsRequest request;
};

// GAME and what it is compared with: the rulesets that are named, else all.
std::vector<game::GamePtr> readings_of(const RulesCommand& command) {
  const game::GamePtr base = game_or_usage_error(command.game);
  if (command.rulesets.empty()) return train::readings_of(base, command.sampled, command.request.match.seed);
  if (command.sampled > 0) throw UsageError("--sampled: name no RULESET beside it");
  std::vector<game::GamePtr> readings = {base};
  for (const std::string& ruleset : command.rulesets) {
    const game::GamePtr reading = game_or_usage_error(ruleset);
    if (game::game_of(reading->info().ruleset) != game::game_of(base->info().ruleset))
      throw UsageError(fmt::format("RULESET: '{}' is of another game than {}", ruleset, command.game));
    readings.push_back(reading);
  }
  return readings;
}

int run_rules(const RulesCommand& command) {
  train::ReadingsRequest request = command.request;
  request.readings = readings_of(command);
  const std::string& ruleset = request.readings.front()->info().ruleset;
  const char* usual =
      models::Zoo::standard().find_small(ruleset) ? "small?nodes=1000" : "alphabeta?nodes=1000";
  request.player =
      limited_player_or_usage_error("--player", command.player.empty() ? usual : command.player,
                                    {.ruleset = ruleset, .device = request.match.backend.device});
  if (!command.folder.empty()) {
    models::make_folder(command.folder);
    models::require_place(command.folder / "rules.md");
  }
  request.match.stop = stop_on_interrupt("\nstopping: nothing is written\n");
  train::ProgressLine line;
  const auto report = train::compare_readings(request, [&](const train::Progress& now) { line.show(now); });
  line.clear();
  if (!report) return 1;
  const std::string page = train::readings_page(*report), json = train::readings_json(*report);
  std::cout << (command.json ? json : page);
  if (command.folder.empty()) return 0;
  models::write_text_file(command.folder / "rules.md", page);
  models::write_text_file(command.folder / "rules.json", json);
  std::cerr << "written to " << command.folder.string() << "/rules.md and rules.json\n";
  return 0;
}

}  // namespace

Run add_rules(CLI::App* app) {
  auto command = std::make_shared<RulesCommand>();
  train::ReadingsRequest& request = command->request;
  app->add_option("GAME", command->game, "Game, with options if wanted")->required()->type_name("");
  app->add_option("RULESET", command->rulesets, "Of that game (all that have a name)")->type_name("...");
  add_number(app, "--sampled", &command->sampled, "Sampled combinations of options beside them (0)", 0,
             1'000);
  app->add_option("--player", command->player,
                  "Plays both sides (small?nodes=1000, else alphabeta?nodes=1000)")
      ->type_name("PLAYER");
  add_number(app, "--openings", &request.openings, "Two games of each (100)", 1, 100'000);
  add_number(app, "--plies", &request.match.opening_plies, "Random plies of an opening (4)", 0, 100);
  add_number(app, "--positions", &request.positions,
             "Sampled; best moves are compared where one is clear (1000)", 0, 100'000);
  app->add_option("--to", command->folder, "Folder for the page and JSON")->type_name("DIR");
  add_seed(app, &request.match.seed, "For openings, positions and sampled options (1)");
  add_threads(app, &request.match.threads, "Games and searches are spread over them (one per core)");
  add_backend(app, &request.match.backend);
  app->add_flag("--json", command->json, "Print JSON instead of the page");
  app->footer(
      "Length, results, captures and legal moves under each ruleset, advantage of the first mover, and how\n"
      "often a best move that is clear under GAME is the best there (GAME itself: by twice the limit).\n\n"
      "Examples:\n"
      "  makzero rules makyek --sampled 10\n"
      "  makzero rules makruk makruk:count.mode=manual --openings 500");
  return [command] { return run_rules(*command); };
}

}  // namespace makzero::play
