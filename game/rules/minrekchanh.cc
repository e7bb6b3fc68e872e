#include "game/rules/minrekchanh.h"

#include <algorithm>
#include <utility>

#include "game/notation.h"
#include "game/rules/custodial_capture.h"
#include "game/rules/named_rules.h"
#include "game/rules/turn.h"

namespace makzero::game {
namespace {

void add_features(const MinRekChanhRules& rules, GameInfo* info) {
  add_pair_features(rules, info);
  add_choice_feature(rules.king, {"king_move=immobile", "king_move=rook", "king_move=step"}, info);
  add_choice_feature(rules.obligation, {"obligation=global", "obligation=transition", ""}, info);
}

const RulesTable<MinRekChanhRules>& minrekchanh_table() {
  using Rules = MinRekChanhRules;
  static const RulesTable<Rules> kTable = [] {
    RulesTable<Rules> table;
    table.source = "Wikipedia, Rek; Khmer texts collected by an open-source Rek engine";
    const std::string pair =
        "Men slide like rooks, kings stay; capture the king. A man arriving between two enemies takes both, ";
    Rules surround;
    surround.surround = Surround::kOn;
    surround.obligation = Obligation::kNone;
    table.rulesets = {{"minrekchanh", "Min Rek Chanh", pair + "and who can take must.", {}},
                      {"minrekchanh-surround", "Min Rek Chanh, surrounding",
                       pair + "and a group without an empty square beside it falls.", surround}};
    table.options = {
        choice_of<&Rules::obligation, Rules>("obligation", {"global", "transition", "none"}),
        choice_of<&Rules::surround, Rules>("surround", {"off", "on", "single"}),
        choice_of<&Rules::king, Rules>("king", {"immobile", "rook", "step"}),
        choice_of<&Rules::kings, Rules>("kings", {"left", "right", "mirror"}),
        choice_of<&Rules::order, Rules>("order", {"intervention_first", "simultaneous", "surround_first"}),
    };
    add_end_options(&table.options);
    table.add_features = add_features;
    return table;
  }();
  return kTable;
}

// The part of the destinations that is obligatory.
Destinations obliged_part(const Destinations& destinations, const Position& position) {
  Destinations part;
  for_each_direction(
      [&]<Direction kAhead>() { part[kAhead] = destinations[kAhead] & position.obliged[ascends(kAhead)]; });
  return part;
}

void oblige(Move move, Position* position) {
  position->obliged[move.origin() < move.destination()] |= bit(move.destination());
}

bool has_obligation(const Position& position) { return position.obliged[0] | position.obliged[1]; }

std::vector<std::string_view> split_at_commas(std::span<const std::string_view> fields) {
  std::vector<std::string_view> pieces;
  for (const std::string_view field : fields) {
    for (size_t at = 0; at <= field.size();) {
      const size_t end = std::min(field.find(',', at), field.size());
      if (end > at) pieces.push_back(field.substr(at, end - at));
      at = end + 1;
    }
  }
  return pieces;
}

std::string step_text(Move move) { return square_text(move.origin()) + square_text(move.destination()); }

}  // namespace

MinRekChanh::MinRekChanh(GameInfo info, const MinRekChanhRules& rules)
    : Rek(std::move(info), rules), rules_(rules) {
  info_.has_obligations = rules.obligation == Obligation::kTransition;
  info_.must_take = rules.obligation == Obligation::kGlobal;
}

Bitboard MinRekChanh::movers(Bitboard own, Bitboard kings) const {
  return rules_.king == KingMove::kImmobile ? own & ~kings : own;
}

Destinations MinRekChanh::destinations(Bitboard own, Bitboard kings, Bitboard occupied) const {
  if (rules_.king == KingMove::kRook) return slides_of(own, ~occupied);
  const Destinations slides = slides_of(own & ~kings, ~occupied);
  return rules_.king == KingMove::kStep ? slides | steps_of(own & kings, ~occupied) : slides;
}

Destinations MinRekChanh::openings(Bitboard own, Bitboard kings, Bitboard occupied, Bitboard enemy) const {
  return destinations(own, kings, occupied) & arrivals_between_enemies(~occupied, enemy);
}

Destinations MinRekChanh::allowed(const Position& position) const {
  const Destinations all = destinations(position.own(), position.kind[kKing], position.occupied());
  if (has_obligation(position)) return obliged_part(all, position);
  if (rules_.obligation != Obligation::kGlobal) return all;
  const Destinations takes = all & arrivals_between_enemies(~position.occupied(), position.enemy());
  return takes.all() ? takes : all;
}

void MinRekChanh::legal_moves(const Position& position, MoveList* moves) const {
  moves->clear();
  if (decided(position)) return;
  const Bitboard own = position.own(), kings = position.kind[kKing];
  if (surrounding_obliges()) {
    add_moves(destinations(own, kings, position.occupied()), movers(own, kings), moves);
    keep_captures(position, moves);
  } else {
    add_moves(allowed(position), movers(own, kings), moves);
  }
  if (moves->empty() && rules_.no_move == NoMove::kPass) moves->add(Move::pass());
}

// Removes the moves that take nothing, unless none takes.
void MinRekChanh::keep_captures(const Position& position, MoveList* moves) const {
  MoveList captures;
  for (const Move move : *moves) {
    const Bitboard own = moved(position.own(), move);
    if (taken_by(bit(move.destination()), own, position.enemy())) captures.add(move);
  }
  if (!captures.empty()) *moves = captures;
}

int MinRekChanh::count_moves(const Position& position) const {
  if (surrounding_obliges()) {
    MoveList moves;
    legal_moves(position, &moves);
    return moves.size();
  }
  if (decided(position)) return 0;
  const int count = allowed(position).count();
  return count == 0 && rules_.no_move == NoMove::kPass ? 1 : count;
}

// What the opponent can take now and could not before: openings of the men that he still has, on the board
// before the move.
void MinRekChanh::apply(Move move, Position* position) const {
  const Position before = *position;
  Rek::apply(move, position);
  if (rules_.obligation != Obligation::kTransition) return;
  position->obliged[0] = position->obliged[1] = 0;
  if (decided(*position)) return;
  const Bitboard own = position->own(), kings = position->kind[kKing];
  const Destinations open = openings(own, kings, position->occupied(), position->enemy());
  const Destinations open_before = openings(own, before.kind[kKing], before.occupied(), before.own());
  for_each_direction(
      [&]<Direction kAhead>() { position->obliged[ascends(kAhead)] |= open[kAhead] & ~open_before[kAhead]; });
}

Threats MinRekChanh::threats(const Position& position, Color side) const {
  const Bitboard own = position.side[index(side)], enemy = position.side[index(other(side))];
  const Bitboard kings = position.kind[kKing];
  Destinations all = destinations(own, kings, position.occupied());
  if (side == position.to_move && has_obligation(position)) all = obliged_part(all, position);
  return threats_of(all, movers(own, kings), own, enemy);
}

// " c1c4,e1e4": the obligatory moves, if there are any.
std::string MinRekChanh::fields_text(const Position& position) const {
  if (!has_obligation(position)) return "";
  MoveList moves;
  add_moves(allowed(position), movers(position.own(), position.kind[kKing]), &moves);
  std::string text;
  for (const Move move : moves) text += (text.empty() ? " " : ",") + step_text(move);
  return text;
}

void MinRekChanh::read_fields(std::span<const std::string_view> fields, Position* position,
                              std::vector<std::string>* reasons) const {
  if (rules_.obligation != Obligation::kTransition) return Game::read_fields(fields, position, reasons);
  const Bitboard own = position->own(), kings = position->kind[kKing];
  MoveList open;
  add_moves(openings(own, kings, position->occupied(), position->enemy()), movers(own, kings), &open);
  for (const std::string_view text : split_at_commas(fields)) {
    const auto named =
        std::find_if(open.begin(), open.end(), [&](Move move) { return step_text(move) == text; });
    if (named != open.end()) {
      oblige(*named, position);
    } else {
      reasons->push_back("obligation '" + std::string(text) + "' is no move that takes a pair: leave it out");
    }
  }
}

void check_rules(const MinRekChanhRules& rules, std::vector<std::string>* reasons) {
  check_rules(static_cast<const Limits&>(rules), reasons);
  if (rules.order != CaptureOrder::kInterventionFirst && rules.obligation != Obligation::kNone) {
    reasons->push_back(
        "option 'order' needs obligation=none: who must take a pair takes it before groups are looked at");
  }
}

std::vector<std::string> minrekchanh_rulesets() { return names_of(minrekchanh_table()); }

Parsed<GamePtr> make_minrekchanh(std::string_view ruleset, const OptionTexts& options) {
  return make_named<MinRekChanh>(minrekchanh_table(), ruleset, options);
}

}  // namespace makzero::game
