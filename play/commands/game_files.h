// Choice of games in a file, and the facts of a game that a written form does not carry.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "play/notation/annotated_game.h"

namespace makzero::play {

// --game of a command: "3", "all", or empty for a file that holds one game.
void add_game_choice(CLI::App* app, std::string* choice);

struct NumberedGame {
  int number = 1, of = 1;  // In the file, from 1.
  std::string_view text;   // To be read alone.
};

// The games of a file's text that were chosen. Throws UsageError with their number where it is not clear.
std::vector<NumberedGame> choose_games(const std::string& file, std::string_view text,
                                       const std::string& choice);

// Says on stderr what PGN, or the text of played_game.h, does not carry of games, a line for each kind.
void note_losses(const std::vector<AnnotatedGame>& games, bool as_text);

}  // namespace makzero::play
