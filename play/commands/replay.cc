// makzero replay: a saved game on the terminal, move by move.
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "models/error.h"
#include "models/file_io.h"
#include "play/commands/command.h"
#include "play/commands/game_files.h"
#include "play/notation/pgn.h"
#include "play/terminal/replay.h"

namespace makzero::play {
namespace {

struct Options {
  std::string file, to, choice;
  bool all = false, flipped = false;
  std::string language;
  Notation notation = Notation::kLetters;
};

void show_game(const AnnotatedGame& game, const NumberedGame& place, const Options& options) {
  BoardStyle style;
  style.color = isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR");
  style.flipped = options.flipped;
  style.language = language_or_usage_error(options.language);
  style.notation = options.notation;
  Replay replay(std::cin, std::cout, game.game, style);
  if (place.of > 1) std::cout << "game " << place.number << " of the " << place.of << " in this file\n";
  options.all ? replay.show_all() : replay.run();
}

int run_replay(const Options& options) {
  const std::string text = models::read_given_text(options.file);
  const std::vector<NumberedGame> chosen = choose_games(options.file, text, options.choice);
  if (options.to == "text" && chosen.size() > 1)
    throw UsageError("--to text writes one game: give --game N, or --to pgn");
  std::vector<AnnotatedGame> games;
  for (const NumberedGame& each : chosen) {
    const game::Parsed<AnnotatedGame> game = read_annotated_game(each.text);
    const std::string which = each.of == 1 ? "" : "game " + std::to_string(each.number) + ": ";
    if (!game) throw models::Error(options.file, which + game.why());
    games.push_back(*game);
    if (options.to.empty()) show_game(*game, each, options);
    if (options.to == "pgn") std::cout << (games.size() > 1 ? "\n" : "") << game_pgn(*game);
    if (options.to == "text") std::cout << game_text(game->game);
  }
  if (!options.to.empty()) note_losses(games, options.to == "text");
  return 0;
}

}  // namespace

Run add_replay(CLI::App* app) {
  auto options = std::make_shared<Options>();
  app->add_option("FILE", options->file, "A saved game, as text or PGN, or sample games of a run")
      ->required()
      ->type_name("");
  add_game_choice(app, &options->choice);
  app->add_flag("--all", options->all, "Every position one after the other, without questions");
  app->add_option("--to", options->to, "Write the game anew instead: pgn or text")
      ->type_name("FORM")
      ->check(one_of({"pgn", "text"}));
  app->add_flag("--flip", options->flipped, "Black below");
  add_language(app, &options->language);
  add_notation(app, &options->notation);
  app->footer(
      "Commands: next (or an empty line), back, to N, end, board, moves, flip, quit.\n\n"
      "Examples:\n"
      "  makzero replay game.txt\n"
      "  makzero replay game.pgn --all | less\n"
      "  makzero replay runs/makyek/games/000012.txt --game 3\n"
      "  makzero replay game.txt --to pgn > game.pgn");
  return [options] { return run_replay(*options); };
}

}  // namespace makzero::play
