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
#include <utility>

#include "game/rule_features.h"
#include "game/rules/chess_game.h"
#include "game/rules/chess_moves.h"
#include "game/rules/first_moves.h"
#include "game/rules/games.h"
#include "game/rules/named_rules.h"

namespace makzero::game {
namespace {

enum class LowKhon : std::uint8_t { kSilver, kNoBack, kFirst };

struct LowRules : ChessRules {
  bool orthogonal_khoon = false;
  bool forward_met = false;
  LowKhon khon = LowKhon::kSilver;
  bool late_promotion = false;  // On the eighth rank instead of the sixth.
};

Bitboard all_if(bool condition) { return condition ? kAllSquares : 0; }

// The steps of the pieces; see MakrukSteps.
class LowSteps {
 public:
  explicit LowSteps(const LowRules& rules)
      : diagonal_khoon_(all_if(!rules.orthogonal_khoon)),
        straight_met_(all_if(rules.forward_met)),
        straight_khon_(all_if(rules.khon != LowKhon::kFirst)),
        taking_back_khon_(all_if(rules.khon != LowKhon::kNoBack)) {}

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

constexpr int kLastRank = 8;

int promotion_rank_of(const LowRules& rules) { return rules.late_promotion ? kLastRank : kPromotionRank; }

void add_features(const LowRules& rules, GameInfo* info) {
  add_chess_features(rules, info);
  add_feature("counting=low1839", 1, info);
  add_feature("met_leap", 1, info);
  add_feature("khoon=orthogonal", rules.orthogonal_khoon, info);
  add_feature("met=forward", rules.forward_met, info);
  add_choice_feature(rules.khon, {"", "khon=noback", "khon=first"}, info);
  add_feature("promotion=8", rules.late_promotion, info);
}

ChessParts low_parts(const LowRules& rules) {
  ChessParts parts{.first_movers = {kMet}, .promotion_rank = promotion_rank_of(rules)};
  if (rules.khon == LowKhon::kFirst) parts.first_movers.push_back(kKhon);
  return parts;
}

// The khons that have not moved where that matters.
template <Color kSide>
Bitboard unmoved_khons(const Position& position) {
  constexpr Square left = kSide == Color::kWhite ? square_at(2, 0) : square_at(5, 7);
  constexpr Square right = kSide == Color::kWhite ? square_at(5, 0) : square_at(2, 7);
  return (unmoved<kSide>(position, kLeftUnmoved) ? bit(left) : 0) |
         (unmoved<kSide>(position, kRightUnmoved) ? bit(right) : 0);
}

// The moves against a bare king, by the chaser's highest piece.
int honoured_moves(const Position& position, Bitboard chaser) {
  const int rooks = size(chaser & position.kind[kRook]);
  const int khons = size(chaser & position.kind[kKhon]);
  const int knights = size(chaser & position.kind[kKnight]);
  if (rooks > 0) return rooks >= 2 ? 8 : 16;
  if (khons > 0) return khons >= 2 ? 22 : 44;
  if (knights > 0) return knights >= 2 ? 33 : 66;
  return 88;
}

void count_against_bare_king(Position* position) {
  if (position->count_limit > 0) {
    ++position->count;
    return;
  }
  const Bitboard kings = position->kind[kKing];
  const Bitboard white = position->side[0] & ~kings, black = position->side[1] & ~kings;
  if ((white == 0) == (black == 0)) return;
  position->count_limit = static_cast<std::uint16_t>(2 * honoured_moves(*position, white | black));
  position->count = static_cast<std::uint16_t>(2 * size(position->occupied()));
}

// Neither side can win, or a single met is left, which has drawn. Beside a khoon that goes straight alone a
// knight mates; a pawn does not, and becomes a single met. Mets that step forward may be two of one colour
// and mate all the same.
bool is_dead(const LowRules& rules, const Position& position) {
  const Bitboard knights = position.kind[kKnight];
  if (!rules.forward_met) return insufficient_material(position) && !(rules.orthogonal_khoon && knights);
  const Bitboard pieces = position.occupied() & ~position.kind[kKing];
  const Bitboard weak = position.kind[kMet] | (rules.orthogonal_khoon ? position.kind[kPawn] : knights);
  return size(pieces) <= 1 && !(pieces & ~weak);
}

class Low1839 final : public VisitedMoves<Low1839> {
 public:
  Low1839(GameInfo info, const LowRules& rules)
      : VisitedMoves(std::move(info), rules, low_parts(rules)), rules_(rules), steps_(rules) {}

  template <Color kSide, class Visitor>
  void visit_moves(const Position& position, Visitor* visitor) const {
    const ChecksAndPins safety = checks_and_pins<kSide>(position, steps_);
    visit_chess_moves<kSide>(position, steps_, safety, visitor);
    if (position.rights == 0) return;
    const Bitboard empty = ~position.occupied();
    visitor->from(kMetHome<kSide>, met_leap<kSide>(position, safety) & empty & forward<kSide>(empty));
    const Bitboard khons = forward<kSide>(unmoved_khons<kSide>(position) & ~safety.pinned);
    visitor->shift(khons & empty & safety.targets, kSide == Color::kWhite ? 8 : -8);
  }

  void apply(Move move, Position* position) const override {
    move_piece(move, promotion_rank_of(rules_), position);
    position->rights &= ~(first_moves().at(move.origin()) | first_moves().at(move.destination()));
    count_against_bare_king(position);
  }

  Outcome outcome(const Position& position, bool can_move, int occurrences) const override {
    if (!can_move) return no_reply(position);
    return with_replies(position, occurrences, is_dead(rules_, position));
  }

  Threats threats(const Position& position, Color side) const override {
    const Bitboard attacks = chess_attacks(position, side, steps_);
    return {attacks & position.side[index(other(side))], attacks};
  }

  Bitboard attackers(const Position& position, Square square, Bitboard occupied) const override {
    return chess_attackers(position, square, occupied, steps_);
  }

 private:
  LowRules rules_;
  LowSteps steps_;
};

}  // namespace

Rulesets low1839_rulesets() {
  const std::string summary =
      "Thai chess as described in 1839: queens may begin with two squares ahead; only bare kings are "
      "counted.";
  LowRules paraphrase;
  paraphrase.forward_met = true;
  paraphrase.khon = LowKhon::kNoBack;
  paraphrase.late_promotion = true;
  std::vector<Option> options;
  add_chess_end_options<LowRules>(&options);
  options.push_back(choice_of<&LowRules::orthogonal_khoon, LowRules>("low.khoon", {"any", "orthogonal"}));
  options.push_back(choice_of<&LowRules::forward_met, LowRules>("low.met", {"ferz", "forward"}));
  options.push_back(choice_of<&LowRules::khon, LowRules>("low.khon", {"silver", "noback", "first"}));
  options.push_back(choice_of<&LowRules::late_promotion, LowRules>("low.promotion", {"6", "8"}));
  return make_rulesets<Low1839, LowRules>(
      {"chess",
       "James Low (1839) in the Digital Ludeme Project, evidence 1289",
       {{"low1839", "Low's Mak Ruk", summary, {}},
        {"low1839-dlp", "Low's Mak Ruk, paraphrased", summary, paraphrase}},
       std::move(options),
       add_features});
}

}  // namespace makzero::game
