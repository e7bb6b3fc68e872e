#include "play/commands/game_files.h"

#include <fmt/format.h>

#include <iostream>

#include "models/file_io.h"
#include "models/printable.h"
#include "play/commands/command.h"
#include "play/json/document_json.h"
#include "play/notation/dialect.h"
#include "play/notation/document_reader.h"

namespace makzero::play {

void add_game_choice(CLI::App* app, GameChoice* choice) {
  const auto fits = [](const std::string& text) {
    int number = 0;
    return text == "all" || (CLI::detail::lexical_cast(text, number) && number > 0);
  };
  app->add_option("FILE", choice->file, "Games: PGN, bare moves, saved games, UCI `position` lines, JSON")
      ->required()
      ->type_name("");
  app->add_option("--number", choice->number, "Which of several games in the file: a number, or all")
      ->type_name("N|all")
      ->check(wanted("the number of a game in the file, or 'all'", fits));
  app->add_option("--game", choice->ruleset, "Game of a file that does not name it (from its moves)")
      ->type_name("GAME");
}

std::vector<NumberedGame> choose_games(const GameChoice& choice) {
  if (!choice.ruleset.empty()) game_or_usage_error(choice.ruleset);
  const std::string text = document_text(models::read_given_text(choice.file));
  std::vector<NumberedGame> games;
  for (std::string& game : split_documents(text))
    games.push_back({.number = static_cast<int>(games.size()) + 1, .text = std::move(game)});
  for (NumberedGame& game : games) game.of = static_cast<int>(games.size());
  const std::string holds =
      choice.file + " holds " + std::to_string(games.size()) + (games.size() == 1 ? " game" : " games");
  if (choice.number == "all" || (choice.number.empty() && games.size() == 1)) return games;
  if (choice.number.empty()) throw UsageError(holds + ": give --number N or --number all");
  const std::size_t number = std::stoul(choice.number);
  if (number > games.size()) throw UsageError("--number: " + holds);
  return {games[number - 1]};
}

game::Parsed<GameDocument> read_chosen(const NumberedGame& game, const GameChoice& choice) {
  return read_any_document(game.text, choice.ruleset);
}

void note_reading(const NumberedGame& place, const GameDocument& document) {
  const std::string which = place.of > 1 ? fmt::format("game {}: ", place.number) : "";
  const auto note = [&](const std::string& text) {
    std::cerr << "note: " << which << models::printable_excerpt(text) << "\n";
  };
  const std::string& ruleset = document.game.rules().info().ruleset;
  if (!document.guess.empty()) note(fmt::format("read as {}, {}", ruleset, document.guess));
  const bool usual = document.dialect == kLetterDialect.title || document.dialect == "coordinates";
  if (!document.dialect.empty() && !usual) note("notation: " + document.dialect);
  if (const auto passed = document.game.passed_end()) {
    const bool draw = passed->outcome.result == game::Result::kDraw;
    note(fmt::format("after {} moves of both sides the rules {} ({}), and the record goes on",
                     passed->actions, draw ? "give a draw" : "end the game",
                     game::reason_text(passed->outcome.reason)));
  }
  if (document.ambiguous_moves > 0)
    note(fmt::format("{} moves may be of two pieces: read as of the first", document.ambiguous_moves));
  if (document.unread_variations > 0)
    note(fmt::format("{} variations cannot be read and are left out", document.unread_variations));
  if (!document.fault.empty())
    note(fmt::format("read up to a fault, {} moves: {}", document.game.actions().size(), document.fault));
}

}  // namespace makzero::play
