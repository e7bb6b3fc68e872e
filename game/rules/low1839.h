// Mak Ruk as James Low described it in 1839.
//
// Source: Low's words as the Digital Ludeme Project quotes them (evidence 1289); its own paraphrase
// there contradicts them and is the ruleset `low1839-dlp`. Where the two differ, Low first:
//  - Khoon (king): one square in any direction, in both rulesets; `low.khoon=orthogonal` is the
//    paraphrase, which `low1839-dlp` leaves out.
//  - Met: one square diagonally; `low.met=forward`: also one straight forward. Unmoved, it may go two
//    squares straight ahead instead, if both are empty.
//  - Khon: as in Makruk; `low.khon=noback`: it moves diagonally back without taking; `low.khon=first`:
//    straight ahead only as its first move and without taking.
//  - Bea (pawn): a met on the sixth rank, "the adversary's line of pawns"; `low.promotion=8`: on the
//    last.
//  - Counting only against a bare king, from the moment it is bare, pawns or not: 8 moves with two
//    rooks, 16 with one, 22 with two khons, 44 with one, 33 with two knights, 66 with one, 88
//    otherwise, less the pieces on the board. The highest piece decides; a count is never restarted. A
//    met alone has drawn at once.
//  - Stalemate and insufficient material as in Makruk. Where mets change the colour of their square
//    (`low.met=forward`) only a knight alone and a met alone are dead. A khoon that goes straight alone
//    (`low.khoon=orthogonal`) can be mated by a knight; a single pawn is dead beside it in either case.
//
// Position: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w Ed - 0 1"; E, d are the first-move rights of
// the mets, C, F, c, f those of the khons (`low.khon=first`). Moves: "e1e3" a met's first.
#pragma once

#include <string_view>
#include <vector>

#include "game/rules/chess_game.h"

namespace makzero::game {

enum class LowKhon : std::uint8_t { kSilver, kNoBack, kFirst };

struct LowRules : ChessRules {
  bool orthogonal_khoon = false;
  bool forward_met = false;
  LowKhon khon = LowKhon::kSilver;
  bool late_promotion = false;  // On the eighth rank instead of the sixth.
};

// The steps of the pieces; see MakrukSteps.
class LowSteps {
 public:
  explicit LowSteps(const LowRules& rules);

  Bitboard king(Square square) const { return kSteps[square].king & (diagonal_khoon_ | rook_lines(square)); }
  Bitboard straight(const Position& position) const {
    return (position.kind[kMet] & straight_met_) | (position.kind[kKhon] & straight_khon_);
  }
  Bitboard back(const Position& position) const {
    return position.kind[kMet] | (position.kind[kKhon] & taking_back_khon_);
  }
  Bitboard quiet_back(const Position& position) const { return position.kind[kKhon] & ~taking_back_khon_; }

 private:
  // All squares where the rules have the step, none where not.
  Bitboard diagonal_khoon_, straight_met_, straight_khon_, taking_back_khon_;
};

class Low1839 final : public ChessGame {
 public:
  // `ruleset` is what make_game() reads back.
  Low1839(std::string ruleset, const LowRules& rules);

  void legal_moves(const Position& position, MoveList* moves) const override;
  int count_moves(const Position& position) const override;
  void apply(Move move, Position* position) const override;
  Outcome outcome(const Position& position, bool can_move, int occurrences) const override;
  Threats threats(const Position& position, Color side) const override;
  Bitboard attackers(const Position& position, Square square, Bitboard occupied) const override;

 private:
  LowRules rules_;
  LowSteps steps_;
};

// "low1839", "low1839-dlp".
const std::vector<std::string>& low1839_rulesets();

// One of low1839_rulesets() with options.
Parsed<GamePtr> make_low1839(std::string_view ruleset, const OptionTexts& options);

}  // namespace makzero::game
