// Positions and moves as text, for every game: the one truth of the command line, UCI, records and tests.
#pragma once

#include <string>
#include <string_view>

#include "game/game.h"
#include "game/parsed.h"

namespace makzero::game {

// "mmmmmmmm/8/mmmmmmmm/8/8/MMMMMMMM/8/MMMMMMMM w", then the game's own fields.
std::string position_text(const Game& game, const Position& position);

// Reads such a text. A failure names every reason, not only the first.
Parsed<Position> parse_position(const Game& game, std::string_view text);

// "a3a5", "@d4", "--", "e5e6m", "e8e6e4". REQUIRES: the move is legal.
std::string move_text(const Game& game, const Position& position, Move move);

// The legal move that a text names; origin and destination are enough where they name one move.
// A failure says why the move is not legal and what is.
Parsed<Move> parse_move(const Game& game, const Position& position, std::string_view text);

// The capital letter of the piece on a square; on an empty one '+' where the board marks it, else '.'.
char kind_on(const GameInfo& info, const Position& position, Square square);

// The same with a small letter for Black's pieces.
char letter_on(const GameInfo& info, const Position& position, Square square);

// The board as lines of such letters with coordinates, White below, for logs and the UCI command `d`.
std::string board_text(const Game& game, const Position& position);

// The entry of `names` that is nearest to `name` in edits, or an empty text when none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& names);

// ": did you mean 'NAME'?", the end of a sentence about an unknown name; empty where none is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& names);

}  // namespace makzero::game
