// Makruk with the sutras, extra first moves, and with Takhaeng Ruea, a handicap.
//
// Source: Wikipedia "Makruk", sections on Sut Khun, Sut Met, Sut Ma and Takhaeng Ruea. Choices where it
// is silent:
//  - Each sutra is the piece's own first move, once, whatever else has moved. A capture elsewhere does
//    not end it (`sutra_requires_no_captures=on`: any capture ends all, as in Ok).
//  - Sut Khun: the king leaps like a knight to an empty square of the row before it, b2 or f2; not
//    while in check (`sut_khun_in_check=on`: also then).
//  - Sut Met: the pawn before the met steps from its third rank to the fourth, and the met takes its
//    place, over whatever stands between. Sut Ma: the same with a pawn a knight's move ahead of a
//    knight. Both are one move, never take, and may answer a check by blocking it.
//  - `takhaeng=a1h1` sets up mets for the rooks ("tilted boats") of these squares, given in any order.
// Each of `sut_khun`, `sut_met`, `sut_ma` may be off. All else as in Makruk.
//
// Position: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w BDEGbdeg - 0 1"; the letters are the files
// of the pieces that keep their first move. Moves: "d1b2" Sut Khun, "e1e3" Sut Met (with e3e4), "b1c3"
// Sut Ma (with c3c4): the piece's own squares; its pawn still stands on the destination.
#pragma once

#include <string_view>

#include "game/rules/chess_game.h"

namespace makzero::game {

struct SutraRules : ChessRules {
  bool khun_off = false, met_off = false, ma_off = false;
  bool khun_in_check = false;         // The king may also leap out of check.
  bool requires_no_captures = false;  // A capture ends all first moves.
  int takhaeng = 0;                   // Bits 0-3: a met instead of the rook on a1, h1, a8, h8.
};

class MakrukSutra final : public ChessGame {
 public:
  // `ruleset` is what make_game() reads back.
  MakrukSutra(std::string ruleset, const SutraRules& rules);

  Position initial() const override;
  void legal_moves(const Position& position, MoveList* moves) const override;
  int count_moves(const Position& position) const override;
  void apply(Move move, Position* position) const override;
  std::optional<Displacement> displacement(const Position& position, Move move) const override;

 private:
  SutraRules rules_;
};

// Makruk with sutras with options; the only ruleset of this file is "makruk-sutra".
Parsed<GamePtr> make_makruk_sutra(std::string_view ruleset, const OptionTexts& options);

}  // namespace makzero::game
