// Sets of squares as 64-bit words: bit 8 * rank + file. Shifts never wrap around the a- or h-file.
#pragma once

#include <bit>
#include <cstdint>

#include "game/square.h"

namespace makzero::game {

using Bitboard = std::uint64_t;

inline constexpr Bitboard kFileA = 0x0101010101010101u;
inline constexpr Bitboard kFileH = kFileA << 7;
inline constexpr Bitboard kRank1 = 0xFFu;
inline constexpr Bitboard kRank8 = kRank1 << 56;
inline constexpr Bitboard kAllSquares = ~Bitboard{0};

constexpr Bitboard bit(Square square) { return Bitboard{1} << square; }
constexpr bool contains(Bitboard set, Square square) { return (set >> square) & 1; }
constexpr int size(Bitboard set) { return std::popcount(set); }

// REQUIRES: the set is not empty.
constexpr Square first_square(Bitboard set) { return std::countr_zero(set); }

// REQUIRES: the set is not empty.
constexpr Square last_square(Bitboard set) { return 63 - std::countl_zero(set); }

// Removes and returns the lowest square. REQUIRES: the set is not empty.
constexpr Square pop_first(Bitboard* set) {
  const Square square = first_square(*set);
  *set &= *set - 1;
  return square;
}

// The squares of a rows x columns board in the corner a1 of the grid.
constexpr Bitboard board_mask(int files, int ranks) {
  Bitboard mask = 0;
  for (int rank = 0; rank < ranks; ++rank) mask |= ((Bitboard{1} << files) - 1) << (8 * rank);
  return mask;
}

constexpr Bitboard north(Bitboard set) { return set << 8; }
constexpr Bitboard south(Bitboard set) { return set >> 8; }
constexpr Bitboard east(Bitboard set) { return (set & ~kFileH) << 1; }
constexpr Bitboard west(Bitboard set) { return (set & ~kFileA) >> 1; }

// The orthogonal neighbours of all squares of the set.
constexpr Bitboard neighbours(Bitboard set) { return north(set) | south(set) | east(set) | west(set); }

}  // namespace makzero::game
