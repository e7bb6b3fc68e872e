#include "game/rules/rek.h"

#include <utility>

#include "game/rules/custodial_capture.h"
#include "game/rules/custodial_features.h"
#include "game/rules/games.h"
#include "game/rules/named_rules.h"
#include "game/rules/piece_limits.h"
#include "game/rules/surround.h"
#include "game/rules/turn.h"
#include "game/symmetry.h"

namespace makzero::game {
namespace {

constexpr int kMen = 15;

void add_features(const RekRules& rules, GameInfo* info) {
  add_pair_features(rules, info);
  add_feature("king_move=rook", 1, info);
}

}  // namespace

void add_pair_features(const RekRules& rules, GameInfo* info) {
  add_feature("men_move=rook", 1, info);
  add_capture_features({.custodian = Custodian::kNone}, info);
  add_feature("surround", rules.surround != Surround::kOff, info);
  add_feature("surround=single", rules.surround == Surround::kSingle, info);
  add_choice_feature(rules.order, {"order=intervention_first", "order=simultaneous", "order=surround_first"},
                     info);
  add_end_features(rules, info);
}

Rek::Rek(GameInfo info, const RekRules& rules) : info_(std::move(info)), rules_(rules) {
  info_.kinds = "MK";
  info_.kind_value = {100, 0};
}

Position Rek::initial() const {
  const Bitboard white = bit(square_at(rules_.kings == Kings::kLeft ? 0 : 7, 0));
  const Bitboard black = bit(square_at(rules_.kings == Kings::kRight ? 0 : 7, 7));
  Position position;
  position.kind[kKing] = north(white) | south(black);
  position.kind[kMan] = (kRank1 | kRank1 << 16 | kRank1 << 40 | kRank8) & ~(white | black);
  position.side[0] = (kRank1 | kRank1 << 16 | north(white)) & ~white;
  position.side[1] = (kRank8 | kRank1 << 40 | south(black)) & ~black;
  return position;
}

bool Rek::decided(const Position& position) {
  const Bitboard kings = position.kind[kKing];
  return !(kings & position.side[0]) || !(kings & position.side[1]);
}

void Rek::legal_moves(const Position& position, MoveList* moves) const {
  moves->clear();
  if (decided(position)) return;
  add_moves(slides_of(position.own(), ~position.occupied()), position.own(), moves);
  if (moves->empty() && rules_.no_move == NoMove::kPass) moves->add(Move::pass());
}

int Rek::count_moves(const Position& position) const {
  if (decided(position)) return 0;
  const int count = count_rook_slides(position.own(), ~position.occupied());
  return count == 0 && rules_.no_move == NoMove::kPass ? 1 : count;
}

Bitboard Rek::surrounded_by(Bitboard arrival, Bitboard own, Bitboard enemy) const {
  const Bitboard groups = surrounded(arrival, own, enemy);
  return rules_.surround == Surround::kSingle ? groups_of_one(groups) : groups;
}

Bitboard Rek::taken_by(Bitboard arrival, Bitboard own, Bitboard enemy) const {
  Bitboard pair = pair_captures(arrival, enemy), group = 0;
  if (rules_.surround == Surround::kOff) return pair;
  switch (rules_.order) {
    case CaptureOrder::kInterventionFirst:
      group = surrounded_by(arrival, own, enemy & ~pair);
      break;
    case CaptureOrder::kSimultaneous:
      group = surrounded_by(arrival, own, enemy);
      break;
    case CaptureOrder::kSurroundFirst:
      group = surrounded_by(arrival, own, enemy);
      pair = pair_captures(arrival, enemy & ~group);
  }
  return pair | group;
}

void Rek::apply(Move move, Position* position) const {
  const int us = index(hand_over(position));
  if (move.is_pass()) return;
  const Bitboard own = moved(position->side[us], move);
  const Bitboard taken = taken_by(bit(move.destination()), own, position->side[1 - us]);
  const Bitboard enemy = position->side[1 - us] ^ taken;
  const Bitboard kings = position->kind[kKing];
  const Bitboard moved_king = (kings >> move.origin() & 1) << move.destination();
  position->side[us] = own;
  position->side[1 - us] = enemy;
  position->kind[kKing] = (kings & ~(bit(move.origin()) | taken)) | moved_king;
  position->kind[kMan] = (own | enemy) ^ position->kind[kKing];
  if (taken) position->no_progress_plies = 0;
}

Outcome Rek::outcome(const Position& position, bool can_move, int occurrences) const {
  for (const Color side : {Color::kWhite, Color::kBlack}) {
    if (!(position.kind[kKing] & position.side[index(side)]))
      return {win_of(other(side)), Reason::kKingCaptured};
  }
  const bool dead = position.kind[kMan] == 0;
  return outcome_without_winner(rules_, position, can_move, occurrences, dead);
}

Threats Rek::threats(const Position& position, Color side) const {
  const Bitboard own = position.side[index(side)], enemy = position.side[index(other(side))];
  return threats_of(slides_of(own, ~position.occupied()), own, own, enemy);
}

// Pairs set-wise; groups move by move, as the square that a piece leaves may free one, but only where a move
// may close one in.
Threats Rek::threats_of(const Destinations& destinations, Bitboard movers, Bitboard own,
                        Bitboard enemy) const {
  const Bitboard closing = rules_.surround == Surround::kOff ? 0 : closing_squares(own, enemy);
  const Bitboard between = arrivals_between_enemies(destinations.all() & ~closing, enemy);
  Threats threats = {pair_captures(between, enemy), between};
  MoveList moves;
  add_moves(destinations & closing, movers, &moves);
  for (const Move move : moves) {
    const Bitboard taken = taken_by(bit(move.destination()), moved(own, move), enemy);
    threats.targets |= taken;
    if (taken) threats.destinations |= bit(move.destination());
  }
  return threats;
}

std::uint8_t Rek::symmetries(const Position&) const { return kAllSymmetries; }

void Rek::check(const Position& position, std::vector<std::string>* reasons) const {
  if (!position.kind[kKing]) reasons->push_back("both kings are missing: put at least one on the board");
  for (const Color side : {Color::kWhite, Color::kBlack}) {
    const Bitboard pieces = position.side[index(side)];
    check_at_most(1, "kings", side, size(pieces & position.kind[kKing]), reasons);
    check_at_most(kMen, "men", side, size(pieces & position.kind[kMan]), reasons);
  }
}

Rulesets rek_rulesets() {
  using Rules = RekRules;
  RulesTable<Rules> table;
  table.family = "custodial";
  table.source = "Wikipedia, Rek; notes of an open-source Rek engine";
  table.rulesets = {
      {"rek",
       "Rek",
       "Pieces slide like rooks; capture the king. A piece arriving between two enemies takes both, "
       "and a group without an empty square beside it falls.",
       {}}};
  table.options = {
      choice_of<&Rules::kings, Rules>("kings", {"left", "right", "mirror"}),
      choice_of<&Rules::order, Rules>("order", {"intervention_first", "simultaneous", "surround_first"}),
      choice_of<&Rules::surround, Rules>("surround", {"off", "on", "single"}),
  };
  add_end_options<Rules>(&table.options);
  table.add_features = add_features;
  return make_rulesets<Rek>(std::move(table));
}

}  // namespace makzero::game
