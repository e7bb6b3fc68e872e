// Surrounding: a connected group of enemies falls when none of its members has an empty square beside it. The
// edges of the board count as closed.
#pragma once

#include "game/bitboard.h"

namespace makzero::game {

// The members of `within` that are connected with a seed through other members.
constexpr Bitboard connected(Bitboard seeds, Bitboard within) {
  Bitboard reached = seeds & within;
  for (Bitboard last = 0; reached != last;) {
    last = reached;
    reached |= neighbours(reached) & within;
  }
  return reached;
}

// The enclosed enemy groups beside an arriving piece. In games that are played from the start no other group
// can have lost its last empty neighbour.
constexpr Bitboard surrounded(Bitboard arrival, Bitboard own, Bitboard enemy) {
  const Bitboard free = enemy & neighbours(~(own | enemy));
  const Bitboard touched = enemy & neighbours(arrival) & ~free;
  if (!touched) return 0;  // So nearly always.
  return connected(touched, enemy & ~connected(free, enemy));
}

// The groups of one piece in a set of whole groups.
constexpr Bitboard groups_of_one(Bitboard groups) { return groups & ~neighbours(groups); }

// Where an arrival may surround something: beside an enemy to whom only this square is left.
constexpr Bitboard closing_squares(Bitboard own, Bitboard enemy) {
  const Bitboard empty = ~(own | enemy);
  const Bitboard above = north(empty), below = south(empty), right = east(empty), left = west(empty);
  const Bitboard two = (above & below) | (right & left) | ((above | below) & (right | left));
  return empty & neighbours(enemy & ~two);
}

}  // namespace makzero::game
