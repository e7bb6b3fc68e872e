// Choice of games in a file, and what reading them was like.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "game/parsed.h"
#include "play/notation/game_document.h"

namespace makzero::play {

// Which games of which file: the options of a command.
struct GameChoice {
  std::string file;
  std::string number;   // "3", "all", or empty for a file that holds one game.
  std::string ruleset;  // Of a file that does not name its game; empty: as its moves are legal.
};

// FILE, --number and --game.
void add_game_choice(CLI::App* app, GameChoice* choice);

struct NumberedGame {
  int number = 1, of = 1;  // In the file, from 1.
  std::string text;        // To be read alone.
};

// The games of the file that were chosen. Throws UsageError with their number where it is not clear.
std::vector<NumberedGame> choose_games(const GameChoice& choice);

// Reads one of them.
game::Parsed<GameDocument> read_chosen(const NumberedGame& game, const GameChoice& choice);

// Says on stderr what is to be known of a game that was read: the notation that was recognised, the rules
// that were guessed, where record and rules part, what could not be read.
void note_reading(const NumberedGame& place, const GameDocument& document);

}  // namespace makzero::play
