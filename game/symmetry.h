// The eight symmetries of a square board.
#pragma once

#include <array>
#include <cstdint>

#include "game/game.h"

namespace makzero::game {

inline constexpr int kSymmetries = 8;

// Sets of symmetries that games declare: bit i stands for symmetry i.
inline constexpr std::uint8_t kIdentityOnly = 0b0000'0001;
inline constexpr std::uint8_t kLeftRight = 0b0000'0011;
inline constexpr std::uint8_t kAllSymmetries = 0b1111'1111;

// Symmetry i of a board with `files` x `ranks` squares: bit 2 of i transposes (first), bit 0 mirrors
// left-right, bit 1 mirrors top-bottom.
class Symmetry {
 public:
  // REQUIRES: 0 <= id < kSymmetries; files == ranks where the id transposes.
  Symmetry(int id, int files, int ranks);

  Square operator()(Square square) const { return map_[square]; }
  Bitboard operator()(Bitboard set) const;
  Move operator()(Move move) const;
  Position operator()(Position position) const;  // Sides and side to move stay.

 private:
  void map_obligations(Position* position) const;

  std::array<std::uint8_t, kSquares> map_ = {};
};

// The board rotated by 180 degrees: how Black sees it. Squares off the board map to themselves.
Symmetry rotation(const GameInfo& info);

}  // namespace makzero::game
