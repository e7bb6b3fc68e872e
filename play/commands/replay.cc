// makzero replay: a saved game on the terminal, move by move.
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "models/error.h"
#include "play/commands/command.h"
#include "play/commands/game_files.h"
#include "play/json/document_json.h"
#include "play/notation/document_writer.h"
#include "play/terminal/replay.h"

namespace makzero::play {
namespace {

constexpr int kFailed = 1;

struct Options {
  GameChoice choice;
  std::string to;
  bool all = false, flipped = false;
  std::string language;
  Notation notation = Notation::kLetters;
};

void show_game(const GameDocument& game, const NumberedGame& place, const Options& options) {
  BoardStyle style;
  style.color = shows_color();
  style.flipped = options.flipped;
  style.language = language_or_usage_error(options.language);
  style.notation = options.notation;
  Replay replay(std::cin, std::cout, game.game, style);
  if (place.of > 1) std::cout << "game " << place.number << " of the " << place.of << " in this file\n";
  options.all ? replay.show_all() : replay.run();
}

// Writes games one after the other, JSON as a list of them.
void write_games(const std::vector<GameDocument>& games, const Options& options) {
  if (options.to == "json") {
    nlohmann::json list = nlohmann::json::array();
    for (const GameDocument& game : games) list.push_back(document_json(game));
    std::cout << (games.size() == 1 ? list[0] : list).dump(1) << "\n";
    return;
  }
  for (const GameDocument& game : games) {
    if (&game != games.data()) std::cout << "\n";
    std::cout << (options.to == "text" ? game_text(game) : game_pgn(game, options.notation));
  }
}

int run_replay(const Options& options) {
  const std::vector<NumberedGame> chosen = choose_games(options.choice);
  if (options.to == "text" && chosen.size() > 1)
    throw UsageError("--to text writes one game: give --number N, or --to pgn");
  std::vector<GameDocument> games;
  for (const NumberedGame& each : chosen) {
    const game::Parsed<GameDocument> game = read_chosen(each, options.choice);
    const std::string which = each.of == 1 ? "" : "game " + std::to_string(each.number) + ": ";
    if (!game) throw models::Error(options.choice.file, which + game.why());
    note_reading(each, *game);
    if (options.to.empty()) show_game(*game, each, options);
    games.push_back(*game);
  }
  if (!options.to.empty()) write_games(games, options);
  const auto is_whole = [](const GameDocument& game) { return game.fault.empty(); };
  return std::all_of(games.begin(), games.end(), is_whole) ? 0 : kFailed;
}

}  // namespace

Run add_replay(CLI::App* app) {
  auto options = std::make_shared<Options>();
  add_game_choice(app, &options->choice);
  app->add_flag("--all", options->all, "Every position one after the other, without questions");
  app->add_option("--to", options->to, "Write the game anew instead: pgn, in --notation, text or json")
      ->type_name("FORM")
      ->check(one_of({"pgn", "text", "json"}));
  app->add_flag("--flip", options->flipped, "Black below");
  add_language(app, &options->language);
  add_notation(app, &options->notation);
  app->footer(
      "Commands: next (or an empty line), back, to N, end, board, moves, flip, quit.\n\n"
      "Examples:\n"
      "  makzero replay game.txt\n"
      "  makzero replay game.pgn --all | less\n"
      "  makzero replay runs/makyek/games/000012.txt --number 3\n"
      "  makzero replay game.txt --to pgn > game.pgn\n"
      "  makzero replay playok.pgn --to pgn --notation thai");
  return [options] { return run_replay(*options); };
}

}  // namespace makzero::play
