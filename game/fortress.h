// Fortresses: set-ups of one side in which no enemy can take anything, with a move for each that leads to
// another, and their check, which shows that the side cannot lose.
//
// The check searches nothing and plays nothing: it follows the set-ups from a position on, and at each
// assumes more of the enemy than the rules let him do. An enemy may stand on every square that the set-up
// marks, however many that are; he slides through his own pieces; and he captures with the help of every
// such square. Whoever never loses a piece and always has a move does not lose, by what is taken from then
// on neither; a start from which that holds for both sides is drawn.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "game/bitboard.h"
#include "game/game.h"
#include "game/parsed.h"

namespace makzero::game {

// One side's pieces, with it to move. It stands for its eight images under the symmetries of the board.
struct FortressSetup {
  Bitboard own = 0;
  Bitboard enemy = 0;       // Squares on which enemies may stand.
  Square from = 0, to = 0;  // The reply, a slide.

  bool operator==(const FortressSetup&) const = default;
};

// Reads lines such as "8/8/...: a row of M, * and . per rank, the highest first, then the reply, "a1a2".
// Blank lines and those that begin with # say nothing. A failure names the line.
Parsed<std::vector<FortressSetup>> parse_fortress(std::string_view text);

// A set-up as a line of that text.
std::string fortress_text(const FortressSetup& setup);

// Result of a check.
struct FortressProof {
  std::vector<FortressSetup> setups;  // Those that play comes to, in the order of the text.
  long enemy_moves = 0;               // That were followed.
};

// Shows that `side` loses no piece from the position on, and always has a move. A failure is the hole: the
// first enemy move that takes something or leads out of the set-ups, a reply that is not sure to be legal, or
// rules that the check does not know.
Parsed<FortressProof> prove_fortress(const Game& game, const Position& position, Color side,
                                     std::span<const FortressSetup> setups);

// The same of both sides at the start of the game, which is drawn then.
Parsed<FortressProof> prove_fortress(const Game& game, std::span<const FortressSetup> setups);

}  // namespace makzero::game
