// Makruk, Thai chess, with counting.
//
// Source: Wikipedia "Makruk" (pieces, pawn promotion on the sixth rank, board's and pieces' honour).
// Where it is silent or disagrees with itself, the choice follows Fairy-Stockfish and the rules of the
// Thai federation:
//  - Stalemate is a draw. No castling, no double step of pawns, no en passant.
//  - Insufficient material is a draw at once: bare kings, a single knight, a single pawn, or mets of one
//  square
//    colour alone.
//  - The third occurrence of a position is a draw (`repetition=off` for tournaments without that rule).
//  - The count draws after the reply to the limit; khon + two knights have 32 moves (`count.snn=44`); a
//    bare king that faces pawns does not count. Mate and stalemate come before the count. See
//    counting.h.
//  - Counts start by themselves and bind both sides, as in Fairy-Stockfish; `count.mode=manual` lets the side
//    with less material declare board's honour (`count.who=any`: either side), `count.board=64` ends it
//    before anybody's 65th move.
//
// Position: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1" (K khun, M met, S khon, N ma, R
// ruea, P bia). Moves: "e3e4", a promotion "e5e6m".
#pragma once

#include <string_view>

#include "game/rules/chess_game.h"

namespace makzero::game {

class Makruk final : public ChessGame {
 public:
  // `ruleset` is what make_game() reads back.
  Makruk(std::string ruleset, const ChessRules& rules);

  void legal_moves(const Position& position, MoveList* moves) const override;
  int count_moves(const Position& position) const override;
  void apply(Move move, Position* position) const override;
};

// Makruk with options; the only ruleset of this file is "makruk".
Parsed<GamePtr> make_makruk(std::string_view ruleset, const OptionTexts& options);

}  // namespace makzero::game
