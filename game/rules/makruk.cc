// Makruk, Thai chess, with counting.
//
// Source: Wikipedia "Makruk" (pieces, pawn promotion on the sixth rank, board's and pieces' honour).
// Where it is silent or disagrees with itself, the choice follows Fairy-Stockfish and the rules of the
// Thai federation:
//  - Stalemate is a draw. No castling, no double step of pawns, no en passant.
//  - Insufficient material is a draw at once: bare kings, a single knight, a single pawn, or mets of one
//    square colour alone.
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
#include <utility>

#include "game/rule_features.h"
#include "game/rules/chess_game.h"
#include "game/rules/chess_moves.h"
#include "game/rules/first_moves.h"
#include "game/rules/games.h"
#include "game/rules/named_rules.h"

namespace makzero::game {
namespace {

void add_features(const ChessRules& rules, GameInfo* info) {
  add_chess_features(rules, info);
  add_count_features(rules, info);
}

class Makruk final : public VisitedMoves<Makruk> {
 public:
  Makruk(GameInfo info, const ChessRules& rules) : VisitedMoves(std::move(info), rules, {}) {}

  template <Color kSide, class Visitor>
  void visit_moves(const Position& position, Visitor* visitor) const {
    const MakrukSteps steps;
    visit_chess_moves<kSide>(position, steps, checks_and_pins<kSide>(position, steps), visitor);
  }

  void apply(Move move, Position* position) const override {
    const CountedMove done = move_piece(move, kPromotionRank, position);
    count_move(count_rules(), done, position);
  }
};

}  // namespace

Rulesets makruk_rulesets() {
  std::vector<Option> options;
  add_count_options<ChessRules>(&options);
  add_chess_end_options<ChessRules>(&options);
  return make_rulesets<Makruk, ChessRules>(
      {"chess",
       "Wikipedia, Makruk; Fairy-Stockfish and the Thai federation where it is silent",
       {{"makruk",
         "Makruk",
         "Thai chess: mate the king; pawns promote to queens on the sixth rank; pawnless endings are "
         "counted.",
         {}}},
       std::move(options),
       add_features});
}

}  // namespace makzero::game
