#include "game/rules/low1839.h"

#include "game/rule_features.h"
#include "game/rules/chess_moves.h"
#include "game/rules/first_moves.h"

namespace makzero::game {
namespace {

constexpr int kLastRank = 8;

int promotion_rank_of(const LowRules& rules) { return rules.late_promotion ? kLastRank : kPromotionRank; }

Bitboard all_if(bool condition) { return condition ? kAllSquares : 0; }

const std::vector<Option<LowRules>>& low_options() {
  static const std::vector<Option<LowRules>> kOptions = [] {
    std::vector<Option<LowRules>> table;
    add_chess_end_options(&table);
    table.push_back(choice_of<&LowRules::orthogonal_khoon, LowRules>("low.khoon", {"any", "orthogonal"}));
    table.push_back(choice_of<&LowRules::forward_met, LowRules>("low.met", {"ferz", "forward"}));
    table.push_back(choice_of<&LowRules::khon, LowRules>("low.khon", {"silver", "noback", "first"}));
    table.push_back(choice_of<&LowRules::late_promotion, LowRules>("low.promotion", {"6", "8"}));
    return table;
  }();
  return kOptions;
}

GameInfo low_info(std::string ruleset, const LowRules& rules) {
  GameInfo info;
  info.title = ruleset.starts_with("low1839-dlp") ? "Low's Mak Ruk, paraphrased" : "Low's Mak Ruk";
  info.ruleset = std::move(ruleset);
  info.summary =
      "Thai chess as described in 1839: queens may begin with two squares ahead; only bare kings are "
      "counted.";
  info.source = "James Low (1839) in the Digital Ludeme Project, evidence 1289";
  info.options = describe_options(low_options(), rules);
  add_chess_features("low1839", rules, &info);
  add_feature("counting=low1839", 1, &info);
  add_feature("met_leap", 1, &info);
  add_feature("khoon=orthogonal", rules.orthogonal_khoon, &info);
  add_feature("met=forward", rules.forward_met, &info);
  add_choice_feature(rules.khon, {"", "khon=noback", "khon=first"}, &info);
  add_feature("promotion=8", rules.late_promotion, &info);
  return info;
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

template <class Visitor>
void visit_moves(const LowSteps& steps, const Position& position, Visitor* visitor) {
  by_side(position.to_move, [&]<Color kSide>() {
    const ChecksAndPins safety = checks_and_pins<kSide>(position, steps);
    visit_chess_moves<kSide>(position, steps, safety, visitor);
    if (position.rights == 0) return;
    const Bitboard empty = ~position.occupied();
    visitor->from(kMetHome<kSide>, met_leap<kSide>(position, safety) & empty & forward<kSide>(empty));
    const Bitboard khons = forward<kSide>(unmoved_khons<kSide>(position) & ~safety.pinned);
    visitor->shift(khons & empty & safety.targets, kSide == Color::kWhite ? 8 : -8);
  });
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

}  // namespace

LowSteps::LowSteps(const LowRules& rules)
    : diagonal_khoon_(all_if(!rules.orthogonal_khoon)),
      straight_met_(all_if(rules.forward_met)),
      straight_khon_(all_if(rules.khon != LowKhon::kFirst)),
      taking_back_khon_(all_if(rules.khon != LowKhon::kNoBack)) {}

Low1839::Low1839(std::string ruleset, const LowRules& rules)
    : ChessGame(low_info(std::move(ruleset), rules), rules, low_parts(rules)), rules_(rules), steps_(rules) {}

void Low1839::legal_moves(const Position& position, MoveList* moves) const {
  moves->clear();
  MoveLister lister{moves};
  visit_moves(steps_, position, &lister);
}

int Low1839::count_moves(const Position& position) const {
  MoveCounter counter;
  visit_moves(steps_, position, &counter);
  return counter.moves;
}

void Low1839::apply(Move move, Position* position) const {
  move_piece(move, promotion_rank_of(rules_), position);
  position->rights &= ~(first_moves().at(move.origin()) | first_moves().at(move.destination()));
  count_against_bare_king(position);
}

Outcome Low1839::outcome(const Position& position, bool can_move, int occurrences) const {
  if (!can_move) return no_reply(position);
  return with_replies(position, occurrences, is_dead(rules_, position));
}

Threats Low1839::threats(const Position& position, Color side) const {
  const Bitboard attacks = chess_attacks(position, side, steps_);
  return {attacks & position.side[index(other(side))], attacks};
}

Bitboard Low1839::attackers(const Position& position, Square square, Bitboard occupied) const {
  return chess_attackers(position, square, occupied, steps_);
}

const std::vector<std::string>& low1839_rulesets() {
  static const std::vector<std::string> kNames = {"low1839", "low1839-dlp"};
  return kNames;
}

Parsed<GamePtr> make_low1839(std::string_view ruleset, const OptionTexts& options) {
  LowRules named;
  if (ruleset == "low1839-dlp") {
    named.forward_met = true;
    named.khon = LowKhon::kNoBack;
    named.late_promotion = true;
  }
  return make_chess_game<Low1839>(ruleset, low_options(), named, options);
}

}  // namespace makzero::game
