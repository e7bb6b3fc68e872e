// makzero replay: a saved game on the terminal, move by move.
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/error.h"
#include "models/file_io.h"
#include "play/commands/command.h"
#include "play/notation/pgn.h"
#include "play/terminal/replay.h"

namespace makzero::play {
namespace {

struct Options {
  std::string file, to;
  int number = 1;  // Of the game in the file.
  bool all = false, flipped = false;
  std::string language;
  Notation notation = Notation::kLetters;
};

int run_replay(const Options& options) {
  const std::string text = models::read_text_file(options.file);
  const std::vector<std::string_view> games = split_games(text);
  const int count = static_cast<int>(games.size());
  if (options.number > count)
    throw UsageError("--game: " + options.file + " holds " + std::to_string(count) +
                     (count == 1 ? " game" : " games"));
  const game::Parsed<PlayedGame> game = read_game(games[options.number - 1]);
  if (!game) {
    const std::string which = count > 1 ? "game " + std::to_string(options.number) + ": " : "";
    throw models::Error(options.file, which + game.why());
  }
  if (options.to == "pgn") {
    std::cout << game_pgn(*game);
  } else if (options.to == "text") {
    std::cout << game_text(*game);
  } else {
    BoardStyle style;
    style.color = isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR");
    style.flipped = options.flipped;
    style.language = language_or_usage_error(options.language);
    style.notation = options.notation;
    Replay replay(std::cin, std::cout, *game, style);
    if (count > 1)
      std::cout << "game " << options.number << " of the " << count
                << " in this file; --game N opens another\n";
    options.all ? replay.show_all() : replay.run();
  }
  return 0;
}

}  // namespace

Run add_replay(CLI::App* app) {
  auto options = std::make_shared<Options>();
  app->add_option("FILE", options->file, "A saved game, as text or PGN, or sample games of a run")
      ->required()
      ->type_name("");
  add_number(app, "--game", &options->number, "Which of several games in the file (1)", 1, 1'000'000'000);
  app->add_flag("--all", options->all, "Every position one after the other, without questions");
  app->add_option("--to", options->to, "Write the game anew instead: pgn or text")
      ->type_name("FORM")
      ->check(CLI::IsMember({"pgn", "text"}).description(""));
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
