// First-move rights of the chess family: what pieces that have not moved may do beside their steps.
//
// Position::rights holds White's rights in its low half and Black's in its high half. A bit means the same
// piece as its own side sees it, so that rotating the board and exchanging the halves swaps the colours.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "game/rules/chess_moves.h"

namespace makzero::game {

enum FirstMove : std::uint8_t { kKingUnmoved = 1, kMetUnmoved = 2, kLeftUnmoved = 4, kRightUnmoved = 8 };

// A right: its letter, its bit of Position::rights, and the piece that must stand at home.
struct Right {
  char letter;
  std::uint8_t bit;
  Color side;
  ChessKind kind;
  Square home;
};

// The rights of a game: those of some kinds of piece, in the order in which texts name them.
class FirstMoves {
 public:
  // Kings, mets, and either khons or knights. No kinds: a game without such rights.
  explicit FirstMoves(const std::vector<ChessKind>& kinds);

  std::span<const Right> rights() const { return rights_; }
  std::uint8_t all() const { return all_; }

  // The right that ends when a piece leaves the square or is taken on it.
  std::uint8_t at(Square square) const { return at_[square]; }

 private:
  std::vector<Right> rights_;
  std::uint8_t all_ = 0;
  std::array<std::uint8_t, kSquares> at_ = {};
};

template <Color kSide>
bool unmoved(const Position& position, FirstMove piece) {
  return position.rights & piece << 4 * index(kSide);
}

// Where unmoved pieces stand; left and right as their own side sees them.
template <Color kSide>
inline constexpr Square kMetHome = kSide == Color::kWhite ? square_at(4, 0) : square_at(3, 7);
template <Color kSide>
inline constexpr Square kLeftKnightHome = kSide == Color::kWhite ? square_at(1, 0) : square_at(6, 7);
template <Color kSide>
inline constexpr Square kRightKnightHome = kSide == Color::kWhite ? square_at(6, 0) : square_at(1, 7);

// Where the met, unmoved, may go if it can jump two squares ahead: a set of at most one square.
template <Color kSide>
Bitboard met_leap(const Position& position, const ChecksAndPins& safety) {
  constexpr Bitboard home = bit(kMetHome<kSide>);
  if (!unmoved<kSide>(position, kMetUnmoved) || (safety.pinned & home)) return 0;
  return forward<kSide>(forward<kSide>(home)) & safety.targets;
}

// The row before the home row.
template <Color kSide>
inline constexpr Bitboard kSecondRow = kSide == Color::kWhite ? kRank1 << 8 : kRank1 << 48;

// Where the king, unmoved, may go by a knight's leap without taking.
template <Color kSide>
Bitboard king_leaps(const Position& position, const ChecksAndPins& safety) {
  if (!unmoved<kSide>(position, kKingUnmoved)) return 0;
  return kSteps[safety.king].knight & ~position.occupied() & ~safety.attacked;
}

}  // namespace makzero::game
