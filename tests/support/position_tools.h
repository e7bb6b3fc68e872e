// The invariant of positions, and the swap of colours.
#pragma once

#include <bit>
#include <utility>

#include "game/symmetry.h"

namespace makzero::game {

// Sides disjoint, kinds disjoint and together exactly the pieces, all on the board, and obligations on empty
// squares.
inline bool well_formed(const Position& position, Bitboard board) {
  if (position.side[0] & position.side[1]) return false;
  Bitboard kinds = 0;
  for (const Bitboard kind : position.kind) {
    if (kinds & kind) return false;
    kinds |= kind;
  }
  if ((position.obliged[0] | position.obliged[1]) & (kinds | ~board)) return false;
  return kinds == position.occupied() && !(kinds & ~board);
}

// The same game seen from the other side: board rotated, colours, rights and side to move exchanged.
inline Position swap_colors(const GameInfo& info, const Position& position) {
  Position swapped = rotation(info)(position);
  std::swap(swapped.side[0], swapped.side[1]);
  std::swap(swapped.hand[0], swapped.hand[1]);
  swapped.rights = std::rotl(position.rights, 4);
  swapped.to_move = other(position.to_move);
  if (position.counter != Counter::kNobody) {
    swapped.counter = position.counter == Counter::kWhite ? Counter::kBlack : Counter::kWhite;
  }
  return swapped;
}

}  // namespace makzero::game
