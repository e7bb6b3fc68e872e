// The moves of Ok and Ka Ok: Makruk's, and the leaps of unmoved kings and mets.
#pragma once

#include "game/rules/chess_moves.h"
#include "game/rules/first_moves.h"
#include "game/rules/ok.h"

namespace makzero::game {

// The square on which the side's unmoved met takes by leaping, where the rules let it.
template <Color kSide>
Bitboard leap_captures(const OkRules& rules, const Position& position) {
  if (!rules.met_leap_captures || !unmoved<kSide>(position, kMetUnmoved)) return 0;
  return forward<kSide>(forward<kSide>(bit(kMetHome<kSide>)));
}

template <Color kSide>
ChecksAndPins ok_checks_and_pins(const OkRules& rules, const Position& position) {
  ChecksAndPins safety = checks_and_pins<kSide>(position, MakrukSteps());
  if (const Bitboard leap = leap_captures<other(kSide)>(rules, position)) {
    // What taking ends the leap: the met, or any piece where a capture ends all leaps.
    const Bitboard met = bit(kMetHome<other(kSide)>);
    const Bitboard ends_leap = rules.leaps_after_captures ? met : position.enemy();
    safety.attacked |= leap;
    safety.king_targets &= ~leap | ends_leap;
    if (contains(leap, safety.king)) safety.targets &= ends_leap;
  }
  return safety;
}

template <Color kSide, class Visitor>
void visit_ok_moves(const OkRules& rules, const Position& position, const ChecksAndPins& safety,
                    Visitor* visitor) {
  visit_chess_moves<kSide>(position, MakrukSteps(), safety, visitor);
  if (position.rights == 0) return;
  if (!contains(safety.attacked, safety.king)) {
    const Bitboard row = rules.king_leap == KingLeap::kAny ? kAllSquares : kSecondRow<kSide>;
    visitor->from(safety.king, king_leaps<kSide>(position, safety) & row);
  }
  const Bitboard taken = rules.met_leap_captures ? 0 : position.enemy();
  visitor->from(kMetHome<kSide>, met_leap<kSide>(position, safety) & ~position.own() & ~taken);
}

}  // namespace makzero::game
